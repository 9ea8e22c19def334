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

// Of threads, bandwidth and arithmetic, the one of which a launch occupies most.
TEST(LaunchStreams, TheLargestShareOfTheDeviceCounts) {
  const artifact::DeviceDescription device = artifact::lookupDevice("h200").take();
  const Roofs roofs = getRoofs(device);
  KernelEstimate launch;
  launch.microseconds = 100;
  launch.use.blocks = 1;
  EXPECT_LT(getDeviceShare(launch, device), 0.01);
  const double bytes = roofs.bytesPerSecond * 100e-6;
  for (double KernelWork::*kind :
       {&KernelWork::bytesRead, &KernelWork::bytesWritten, &KernelWork::bytesWasted}) {
    launch.work.*kind = 0.25 * bytes;
    EXPECT_NEAR(getDeviceShare(launch, device), 0.25, 0.001);
    launch.work.*kind = 0;
  }
  launch.work = {0.125 * bytes, 0.25 * bytes, 0.125 * bytes, 0};
  EXPECT_NEAR(getDeviceShare(launch, device), 0.5, 0.001);
  launch.work.operations = 0.75 * roofs.operationsPerSecond * 100e-6;
  EXPECT_NEAR(getDeviceShare(launch, device), 0.75, 0.001);
  const int64_t slots = device.multiprocessors * getResidentBlocks(launch.use, device);
  launch.use.blocks = slots * 7 / 8;
  EXPECT_NEAR(getDeviceShare(launch, device), 0.875, 0.001);
  launch.use.blocks = 10 * slots;
  EXPECT_EQ(getDeviceShare(launch, device), 1);
  // What is not known may fill it.
  launch.use.blocks = 0;
  EXPECT_EQ(getDeviceShare(launch, device), 1);
  launch.use.blocks = 1;
  launch.microseconds = 0;
  EXPECT_EQ(getDeviceShare(launch, device), 1);
}

} // namespace
