//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <pthread.h>
#include <thread>

namespace fuser::runtime::host {

//===----------------------------------------------------------------------===//
// StackPool
//===----------------------------------------------------------------------===//

Expected<FiberStacks> StackPool::take(size_t count, size_t bytes) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = unused.begin(); it != unused.end(); ++it)
      if (it->size() >= count && it->stackBytes() >= bytes) {
        FiberStacks found = std::move(*it);
        unused.erase(it);
        return found;
      }
  }
  return FiberStacks::create(count, bytes);
}

void StackPool::give(FiberStacks stacks) {
  std::lock_guard<std::mutex> lock(mutex);
  unused.push_back(std::move(stacks));
  if (unused.size() <= keep)
    return;
  // Keep the larger ones: they serve more launches.
  auto smallest = std::min_element(unused.begin(), unused.end(),
                                   [](const FiberStacks &a, const FiberStacks &b) {
                                     return a.size() * a.stackBytes() < b.size() * b.stackBytes();
                                   });
  unused.erase(smallest);
}

//===----------------------------------------------------------------------===//
// Executor
//===----------------------------------------------------------------------===//

static uint32_t resolveWorkers(uint32_t requested) {
  return requested != 0 ? requested : std::max(1u, std::thread::hardware_concurrency());
}

Executor::Executor(const HostDeviceOptions &options)
    : options(options), maxWorkers(resolveWorkers(options.workers)), stacks(maxWorkers) {}

/// The state that the CPU threads of one launch share.
struct Executor::Work {
  Executor *executor;
  const LaunchPlan *plan;
  uint64_t clusters;
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  /// The failure of the first cluster in grid order. Clusters are started in this order and finish
  /// once they run, so that the reported one does not depend on timing.
  uint64_t failedCluster = std::numeric_limits<uint64_t>::max();
  std::optional<Error> error;

  std::optional<uint64_t> take() {
    if (stop.load(std::memory_order_relaxed))
      return std::nullopt;
    const uint64_t cluster = nextCluster.fetch_add(1, std::memory_order_relaxed);
    return cluster < clusters ? std::optional<uint64_t>(cluster) : std::nullopt;
  }

  void fail(uint64_t cluster, Error failure) {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
    if (cluster < failedCluster) {
      failedCluster = cluster;
      error = std::move(failure);
    }
  }
};

size_t Executor::stackBytes(const LaunchPlan &plan) const {
  return size_t(options.stackBytes) + plan.kernel->thread_stack_bytes;
}

/// Runs blocks on the calling CPU thread: those of the clusters that `work` assigns one by one, or,
/// without it, all blocks of the grid at once.
Status Executor::runBlocks(const LaunchPlan &plan, uint32_t residentBlocks, Work *work) {
  Expected<FiberStacks> taken =
      stacks.take(size_t(residentBlocks) * plan.fibersPerBlock(), stackBytes(plan));
  if (!taken)
    return taken.takeError();
  FiberStacks mine = taken.take();
  Status status;
  {
    Expected<std::unique_ptr<Scheduler>> scheduler = Scheduler::create(plan, residentBlocks, mine);
    if (!scheduler)
      return scheduler.takeError();
    if (!work)
      status = (*scheduler)->run(0);
    else
      while (std::optional<uint64_t> cluster = work->take())
        if (Status result = (*scheduler)->run(*cluster); !result)
          work->fail(*cluster, result.takeError());
  }
  stacks.give(std::move(mine));
  return status;
}

void *Executor::workerMain(void *argument) {
  Work &work = *static_cast<Work *>(argument);
  // A helper that cannot allocate its stacks leaves the blocks to other threads.
  (void)work.executor->runBlocks(*work.plan, work.plan->blocksPerCluster(), &work);
  return nullptr;
}

Status Executor::run(const LaunchPlan &plan, bool together) {
  if (together)
    return runBlocks(plan, static_cast<uint32_t>(plan.blocks()), nullptr);
  Work work;
  work.executor = this;
  work.plan = &plan;
  work.clusters = plan.blocks() / plan.blocksPerCluster();
  // pthreads, because std::thread cannot report a failure without exceptions.
  std::vector<pthread_t> helpers;
  // The checks of a launch record a single order of events.
  const uint64_t wanted = plan.checks ? 1 : std::min<uint64_t>(maxWorkers, work.clusters);
  while (helpers.size() + 1 < wanted) {
    pthread_t helper;
    if (pthread_create(&helper, nullptr, workerMain, &work) != 0)
      break;
    helpers.push_back(helper);
  }
  Status status = runBlocks(plan, plan.blocksPerCluster(), &work);
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
  if (work.error)
    return std::move(*work.error);
  return status;
}

} // namespace fuser::runtime::host
