//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The distribution and the determinism of random inputs.
//
//===----------------------------------------------------------------------===//

#include "Random.h"
#include "gtest/gtest.h"

using fuser::driver::RandomSource;

namespace {

TEST(RandomSource, NormalHasMeanZeroVarianceOneAndNoZeros) {
  RandomSource random(1, 0);
  double sum = 0, squares = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    double value = random.normal(i);
    ASSERT_NE(value, 0);
    ASSERT_LT(value * value, 3.5 * 3.5);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.01);
}

TEST(RandomSource, DependsOnSeedStreamAndIndexOnly) {
  EXPECT_EQ(RandomSource(0, 0).bits(0), RandomSource(0, 0).bits(0));
  EXPECT_NE(RandomSource(0, 0).bits(0), RandomSource(1, 0).bits(0));
  EXPECT_NE(RandomSource(0, 0).bits(0), RandomSource(0, 1).bits(0));
  EXPECT_NE(RandomSource(0, 0).bits(0), RandomSource(0, 0).bits(1));
}

TEST(RandomSource, IntegersFillTheirRange) {
  RandomSource random(5, 2);
  bool seen[4] = {};
  for (int i = 0; i < 1000; ++i) {
    int64_t value = random.integer(i, -2, 2);
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 2);
    seen[value + 2] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2] && seen[3]);
}

} // namespace
