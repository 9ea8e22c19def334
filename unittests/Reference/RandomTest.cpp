//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random numbers: the generator's published answers (Random123, kat_vectors), and what the
// distributions look like.
//
//===----------------------------------------------------------------------===//

#include "Philox.h"
#include "ReferenceTest.h"

#include <algorithm>
#include <set>

using namespace fuser::reference;

namespace {

using Words = std::array<uint32_t, 4>;

TEST(PhiloxTest, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

class RandomTest : public ReferenceTest {
protected:
  std::vector<double> numbers(llvm::StringRef op, llvm::StringRef element, int64_t count,
                              int64_t seed, int64_t offset) {
    std::string result = "tensor<" + std::to_string(count) + "x" + element.str() + ">";
    auto outputs =
        runBody({"i64", "i64"}, ("%0 = fuser." + op + " %a, %b : " + result).str(), result,
                {Tensor::scalar(type("i64"), seed), Tensor::scalar(type("i64"), offset)});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0].floats() : std::vector<double>();
  }
};

/// Mean and mean square distance from it.
std::pair<double, double> moments(const std::vector<double> &values) {
  double mean = 0, square = 0;
  for (double value : values)
    mean += value / values.size();
  for (double value : values)
    square += (value - mean) * (value - mean) / values.size();
  return {mean, square};
}

// Bounds are four standard deviations of the estimate.
TEST_F(RandomTest, UniformIsUniform) {
  const int64_t count = 40000;
  for (const char *element : {"f32", "f64", "f16"}) {
    std::vector<double> values = numbers("random_uniform", element, count, 1234, 5);
    auto [mean, variance] = moments(values);
    const double rounding = element == std::string("f16") ? std::ldexp(1, -12) : 0;
    EXPECT_NEAR(mean, 0.5 - rounding, 4 * std::sqrt(1 / 12.0 / count)) << element;
    EXPECT_NEAR(variance, 1 / 12.0, 4 * std::sqrt(1 / 180.0 / count)) << element;
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1);
  }
}

// As dense as its precision is: of 8 bits every value comes out, and 1 does not.
TEST_F(RandomTest, RoundsDown) {
  std::vector<double> values = numbers("random_uniform", "bf16", 40000, 99, 0);
  std::set<double> found(values.begin(), values.end());
  EXPECT_EQ(found.size(), 256u);
  EXPECT_EQ(*found.begin(), 0);
  EXPECT_EQ(*found.rbegin(), 255.0 / 256);
}

TEST_F(RandomTest, NormalIsNormal) {
  const int64_t count = 40000;
  for (const char *element : {"f32", "f64"}) {
    std::vector<double> values = numbers("random_normal", element, count, -77, 3);
    auto [mean, variance] = moments(values);
    EXPECT_NEAR(mean, 0, 4 / std::sqrt(count)) << element;
    EXPECT_NEAR(variance, 1, 4 * std::sqrt(2.0 / count)) << element;
    double fourth = 0, neighbours = 0, within = 0;
    for (int64_t i = 0; i < count; ++i) {
      fourth += std::pow(values[i], 4) / count;
      neighbours += values[i] * values[(i + 1) % count] / count;
      within += (std::fabs(values[i]) < 1) / double(count);
    }
    EXPECT_NEAR(fourth, 3, 4 * std::sqrt(96.0 / count)) << element;
    EXPECT_NEAR(neighbours, 0, 4 / std::sqrt(count)) << element;
    EXPECT_NEAR(within, 0.6826895, 4 * std::sqrt(0.217 / count)) << element;
  }
}

TEST_F(RandomTest, SeedAndOffsetGiveOtherNumbers) {
  std::vector<double> numbersOfOne = numbers("random_uniform", "f32", 100, 1, 0);
  EXPECT_NE(numbersOfOne, numbers("random_uniform", "f32", 100, 2, 0));
  EXPECT_NE(numbersOfOne, numbers("random_uniform", "f32", 100, 1, 1));
  EXPECT_NE(numbersOfOne, numbers("random_uniform", "f32", 100, int64_t(1) << 32 | 1, 0));
  EXPECT_NE(numbersOfOne, numbers("random_uniform", "f32", 100, 1, int64_t(1) << 32));
  // A longer tensor begins with the same numbers.
  std::vector<double> longer = numbers("random_uniform", "f32", 250, 1, 0);
  EXPECT_EQ(numbersOfOne, std::vector<double>(longer.begin(), longer.begin() + 100));
}

} // namespace
