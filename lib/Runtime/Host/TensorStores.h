//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies of boxes from shared to global memory. They are done as late as a GPU may do them, when
// the thread waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_TENSORSTORES_H
#define FUSER_LIB_RUNTIME_HOST_TENSORSTORES_H

#include "LaunchChecks.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace fuser::runtime::host {

class Scheduler;
struct Fiber;
struct TensorBox;

/// The stores of the threads of one scheduler. Faults of a checked kernel end its run.
class TensorStores {
public:
  explicit TensorStores(Scheduler &scheduler) : scheduler(scheduler) {}

  /// Nothing is under way in any of `numThreads` threads.
  void reset(size_t numThreads) { queues.assign(numThreads, Queue()); }
  /// A store of the thread begins. It is a part of the next group.
  void begin(Fiber &fiber, uint32_t site, const TensorBox &box);
  /// Makes a group of the stores since the last one.
  void commit(const Fiber &fiber) { ++getQueue(fiber).committed; }
  /// Does all stores but those of the last `pending` groups, and those that are in no group.
  void wait(Fiber &fiber, uint32_t pending);
  /// A write to shared memory, which no store of the same thread reads. Those of others are read
  /// again when they are done.
  std::optional<Error> checkWrite(const Fiber &fiber, const CheckedAccess &access);
  /// The thread returns: it has waited for all stores of a checked kernel.
  void checkReturn(Fiber &fiber);

private:
  /// Elements that are adjacent on both sides.
  struct Part {
    uint32_t site, memory; ///< of the target, as in CheckedAccess
    const char *source;
    char *target;
    uint32_t bytes;
    uint64_t group;
  };
  /// The parts of the stores of one thread, which are done in order.
  struct Queue {
    std::deque<Part> parts;
    uint64_t committed = 0; ///< groups
  };

  Queue &getQueue(const Fiber &fiber);
  std::optional<Error> checkRead(const Fiber &fiber, const Part &part) const;
  std::optional<Error> checkFences(const Fiber &fiber, const Part &part) const;
  void finish(Fiber &fiber, const Part &part);

  Scheduler &scheduler;
  /// Of each thread of a kernel that begins copies.
  std::vector<Queue> queues;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_TENSORSTORES_H
