//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CallStreams.h"

#include <algorithm>

namespace fuser::runtime {

//===----------------------------------------------------------------------===//
// EventPool
//===----------------------------------------------------------------------===//

EventPool::~EventPool() {
  for (Event event : events)
    (void)device.destroyEvent(event).ok();
}

Expected<std::vector<Event>> EventPool::take(size_t count) {
  std::vector<Event> taken;
  {
    std::lock_guard<std::mutex> lock(mutex);
    while (!events.empty() && taken.size() < count) {
      taken.push_back(events.back());
      events.pop_back();
    }
  }
  while (taken.size() < count) {
    Expected<Event> event = device.createEvent();
    if (!event) {
      giveBack(std::move(taken));
      return event.takeError();
    }
    taken.push_back(*event);
  }
  return taken;
}

void EventPool::giveBack(std::vector<Event> borrowed) {
  std::lock_guard<std::mutex> lock(mutex);
  events.insert(events.end(), borrowed.begin(), borrowed.end());
}

//===----------------------------------------------------------------------===//
// StreamOrder
//===----------------------------------------------------------------------===//

void StreamOrder::wait(uint32_t stream, uint32_t event) {
  for (size_t i = 0; i < events[event].size(); ++i)
    clocks[stream][i] = std::max(clocks[stream][i], events[event][i]);
}

void StreamOrder::order(uint32_t from, uint32_t to) {
  for (size_t i = 0; i < clocks[from].size(); ++i)
    clocks[to][i] = std::max(clocks[to][i], clocks[from][i]);
}

void StreamOrder::resize(size_t numStreams) {
  clocks.resize(numStreams);
  for (std::vector<Clock> *all : {&clocks, &events})
    for (Clock &clock : *all)
      clock.resize(numStreams, 0);
}

void StreamOrder::forget(const void *memory, size_t bytes) {
  const auto *begin = static_cast<const char *>(memory), *end = begin + bytes;
  accesses.erase(std::remove_if(accesses.begin(), accesses.end(),
                                [&](const Access &access) {
                                  return !access.pieces.empty() &&
                                         access.pieces.front().first < end &&
                                         begin < access.pieces.back().second;
                                }),
                 accesses.end());
}

StreamOrder::Pieces StreamOrder::getPieces(const MemoryRange &range) {
  if (range.bytes == 0)
    return {};
  Pieces all = {{range.begin, range.begin + range.bytes}};
  uint64_t elements = 1;
  for (uint32_t dim = 0; dim < range.rank; ++dim) {
    if (range.sizes[dim] <= 0)
      return {};
    elements *= static_cast<uint64_t>(range.sizes[dim]);
  }
  if (range.rank == 0 || elements * range.elementBytes == range.bytes)
    return all;
  // One piece for each index of all dimensions but the contiguous one.
  Pieces pieces = {{range.origin, range.origin + range.elementBytes}};
  for (uint32_t dim = 0; dim < range.rank; ++dim) {
    if (range.strides[dim] == 1) {
      for (auto &[begin, end] : pieces)
        end += (range.sizes[dim] - 1) * range.elementBytes;
      continue;
    }
    Pieces next;
    next.reserve(pieces.size() * static_cast<size_t>(range.sizes[dim]));
    for (int64_t i = 0; i < range.sizes[dim]; ++i)
      for (auto [begin, end] : pieces) {
        const int64_t offset = i * range.strides[dim] * range.elementBytes;
        next.emplace_back(begin + offset, end + offset);
      }
    pieces = std::move(next);
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

bool StreamOrder::overlap(const Pieces &a, const Pieces &b) {
  if (a.empty() || b.empty() || a.back().second <= b.front().first ||
      b.back().second <= a.front().first)
    return false;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first < b[j].second && b[j].first < a[i].second)
      return true;
    a[i].second <= b[j].second ? ++i : ++j;
  }
  return false;
}

Status StreamOrder::access(uint32_t stream, const char *name, ArrayView<MemoryRange> ranges) {
  const uint64_t tick = ++clocks[stream][stream];
  const size_t numBefore = accesses.size();
  for (const MemoryRange &range : ranges) {
    Pieces pieces = getPieces(range);
    for (size_t i = 0; i < numBefore; ++i) {
      const Access &other = accesses[i];
      if ((other.writes || range.writes) && clocks[stream][other.stream] < other.tick &&
          overlap(other.pieces, pieces))
        return makeError(ErrorCode::DataRace, "kernel '", name, "' on stream ", stream,
                         range.writes ? " writes" : " reads", " buffer '",
                         range.name ? range.name : "", "': expected an event after kernel '",
                         other.name, "' on stream ", other.stream, ", which ",
                         other.writes ? "writes" : "reads", " it, but got none");
    }
    accesses.push_back({name, stream, tick, range.writes, std::move(pieces)});
  }
  return {};
}

//===----------------------------------------------------------------------===//
// CallStreams
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<CallStreams>> CallStreams::create(Device &device, EventPool &pool,
                                                           std::vector<Stream> streams,
                                                           size_t numEvents) {
  Expected<std::vector<Event>> events = pool.take(numEvents + 1);
  if (!events)
    return events.takeError();
  return std::unique_ptr<CallStreams>(
      new CallStreams(device, pool, std::move(streams), events.take()));
}

Status CallStreams::record(uint32_t event) {
  order.record(current, event);
  return device.recordEvent(events[event], streams[current]);
}

Status CallStreams::wait(uint32_t event) {
  order.wait(current, event);
  return device.waitEvent(streams[current], events[event]);
}

void CallStreams::extend(const std::vector<Stream> &others) {
  if (others.size() + 1 <= streams.size())
    return;
  streams.insert(streams.end(), others.begin() + (streams.size() - 1), others.end());
  order.resize(streams.size());
}

Status CallStreams::fork(uint32_t from, const std::vector<uint32_t> &into) {
  bool isRecorded = false;
  for (uint32_t stream : into) {
    if (stream == from)
      continue;
    if (!isRecorded)
      if (Status status = device.recordEvent(events.back(), streams[from]); !status)
        return status;
    isRecorded = true;
    if (Status status = device.waitEvent(streams[stream], events.back()); !status)
      return status;
    order.order(from, stream);
  }
  return {};
}

Status CallStreams::join(const std::vector<uint32_t> &from, uint32_t into) {
  for (uint32_t stream : from) {
    if (stream == into)
      continue;
    if (Status status = device.recordEvent(events.back(), streams[stream]); !status)
      return status;
    if (Status status = device.waitEvent(streams[into], events.back()); !status)
      return status;
    order.order(stream, into);
  }
  return {};
}

Status CallStreams::join() {
  current = 0;
  for (size_t i = 1; i < streams.size(); ++i) {
    if (Status status = device.recordEvent(events.back(), streams[i]); !status)
      return status;
    if (Status status = device.waitEvent(streams[0], events.back()); !status)
      return status;
  }
  return {};
}

} // namespace fuser::runtime
