//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConstantDivision.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace fuser;

/// What the kernel computes.
static float divide(float x, SplitReciprocal reciprocal) {
  return reciprocal.low == 0 ? x * reciprocal.high
                             : std::fma(x, reciprocal.high, x * reciprocal.low);
}

/// True if all significands have the quotients of the division.
static bool isExact(float divisor, SplitReciprocal reciprocal) {
  for (uint32_t x = 1u << 23; x < 1u << 24; ++x)
    if (divide(float(x), reciprocal) != float(x) / divisor)
      return false;
  return true;
}

TEST(ConstantDivision, IsExactForAllSignificands) {
  for (float divisor : {30.0f, 0.8f, 255.0f, -3.0f, 5.545177f}) {
    std::optional<SplitReciprocal> reciprocal = splitReciprocal(divisor);
    ASSERT_TRUE(reciprocal) << divisor;
    EXPECT_TRUE(isExact(divisor, *reciprocal)) << divisor;
  }
}

// Divisors for which the sum rounds a quotient to the wrong side, found by trying all significands.
TEST(ConstantDivision, RefusesDivisorsWithWrongQuotients) {
  for (float divisor : {13196543.0f, 14854627.0f, 14467635.0f, 10330903.0f})
    EXPECT_FALSE(splitReciprocal(divisor)) << divisor;
}

TEST(ConstantDivision, AcceptsMostDivisors) {
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 1000; ++i)
    accepted += splitReciprocal(float((1u << 23) + (random() >> 9))).has_value();
  EXPECT_GT(accepted, 900);
}

TEST(ConstantDivision, KeepsSpecialQuotients) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float most = std::numeric_limits<float>::max();
  for (float divisor : {30.0f, -0.8f, 7.0f, -4.0f}) {
    const SplitReciprocal reciprocal = *splitReciprocal(divisor);
    for (float x : {0.0f, -0.0f, infinity, -infinity, most, -most}) {
      EXPECT_EQ(divide(x, reciprocal), x / divisor) << x << " / " << divisor;
      EXPECT_EQ(std::signbit(divide(x, reciprocal)), std::signbit(x / divisor))
          << x << " / " << divisor;
    }
    EXPECT_TRUE(std::isnan(divide(std::nanf(""), reciprocal)));
  }
}

// The product with the low part is subnormal below 2^-78.
TEST(ConstantDivision, IsExactDownToSmallQuotients) {
  std::mt19937 random(2);
  const SplitReciprocal reciprocal = *splitReciprocal(30.0f);
  for (int i = 0; i < 1000000; ++i) {
    const float x = std::ldexp(float((1u << 23) + (random() >> 9)), -95);
    ASSERT_EQ(divide(x, reciprocal), x / 30.0f) << x;
    const float tiny = std::ldexp(x, -75);
    ASSERT_NEAR(divide(tiny, reciprocal), tiny / 30.0f, 0x1p-149f) << tiny;
  }
}

TEST(ConstantDivision, TakesPowersOfTwoAsProducts) {
  for (float divisor : {1.0f, -2.0f, 0.25f, 0x1p40f}) {
    const SplitReciprocal reciprocal = *splitReciprocal(divisor);
    EXPECT_EQ(reciprocal.low, 0.0f);
    EXPECT_EQ(reciprocal.high, 1.0f / divisor);
  }
}

TEST(ConstantDivision, RefusesDivisorsWithoutNormalReciprocals) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float divisor : {0.0f, -0.0f, infinity, std::nanf(""), 0x1p-140f, 3e37f})
    EXPECT_FALSE(splitReciprocal(divisor)) << divisor;
}
