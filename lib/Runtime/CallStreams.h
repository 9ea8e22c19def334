//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The streams and events of a call of a program that distributes launches over streams.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CALLSTREAMS_H
#define FUSER_LIB_RUNTIME_CALLSTREAMS_H

#include "fuser/Runtime/Device.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fuser::runtime {

/// Events that calls borrow, so that only the first calls create them. A call may record an event
/// again while an earlier call still waits for it: the wait is for the point that was recorded when
/// the wait was enqueued.
class EventPool {
public:
  explicit EventPool(Device &device) : device(device) {}
  ~EventPool();
  Expected<std::vector<Event>> take(size_t count);
  void giveBack(std::vector<Event> borrowed);

private:
  Device &device;
  std::mutex mutex;
  std::vector<Event> events;
};

/// What the streams of a call have accessed, with vector clocks: which accesses the events order.
class StreamOrder {
public:
  explicit StreamOrder(size_t numStreams, size_t numEvents)
      : clocks(numStreams, Clock(numStreams, 0)), events(numEvents) {}

  void record(uint32_t stream, uint32_t event) { events[event] = clocks[stream]; }
  void wait(uint32_t stream, uint32_t event);
  /// Following work of stream `to` runs after what stream `from` has so far.
  void order(uint32_t from, uint32_t to);
  /// Adds streams that come after nothing.
  void resize(size_t numStreams);
  /// Forgets accesses to memory that is allocated again: the allocator orders them.
  void forget(const void *memory, size_t bytes);
  void forgetAll() { accesses.clear(); }
  /// Adds accesses of one launch or copy. Fails with DataRace if another stream accesses an element
  /// too, one of them writes, and no event orders them.
  Status access(uint32_t stream, const char *name, ArrayView<MemoryRange> ranges);

private:
  using Clock = std::vector<uint64_t>;
  /// Contiguous parts, ascending.
  using Pieces = std::vector<std::pair<const char *, const char *>>;
  struct Access {
    std::string name;
    uint32_t stream;
    uint64_t tick;
    bool writes;
    Pieces pieces;
  };
  static Pieces getPieces(const MemoryRange &range);
  static bool overlap(const Pieces &a, const Pieces &b);

  std::vector<Clock> clocks, events;
  std::vector<Access> accesses;
};

/// The streams of a call; 0 is the caller's.
class CallStreams {
public:
  /// Borrows streams and events.
  static Expected<std::unique_ptr<CallStreams>>
  create(Device &device, EventPool &pool, std::vector<Stream> streams, size_t numEvents);
  ~CallStreams() { pool.giveBack(std::move(events)); }

  Stream get(uint32_t stream) const { return streams[stream]; }
  size_t size() const { return streams.size(); }
  /// Adds what `others` has more; 0 is not among them.
  void extend(const std::vector<Stream> &others);
  uint32_t getCurrent() const { return current; }
  /// Following work is in this stream.
  Stream select(uint32_t stream) {
    current = stream;
    return streams[stream];
  }
  Status record(uint32_t event);
  Status wait(uint32_t event);
  /// Streams of a loop wait for the one that it is in, and that one for them.
  Status fork(uint32_t from, const std::vector<uint32_t> &into);
  Status join(const std::vector<uint32_t> &from, uint32_t into);
  /// After a failure: the caller's stream waits for all that was enqueued.
  Status join();
  /// Checks accesses of a launch or a copy, for devices that check them.
  Status access(uint32_t stream, const char *name, ArrayView<MemoryRange> ranges) {
    return order.access(stream, name, ranges);
  }
  void forgetAccesses(const void *memory, size_t bytes) { order.forget(memory, bytes); }
  void forgetAccesses() { order.forgetAll(); }

private:
  CallStreams(Device &device, EventPool &pool, std::vector<Stream> streams,
              std::vector<Event> events)
      : device(device), pool(pool), streams(std::move(streams)), events(std::move(events)),
        order(this->streams.size(), this->events.size()) {}

  Device &device;
  EventPool &pool;
  std::vector<Stream> streams;
  /// The last one is that of `fork` and `join`, which record it again: a wait is for the point that
  /// was recorded last.
  std::vector<Event> events;
  StreamOrder order;
  uint32_t current = 0;
};

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_CALLSTREAMS_H
