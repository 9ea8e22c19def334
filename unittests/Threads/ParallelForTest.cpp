//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Threads/ParallelFor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

using namespace fuser;

TEST(ParallelFor, RunsEveryTaskOnce) {
  for (unsigned threads : {0u, 1u, 2u, 7u})
    for (size_t count : {0u, 1u, 2u, 100u}) {
      std::vector<int> runs(count);
      EXPECT_TRUE(parallelFor(threads, count, [&](size_t number) { return ++runs[number] == 1; }));
      EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), std::ptrdiff_t(count));
    }
}

/// Tasks that wait for each other end only if each has a thread of its own.
TEST(ParallelFor, UsesAsManyThreadsAsAsked) {
  std::mutex mutex;
  std::condition_variable arrived;
  size_t waiting = 0;
  std::set<std::thread::id> used;
  EXPECT_TRUE(parallelFor(3, 3, [&](size_t) {
    std::unique_lock<std::mutex> lock(mutex);
    used.insert(std::this_thread::get_id());
    ++waiting;
    arrived.notify_all();
    return arrived.wait_for(lock, std::chrono::seconds(20), [&] { return waiting == 3; });
  }));
  EXPECT_EQ(used.size(), 3u);
  EXPECT_EQ(used.count(std::this_thread::get_id()), 1u);
}

TEST(ParallelFor, OneThreadIsTheCaller) {
  EXPECT_TRUE(parallelFor(1, 5, [caller = std::this_thread::get_id()](size_t) {
    return std::this_thread::get_id() == caller;
  }));
}

TEST(ParallelFor, AllTasksBeforeAFailureHaveRun) {
  constexpr size_t kCount = 200, kFailing = 60;
  for (unsigned threads : {1u, 2u, 8u}) {
    std::mutex mutex;
    std::set<size_t> ran;
    EXPECT_FALSE(parallelFor(threads, kCount, [&](size_t number) {
      std::this_thread::yield();
      std::lock_guard<std::mutex> lock(mutex);
      ran.insert(number);
      return number < kFailing;
    }));
    for (size_t number = 0; number <= kFailing; ++number)
      EXPECT_EQ(ran.count(number), 1u) << number;
    // At most one more task for each thread is under way when the first one fails.
    EXPECT_LE(ran.size(), kFailing + threads);
  }
}

// The helpers end later than the caller here.
TEST(ParallelFor, EndsAfterAllTasks) {
  std::atomic<unsigned> done{0};
  EXPECT_TRUE(parallelFor(4, 4, [&, caller = std::this_thread::get_id()](size_t) {
    if (std::this_thread::get_id() != caller)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ++done;
    return true;
  }));
  EXPECT_EQ(done, 4u);
}

// Whatever the limit of the process is: code generation recurses.
TEST(ParallelFor, HelpersHaveTheStackOfAMainThread) {
  pthread_attr_t original, small;
  ASSERT_EQ(pthread_getattr_default_np(&original), 0);
  ASSERT_EQ(pthread_attr_init(&small), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&small, size_t(1) << 20), 0);
  ASSERT_EQ(pthread_setattr_default_np(&small), 0);
  std::atomic<unsigned> waiting{0};
  EXPECT_TRUE(parallelFor(2, 2, [&, caller = std::this_thread::get_id()](size_t) {
    // Each of the two threads has one of the tasks.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (++waiting; waiting < 2 && std::chrono::steady_clock::now() < end;)
      std::this_thread::yield();
    if (std::this_thread::get_id() == caller)
      return true;
    pthread_attr_t attributes;
    size_t bytes = 0;
    EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
    EXPECT_EQ(pthread_attr_getstacksize(&attributes, &bytes), 0);
    pthread_attr_destroy(&attributes);
    return bytes == size_t(8) << 20;
  }));
  EXPECT_EQ(pthread_setattr_default_np(&original), 0);
}

TEST(ParallelFor, NumberOfThreads) {
  EXPECT_EQ(getNumThreads(4, 0), 1u);
  EXPECT_EQ(getNumThreads(4, 3), 3u);
  EXPECT_EQ(getNumThreads(4, 100), 4u);
  EXPECT_EQ(getNumThreads(1, 100), 1u);
}

/// A process that may use some of the processors only has as many threads.
TEST(ParallelFor, AsManyThreadsAsProcessors) {
  cpu_set_t allowed = {};
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  cpu_set_t some = {};
  unsigned number = 0;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed))
      continue;
    CPU_SET(processor, &some);
    ++number;
    std::thread([&] {
      ASSERT_EQ(sched_setaffinity(0, sizeof(some), &some), 0);
      EXPECT_EQ(getNumThreads(0, 10000), number);
      EXPECT_EQ(getNumThreads(number + 1, 10000), number + 1);
    }).join();
  }
}
