//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What several launches need as one.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/LaunchBatch.h"

#include <gtest/gtest.h>

using namespace fuser;

namespace {

const artifact::DeviceDescription device = artifact::lookupDevice("h200").take();
/// A grid that fills the device, with little work.
const KernelEstimate small{{1e6, 1e6, 0, 1e6}, {512, 528, 32, 0, 16}};

double predict(llvm::ArrayRef<KernelEstimate> launches) {
  BatchEstimate batch;
  for (const KernelEstimate &launch : launches)
    batch.add(launch);
  return batch.predict(device);
}

TEST(BatchEstimate, OfOneLaunch) {
  EXPECT_EQ(predict({small}), predictMicroseconds(small.work, small.use, device));
}

// A batch of equal launches takes as much longer as it has more work, of any kind.
TEST(BatchEstimate, TheWorkIsThatOfAll) {
  std::vector<KernelEstimate> heavy;
  for (double KernelWork::*amount : {&KernelWork::bytesRead, &KernelWork::bytesWritten,
                                     &KernelWork::bytesWasted, &KernelWork::operations}) {
    KernelEstimate launch = small;
    launch.work.*amount = 1e12;
    heavy.push_back(launch);
  }
  KernelEstimate again = small;
  again.use.bytesReadAgain = 1e12;
  heavy.push_back(again);
  for (const KernelEstimate &launch : heavy) {
    const double one = predict({launch});
    EXPECT_GT(one, 100 * predict({small}));
    EXPECT_NEAR(predict({launch, launch, launch}), 3 * one, 0.05 * one);
    // It is not the first one that decides.
    EXPECT_NEAR(predict({small, launch}), one, 0.05 * one);
  }
}

// The kernel that needs most decides how many blocks are resident, wherever it is.
TEST(BatchEstimate, TheBlocksNeedWhatTheLargestKernelNeeds) {
  KernelEstimate registers = small, shared = small, few = small;
  registers.use.registers = 128;
  shared.use.sharedBytes = 200 << 10;
  few.use.bytesInFlight = 1;
  for (const KernelEstimate &launch : {registers, shared, few}) {
    const double both = predict({launch, launch});
    EXPECT_GT(both, 1.2 * predict({small, small}));
    EXPECT_NEAR(predict({launch, small}), both, 0.05 * both);
    EXPECT_NEAR(predict({small, launch}), both, 0.05 * both);
  }
}

// Two grids that are too small fill more of the device; one of unknown size may fill it.
TEST(BatchEstimate, GridsAreSideBySide) {
  KernelEstimate half = small, unknown = small;
  half.use.blocks = 66;
  unknown.use.blocks = 0;
  EXPECT_NEAR(predict({half, half}), predict({half}), 0.05 * predict({half}));
  const double full = predict({small, small});
  for (const auto &launches : {std::vector{half, unknown}, std::vector{unknown, half}})
    EXPECT_NEAR(predict(launches), full, 0.05 * full);
}

} // namespace
