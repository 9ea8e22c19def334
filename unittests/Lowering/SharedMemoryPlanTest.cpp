//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SharedMemoryPlan.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {
unsigned place(SharedMemoryPlan &plan, int64_t bytes, unsigned begin, unsigned end) {
  return plan.place(/*owner=*/nullptr, bytes, {begin, end});
}

int64_t getOffset(const SharedMemoryPlan &plan, unsigned region) {
  return plan.getRegions()[region].offset;
}

TEST(SharedMemoryPlan, BuffersThatLiveTogetherLieBehindEachOther) {
  SharedMemoryPlan plan;
  unsigned a = place(plan, 1000, 0, 4), b = place(plan, 2000, 4, 6);
  EXPECT_EQ(getOffset(plan, a), 0);
  EXPECT_EQ(getOffset(plan, b), 1008) << "the next multiple of 16";
  EXPECT_EQ(plan.getBytes(), 3008);
}

TEST(SharedMemoryPlan, BuffersThatDoNotShareSpace) {
  SharedMemoryPlan plan;
  place(plan, 1000, 0, 2);
  unsigned b = place(plan, 2000, 3, 6);
  EXPECT_EQ(getOffset(plan, b), 0);
  EXPECT_EQ(plan.getBytes(), 2000);
}

TEST(SharedMemoryPlan, AGapIsFilledWhereItIsWideEnough) {
  SharedMemoryPlan plan;
  unsigned first = place(plan, 1024, 0, 2);
  place(plan, 1024, 0, 9);
  unsigned small = place(plan, 1024, 3, 4), large = place(plan, 1040, 5, 6);
  EXPECT_EQ(getOffset(plan, small), getOffset(plan, first));
  EXPECT_EQ(getOffset(plan, large), 2048) << "the gap has 1024 bytes";
}

TEST(SharedMemoryPlan, WhatIsSmallHasItsOwnPlace) {
  SharedMemoryPlan plan;
  place(plan, 4096, 0, 1);
  unsigned b = place(plan, 512, 2, 3), c = place(plan, 4096, 4, 5);
  EXPECT_EQ(getOffset(plan, b), 4096);
  EXPECT_EQ(getOffset(plan, c), 0);
}
} // namespace
