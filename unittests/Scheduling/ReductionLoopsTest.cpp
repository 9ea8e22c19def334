//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads and vectors of rows, on both sides of each limit.
//
//===----------------------------------------------------------------------===//

#include "ReductionLoops.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {

/// Threads along a row of `vectors` x rows of a block: vectors of a thread at a time.
std::string fit(int64_t vectors, bool isNarrow, std::optional<int64_t> rows) {
  ReductionLoops loops;
  if (!fitShortRow(vectors, isNarrow ? 4 : 16, rows, loops))
    fitRow(vectors, isNarrow, rows, loops);
  return llvm::formatv("{0}x{1}: {2}", loops.threadsX, loops.threadsY, loops.unroll);
}

TEST(ReductionLoops, RowsOfAKnownNumber) {
  // Few rows of wide and of narrow vectors, many rows of both.
  std::string table;
  for (int64_t vectors :
       {1, 7, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257, 511, 1024, 1025, 5000}) {
    table += std::to_string(vectors);
    for (int64_t rows : {kRowsToShareWarps - 1, kRowsToShareWarps})
      for (bool isNarrow : {false, true})
        table += " | " + fit(vectors, isNarrow, rows);
    table += "\n";
  }
  EXPECT_EQ(table, R"(1 | 1x128: 1 | 1x128: 1 | 1x256: 1 | 1x256: 1
7 | 8x16: 1 | 8x16: 1 | 4x64: 2 | 1x256: 7
8 | 8x16: 1 | 8x16: 1 | 4x64: 2 | 1x256: 8
9 | 16x8: 1 | 16x8: 1 | 8x32: 2 | 2x128: 5
16 | 16x8: 1 | 16x8: 1 | 8x32: 2 | 2x128: 8
17 | 32x4: 1 | 32x4: 1 | 8x32: 3 | 4x64: 5
32 | 32x4: 1 | 32x4: 1 | 8x32: 4 | 4x64: 8
33 | 64x1: 1 | 64x1: 1 | 8x32: 5 | 8x32: 5
64 | 64x1: 1 | 64x1: 1 | 8x32: 8 | 8x32: 8
65 | 128x1: 1 | 128x1: 1 | 16x16: 5 | 16x16: 5
128 | 128x1: 1 | 128x1: 1 | 16x16: 8 | 16x16: 8
129 | 64x1: 3 | 64x1: 3 | 32x8: 5 | 32x8: 5
256 | 256x1: 1 | 256x1: 1 | 32x8: 8 | 32x8: 8
257 | 64x1: 5 | 64x1: 5 | 64x1: 5 | 32x8: 8
511 | 512x1: 1 | 256x1: 2 | 512x1: 1 | 32x8: 8
1024 | 512x1: 2 | 256x1: 4 | 512x1: 2 | 32x8: 8
1025 | 128x1: 3 | 128x1: 9 | 128x1: 3 | 128x1: 9
5000 | 512x1: 5 | 256x1: 10 | 512x1: 5 | 256x1: 10
)");
}

TEST(ReductionLoops, RowsOfAnUnknownNumberAreMany) {
  for (int64_t vectors : {8, 9, 64, 65, 256, 257, 1024, 1025})
    for (bool isNarrow : {false, true})
      EXPECT_EQ(fit(vectors, isNarrow, std::nullopt), fit(vectors, isNarrow, kRowsToShareWarps));
}

TEST(ReductionLoops, FewerThreadsThanTheLeastSaveVectors) {
  // Of 1 to 40 vectors, with at least 8, 16 and 32 threads.
  auto count = [](int64_t least) {
    std::string text;
    for (int64_t vectors = 1; vectors <= 40; ++vectors)
      text += (vectors > 1 ? " " : "") + std::to_string(getThreadsOfWarp(vectors, least));
    return text;
  };
  EXPECT_EQ(count(8), "8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 "
                      "8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8");
  EXPECT_EQ(count(16), "8 8 8 8 8 8 8 8 16 16 16 16 16 16 16 16 8 8 8 8 "
                       "8 8 8 8 16 16 16 16 16 16 16 16 8 8 8 8 8 8 8 8");
  EXPECT_EQ(count(32), "8 8 8 8 8 8 8 8 16 16 16 16 16 16 16 16 8 8 8 8 "
                       "8 8 8 8 32 32 32 32 32 32 32 32 8 8 8 8 8 8 8 8");
  EXPECT_EQ(getThreadsOfWarp(8 * kMostOfWarp), 8);
  EXPECT_EQ(getThreadsOfWarp(8 * kMostOfWarp + 1), 16);
  EXPECT_EQ(getThreadsOfWarp(16 * kMostOfWarp), 16);
  EXPECT_EQ(getThreadsOfWarp(16 * kMostOfWarp + 1), 32);
}

} // namespace
