//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arithmetic of divideByCounts (ExpandDivisions.h): what it makes of kernel IR is tested in
// test/Lowering/shared-divisors.mlir.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

/// From an approximation of 1 / count.
double getReciprocal(float count, float first) {
  if (count == 0)
    return first;
  const double rest = std::fma(-double(count), double(first), 1.0);
  return std::fma(double(first), std::fma(rest, rest, rest), double(first));
}

float divide(float x, double reciprocal) { return float(double(x) * reciprocal); }

/// Approximations that the hardware may give: off by one unit in the last place.
std::vector<double> getReciprocals(float count) {
  const float exact = 1 / count;
  return {getReciprocal(count, exact), getReciprocal(count, std::nextafter(exact, 0.0f)),
          getReciprocal(count, std::nextafter(exact, 2.0f))};
}

TEST(CountDivision, IsExactForAllSignificands) {
  for (float count : {3.0f, 49.0f, 8191.0f, 50304.0f, 14854627.0f, 2147483520.0f})
    for (double reciprocal : getReciprocals(count)) {
      bool isExact = true;
      for (uint32_t x = 1u << 23; x < 1u << 24; ++x)
        isExact &= divide(float(x), reciprocal) == float(x) / count;
      EXPECT_TRUE(isExact) << count;
    }
}

// Dividends next to the product of a count and the middle between two quotients.
TEST(CountDivision, IsExactNextToMiddles) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    const float count = float((1u << 23) + (random() >> 9));
    const uint64_t middle = (uint64_t(random()) >> 7) | (1u << 24) | 1;
    const uint64_t product = middle * uint64_t(count);
    const float near = float(product);
    for (double reciprocal : getReciprocals(count))
      for (float x : {near, std::nextafter(near, 0.0f), std::nextafter(near, INFINITY)})
        ASSERT_EQ(divide(x, reciprocal), x / count) << x << " / " << count;
  }
}

TEST(CountDivision, KeepsSpecialQuotients) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float x : {0.0f, -0.0f, infinity, -infinity, 1.0f, -1.0f}) {
    EXPECT_EQ(divide(x, getReciprocal(7, 1 / 7.0f)), x / 7.0f);
    EXPECT_EQ(std::signbit(divide(x, getReciprocal(7, 1 / 7.0f))), std::signbit(x / 7.0f));
    if (x != 0)
      EXPECT_EQ(divide(x, getReciprocal(0, infinity)), x / 0.0f);
  }
  EXPECT_TRUE(std::isnan(divide(0, getReciprocal(0, infinity))));
}

} // namespace
