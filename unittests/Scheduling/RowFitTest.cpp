//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads and vectors that keep a row.
//
//===----------------------------------------------------------------------===//

#include "RowFit.h"
#include "ReductionLoops.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {

/// Threads x vectors of a thread.
std::string fit(int64_t row, int64_t vector, int64_t bytes, int64_t numRows) {
  RowElements elements{vector, bytes, bytes};
  elements.numRows = numRows;
  std::optional<RowFit> fit = fitBlock(row, elements, /*isOneLength=*/true);
  return fit ? llvm::formatv("{0}x{1}", fit->threads, fit->vectors).str() : "none";
}

/// Rows of so many vectors of 16 bytes, in bf16 and f32, and of half as long ones.
TEST(RowFit, ThreadsOfManyShortRows) {
  std::string table;
  for (int64_t vectors : {1,  2,  3,  4,  5,  6,  7,  9,  10, 11, 12, 13, 15, 16, 17,
                          20, 21, 24, 25, 28, 32, 33, 40, 48, 64, 80, 96, 97, 125})
    table += llvm::formatv(
        "{0} | {1} | {2} | {3}\n", vectors, fit(vectors * 8, 8, 2, kRowsToShareWarps),
        fit(vectors * 4, 4, 4, kRowsToShareWarps), fit(vectors * 4, 4, 2, kRowsToShareWarps));
  EXPECT_EQ(table, R"(1 | 1x1 | 1x1 | 1x1
2 | 2x1 | 2x1 | 2x1
3 | 4x1 | 4x1 | 4x1
4 | 4x1 | 4x1 | 4x1
5 | 2x3 | 2x3 | 4x2
6 | 2x3 | 2x3 | 8x1
7 | 8x1 | 8x1 | 8x1
9 | 4x3 | 4x3 | 8x2
10 | 4x3 | 4x3 | 8x2
11 | 4x3 | 4x3 | 16x1
12 | 4x3 | 4x3 | 16x1
13 | 16x1 | 16x1 | 16x1
15 | 16x1 | 16x1 | 16x1
16 | 16x1 | 16x1 | 16x1
17 | 4x5 | 4x5 | 8x3
20 | 4x5 | 4x5 | 8x3
21 | 8x3 | 8x3 | 8x3
24 | 8x3 | 8x3 | 8x3
25 | 16x2 | 16x2 | 16x2
28 | 16x2 | 16x2 | 16x2
32 | 16x2 | 16x2 | 16x2
33 | 8x5 | 8x5 | 8x5
40 | 8x5 | 8x5 | 8x5
48 | 16x3 | 16x3 | 16x3
64 | 16x4 | 16x4 | 16x4
80 | 16x5 | 16x5 | 16x5
96 | 16x6 | 16x6 | 16x6
97 | 32x4 | 32x4 | 32x4
125 | 32x4 | 32x4 | 32x4
)");
}

TEST(RowFit, FewRowsHaveAWarpEach) {
  for (int64_t vectors : {6, 10, 12, 20})
    EXPECT_EQ(fit(vectors * 8, 8, 2, kRowsToShareWarps - 1),
              llvm::formatv("{0}x1", llvm::PowerOf2Ceil(vectors)).str());
}

} // namespace
