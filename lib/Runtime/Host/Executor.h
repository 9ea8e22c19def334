//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Distributes the blocks of a launch over CPU threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_EXECUTOR_H
#define FUSER_LIB_RUNTIME_HOST_EXECUTOR_H

#include "FiberStacks.h"
#include "Scheduler.h"
#include "fuser/Runtime/Host/HostDevice.h"

#include <mutex>
#include <vector>

namespace fuser::runtime::host {

/// Caches stacks between launches, because allocating them from the system is slow.
class StackPool {
public:
  /// Keeps at most `keep` unused sets of stacks.
  explicit StackPool(size_t keep) : keep(keep) {}

  /// At least `count` stacks of at least `bytes` bytes each. Fails with OutOfMemory.
  Expected<FiberStacks> take(size_t count, size_t bytes);
  void give(FiberStacks stacks);

private:
  const size_t keep;
  std::mutex mutex;
  std::vector<FiberStacks> unused;
};

/// Runs launches, any number concurrently.
class Executor {
public:
  explicit Executor(const HostDeviceOptions &options);

  /// Maximum number of CPU threads of a launch.
  uint32_t workers() const { return maxWorkers; }

  /// Runs all blocks. If `together`, all are alive at once, in one scheduler on the calling CPU
  /// thread; else each runs to its end on some CPU thread. If several blocks fail, the first in
  /// grid order is reported.
  Status run(const LaunchPlan &plan, bool together);

private:
  struct Work;
  static void *workerMain(void *work);
  Status runBlocks(const LaunchPlan &plan, uint32_t residentBlocks, Work *work);
  size_t stackBytes(const LaunchPlan &plan) const;

  const HostDeviceOptions options;
  const uint32_t maxWorkers;
  StackPool stacks;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_EXECUTOR_H
