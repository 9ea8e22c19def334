//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of threads of one block that barriers for some of them make: a thread that has waited
// for a phase comes after what the threads that arrived had done before, and after what these knew.
//
// A clock has an entry for each barrier, rather than for each thread: the phases that a thread
// knows to be complete. A thread counts its arrivals, and each access records how many preceded it.
// So an access is ordered before a thread if this knows a phase at which the thread that accessed
// arrived afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_PHASEORDER_H
#define FUSER_LIB_RUNTIME_HOST_PHASEORDER_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fuser::runtime::host {

struct Moment;

/// Barriers are identified by numbers that differ between blocks.
class PhaseOrder {
public:
  void reset();
  /// The thread at `now` arrives, for a phase that is not complete.
  void arrive(uint64_t barrier, uint64_t phase, const Moment &now);
  /// The present phase of a barrier is complete.
  void complete(uint64_t barrier);
  /// The thread at `now` has waited for a phase: the last one that is complete.
  void wait(uint64_t barrier, uint64_t phase, const Moment &now);

  /// True if the thread at `now` has waited for a phase, or a thread did whose arrival it knows.
  bool knows(const Moment &now, uint64_t barrier, uint64_t phase) const;
  /// True if the thread at `before` has arrived after it, at a phase that the thread at `now`
  /// knows.
  bool isOrdered(const Moment &before, const Moment &now) const;

private:
  /// Numbers of complete phases by barrier, of the barriers with at least one, in order.
  class Clock {
  public:
    uint64_t get(uint64_t barrier) const;
    void raise(uint64_t barrier, uint64_t phases);
    void join(const Clock &other);

  private:
    std::vector<std::pair<uint64_t, uint64_t>> entries;
  };
  struct Arrival {
    uint64_t barrier, phase;
  };
  struct Thread {
    Clock known;
    std::vector<Arrival> arrivals;
  };
  /// What arrivals brought, up to the present phase, and up to the last complete one.
  struct Barrier {
    Clock brought, complete;
  };

  static uint64_t getKey(const Moment &moment);
  const Thread *find(const Moment &moment) const;

  std::unordered_map<uint64_t, Thread> threads;
  std::unordered_map<uint64_t, Barrier> barriers;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_PHASEORDER_H
