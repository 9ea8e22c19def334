//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// S2.4: predictions of launches on several streams.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/LaunchStreams.h"

#include <gtest/gtest.h>

using namespace fuser;

namespace {

/// Two chains of `length` tasks each, and a task that joins them.
llvm::SmallVector<StreamTask> makeChains(unsigned length, double microseconds, double share) {
  llvm::SmallVector<StreamTask> tasks;
  for (unsigned number = 0; number < 2 * length; ++number) {
    tasks.push_back({microseconds, share, {}});
    if (number % length > 0)
      tasks.back().predecessors.push_back(number - 1);
  }
  tasks.push_back({microseconds, share, {length - 1, 2 * length - 1}});
  return tasks;
}

// Measured on one NVIDIA H200: 18.6 to 19.8 in order, 17.9 on two streams.
TEST(LaunchStreams, ChainsOfShortKernelsTakeTheMeasuredTimes) {
  llvm::SmallVector<StreamTask> tasks = makeChains(4, 1.95, 0.01);
  tasks.back().microseconds = 1.6;
  StreamPlan plan = planStreams(tasks);
  EXPECT_NEAR(plan.apart, 19.2, 0.6);
  EXPECT_NEAR(plan.together, 17.9, 0.4);
  for (unsigned number = 0; number < 8; ++number)
    EXPECT_EQ(plan.slots[number].stream, number / 4) << number;
}

// Three events are more than what two short chains save.
TEST(LaunchStreams, ShortChainsSaveNothing) {
  StreamPlan plan = planStreams(makeChains(2, 1.95, 0.01));
  EXPECT_GT(plan.together, plan.apart);
}

TEST(LaunchStreams, KernelsThatFillTheDeviceSaveNothing) {
  StreamPlan plan = planStreams(makeChains(4, 50, 1));
  EXPECT_GT(plan.together, plan.apart);
}

// Long kernels of a few blocks overlap.
TEST(LaunchStreams, LongKernelsOfFewBlocksOverlap) {
  StreamPlan plan = planStreams(makeChains(4, 50, 0.1));
  EXPECT_LT(plan.together, 0.6 * plan.apart);
}

} // namespace
