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

} // namespace
