//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The copy engine: copies from global to shared memory are done as late as a GPU may do them, when
// the thread waits for them. Until then the target holds poison, as a GPU may write it at once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_ASYNCCOPIES_H
#define FUSER_LIB_RUNTIME_HOST_ASYNCCOPIES_H

#include "LaunchChecks.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace fuser::runtime::host {

class Scheduler;
struct Fiber;

/// A copy to shared memory that a thread has begun.
struct PendingCopy {
  uint32_t site;
  uint32_t memory; ///< of the source, as in CheckedAccess
  const char *source;
  char *target;
  uint32_t bytes;
  /// What is read; the rest is 0.
  uint32_t existing;
  /// When it began, in a checked kernel.
  Moment begin;
};

/// The copies of the threads of one scheduler. Faults of a checked kernel end its run.
class AsyncCopies {
public:
  explicit AsyncCopies(Scheduler &scheduler) : scheduler(scheduler) {}

  /// Nothing is under way in any of `numThreads` threads.
  void reset(size_t numThreads) { queues.assign(numThreads, Queue()); }
  /// A copy of the thread begins. It is a part of the next group.
  void begin(Fiber &fiber, PendingCopy copy);
  /// Makes a group of the copies since the last one.
  void commit(const Fiber &fiber) { ++getQueue(fiber).committed; }
  /// Does all copies but those of the last `pending` groups, and those that are in no group.
  void wait(Fiber &fiber, uint32_t pending);
  /// The thread returns: it has waited for all copies of a checked kernel.
  void checkReturn(Fiber &fiber);

  // Copies that are in no group:

  /// The copy begins. Sets `begin`.
  void start(Fiber &fiber, PendingCopy &copy);
  /// The copy is done, at `end`.
  void finish(Fiber &fiber, const PendingCopy &copy, const Moment &end);

private:
  /// The copies of one thread, which are done in order.
  struct Queue {
    /// Each with the number of its group.
    std::deque<std::pair<PendingCopy, uint64_t>> copies;
    uint64_t committed = 0; ///< groups
  };

  Queue &getQueue(const Fiber &fiber);
  std::optional<Error> checkBegin(const Fiber &fiber, const PendingCopy &copy);
  std::optional<Error> checkEnd(const Fiber &fiber, const PendingCopy &copy, const Moment &end);

  Scheduler &scheduler;
  /// Of each thread of a kernel that begins copies.
  std::vector<Queue> queues;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_ASYNCCOPIES_H
