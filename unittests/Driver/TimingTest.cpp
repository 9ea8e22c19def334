//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the times of calls on a GPU need, on the host device.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {

TEST(Timing, TheCacheIsFlushedAgainAndAgain) {
  auto device = runtime::createHostDevice();
  ASSERT_TRUE(device.ok()) << device.error().str();
  auto flush = driver::makeCacheFlush(device.take());
  ASSERT_TRUE(flush.ok()) << flush.error().str();
  for (int i = 0; i < 2; ++i) {
    artifact::Status status = (*flush)();
    EXPECT_TRUE(status.ok()) << status.error().str();
  }
}

TEST(Timing, TheSpreadIsThatOfTheQuartiles) {
  // In order: 1, 2, 4, 8, 16, 32, 64, 128.
  driver::Statistics statistics = driver::summarize({8, 128, 2, 64, 1, 32, 4, 16});
  EXPECT_EQ(statistics.median, 16);
  EXPECT_EQ(statistics.spread, (64 - 4) / 16.0);
  EXPECT_EQ(driver::summarize({5}).spread, 0);
  EXPECT_EQ(driver::summarize({0, 0, 1}).spread, 0);
}

} // namespace
