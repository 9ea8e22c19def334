//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tuner.h"
#include "gtest/gtest.h"

using namespace fuser::driver;

namespace {
using Times = std::vector<std::vector<double>>;
} // namespace

TEST(TunerTest, TakesTheFastest) {
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10}, {8, 8, 8}, {7, 7, 7}, {9, 9, 9}}), 2u);
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10}, {11, 11, 11}}), 0u);
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10}}), 0u);
  EXPECT_EQ(chooseFastest(Times{}), 0u);
}

TEST(TunerTest, KeepsTheChoiceWithinTheSpread) {
  // Faster by 1, where the choice spreads by 2, or the other one does.
  EXPECT_EQ(chooseFastest(Times{{9, 10, 11, 12}, {10, 10, 10, 10}}), 0u);
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10, 10}, {8, 9, 10, 11}}), 0u);
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10, 10}, {9, 9, 9, 9}}), 1u);
  // A faster one that spreads does not hide a slower one that does not.
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10, 10}, {4, 8, 8, 12}, {9, 9, 9, 9}}), 2u);
}

TEST(TunerTest, KeepsTheChoiceForLessThanAPercent) {
  EXPECT_EQ(chooseFastest(Times{{100, 100, 100}, {99.5, 99.5, 99.5}}), 0u);
  EXPECT_EQ(chooseFastest(Times{{100, 100, 100}, {98.5, 98.5, 98.5}}), 1u);
}

TEST(TunerTest, IgnoresWhatWasNotMeasured) {
  EXPECT_EQ(chooseFastest(Times{{10, 10, 10}, {}, {1, 1}, {9, 9, 9}}), 3u);
  EXPECT_EQ(chooseFastest(Times{{}, {1, 1, 1}}), 0u);
}
