//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the threads of a block combine: which of them shuffles serve, and the slots of the others.
//
//===----------------------------------------------------------------------===//

#include "BlockThreads.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {

constexpr ParallelType kX = ParallelType::ThreadX, kY = ParallelType::ThreadY,
                       kZ = ParallelType::ThreadZ;

void expectSlots(const BlockThreads::Slots &slots, int64_t ofWarps, int64_t ofThreads,
                 int64_t ofResults) {
  EXPECT_EQ(slots.ofWarps, ofWarps);
  EXPECT_EQ(slots.ofThreads, ofThreads);
  EXPECT_EQ(slots.ofResults, ofResults);
}

TEST(BlockThreadsTest, WarpsExchangeOneTupleEach) {
  // 256 threads of a row: eight warps.
  expectSlots(BlockThreads({256, 1, 1}).getSlots({kX}, 1), 8, 0, 0);
  // Rows of a warp need no exchange, nor do those of a part of one.
  expectSlots(BlockThreads({32, 8, 1}).getSlots({kX}, 1), 0, 0, 0);
  expectSlots(BlockThreads({8, 32, 1}).getSlots({kX}, 1), 0, 0, 0);
  // All threads: those of x and y are adjacent in warps.
  expectSlots(BlockThreads({8, 32, 1}).getSlots({kX, kY}, 1), 8, 0, 0);
  EXPECT_EQ(BlockThreads({8, 32, 2}).getWarpTypes({kX, kY, kZ}).size(), 3u);
}

TEST(BlockThreadsTest, ShufflesCombineRowsOfAWarpFirst) {
  // 32 rows of 8 columns: a warp has four rows, so that eight slots of each column remain.
  const BlockThreads threads({8, 32, 1});
  EXPECT_EQ(threads.getWarpPart(kY).distance, 8);
  EXPECT_EQ(threads.getWarpPart(kY).count, 4);
  expectSlots(threads.getSlots({kY}, 1), 0, 64, 0);
  // Long tuples are spread over the threads, and have results.
  expectSlots(threads.getSlots({kY}, 8), 0, 64, 8);
  // Columns of 12 threads are in different lanes of the warps.
  EXPECT_EQ(BlockThreads({12, 32, 1}).getWarpPart(kY).count, 1);
  expectSlots(BlockThreads({12, 32, 1}).getSlots({kY}, 1), 0, 384, 0);
}

TEST(BlockThreadsTest, NoThreadsNeedNoSlots) {
  expectSlots(BlockThreads({1, 1, 1}).getSlots({}, 4), 0, 0, 0);
  expectSlots(BlockThreads({33, 1, 1}).getSlots({kX}, 1), 0, 33, 0);
}

} // namespace
