//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Threads/BackgroundTask.h"
#include "fuser/Threads/ParallelFor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace fuser;

TEST(BackgroundTask, EndsBeforeItsObject) {
  std::atomic<bool> ended{false};
  std::thread::id runner;
  {
    BackgroundTask task;
    task.start([&] {
      runner = std::this_thread::get_id();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ended = true;
    });
  }
  EXPECT_TRUE(ended);
  EXPECT_NE(runner, std::this_thread::get_id());
}

TEST(BackgroundTask, RunsOnceForAllThatStartIt) {
  std::atomic<int> runs{0};
  {
    BackgroundTask task;
    EXPECT_TRUE(parallelFor(4, 20, [&](size_t) {
      task.start([&] { ++runs; });
      return true;
    }));
  }
  EXPECT_EQ(runs, 1);
}

TEST(BackgroundTask, NeedNotBeStarted) { BackgroundTask task; }
