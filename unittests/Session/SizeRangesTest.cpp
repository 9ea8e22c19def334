//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sizes that an executable is to accept, by those that earlier ones accept.
//
//===----------------------------------------------------------------------===//

#include "fuser/Session/Specializations.h"

#include <gtest/gtest.h>

#include <vector>

using namespace fuser::session;

namespace {

struct Case {
  int64_t size;
  std::vector<SizeBounds> refused;
  int64_t least, most;
};

void check(const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    SizeBounds range = chooseRange(each.size, {each.refused.data(), each.refused.size()});
    EXPECT_EQ(std::pair(range.least, range.most), std::pair(each.least, each.most)) << each.size;
    EXPECT_TRUE(range.contains(each.size));
  }
}

TEST(SizeRanges, SingleSizesBecomeAFactorOfFour) {
  check({
      // Towards the other size.
      {1000, {{4096, 4096}}, 512, 2048},
      {4096, {{1000, 1000}}, 1024, 4096},
      {4097, {{1000, 1000}}, 2048, 8192},
      {4096, {{1000, 1000}, {16384, 16384}}, 4096, 16384},
      {4096, {{1024, 1024}, {16384, 16384}}, 4096, 16384},
      // Beyond it, where it is near.
      {100, {{70, 70}}, 64, 256},
      {100, {{200, 200}}, 64, 256},
      {1000, {{999, 999}}, 512, 2048},
      {999, {{1000, 1000}}, 256, 1024},
      {1024, {{1023, 1023}}, 512, 2048},
  });
}

TEST(SizeRanges, RangesBecomeAFactorOfThirtyTwo) {
  check({
      {1000, {{1024, 2048}}, 128, 4096},
      {1000, {{4096, 8192}}, 128, 4096},
      {5000, {{1024, 2048}}, 512, 16384},
      {2000, {{2, 128}}, 64, 2048},
      {100000, {{2, 128}, {512, 2048}}, 4096, 131072},
      {1000, {{4096, 4096}, {2, 128}}, 128, 4096},
  });
}

TEST(SizeRanges, ShortRowsHaveOneRange) {
  check({
      {2, {{1000000, 1000000}}, 2, 128},
      {3, {{7, 7}}, 2, 128},
      {60, {{100, 100}}, 2, 128},
      {32, {{33, 33}}, 2, 128},
      {65, {{64, 64}}, 64, 256},
      {3, {{256, 1024}}, 2, 128},
      {5, {{256, 1024}}, 2, 128},
  });
}

TEST(SizeRanges, RangesContainTheirEnds) {
  SizeBounds bounds{4, 8};
  EXPECT_FALSE(bounds.contains(3));
  EXPECT_TRUE(bounds.contains(4) && bounds.contains(8));
  EXPECT_FALSE(bounds.contains(9));
  EXPECT_TRUE(bounds.isRange());
  EXPECT_FALSE(SizeBounds().isRange());
  EXPECT_FALSE((SizeBounds{1, 8}).isRange());
  EXPECT_TRUE((SizeBounds{2, 8}).isRange());
  EXPECT_FALSE((SizeBounds{2, INT64_MAX}).isRange());
}

} // namespace
