//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Threads/ParallelFor.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <sched.h>
#include <vector>

namespace {
/// What the threads of one call share.
struct Tasks {
  size_t count;
  const std::function<bool(size_t)> &task;
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};

  void run() {
    while (!failed.load(std::memory_order_relaxed)) {
      const size_t number = next.fetch_add(1, std::memory_order_relaxed);
      if (number >= count)
        return;
      if (!task(number))
        failed.store(true, std::memory_order_relaxed);
    }
  }
};
} // namespace

static void *runTasks(void *tasks) {
  static_cast<Tasks *>(tasks)->run();
  return nullptr;
}

/// The processors that this thread may use.
static unsigned countProcessors() {
  // Stays empty where the system has more than the C library's set holds.
  cpu_set_t processors = {};
  (void)sched_getaffinity(0, sizeof(processors), &processors);
  return std::max(CPU_COUNT(&processors), 1);
}

unsigned fuser::getNumThreads(unsigned threads, size_t count) {
  const size_t most = threads ? threads : countProcessors();
  return static_cast<unsigned>(std::clamp<size_t>(count, 1, most));
}

bool fuser::parallelFor(unsigned threads, size_t count, const std::function<bool(size_t)> &task) {
  Tasks tasks{count, task};
  std::vector<pthread_t> helpers;
  const unsigned helperCount = getNumThreads(threads, count) - 1;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    // Code generation recurses: as much stack as a main thread usually has, whatever the limit of
    // the process is. Pages that are not touched cost nothing.
    constexpr size_t kStackBytes = size_t(8) << 20;
    (void)pthread_attr_setstacksize(&attributes, kStackBytes);
    for (unsigned i = 0; i < helperCount; ++i) {
      pthread_t helper;
      if (pthread_create(&helper, &attributes, runTasks, &tasks) != 0)
        break;
      helpers.push_back(helper);
    }
    (void)pthread_attr_destroy(&attributes);
  }
  tasks.run();
  for (pthread_t helper : helpers)
    (void)pthread_join(helper, nullptr);
  return !tasks.failed.load(std::memory_order_relaxed);
}
