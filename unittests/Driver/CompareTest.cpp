//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Results that compare as equal to the reference, and results that do not.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Compare.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <limits>

using namespace fuser::driver;
using fuser::reference::Tensor;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class CompareTest : public testing::Test {
protected:
  Comparison compareFloats(std::vector<double> actual, std::vector<double> expected,
                           Tolerance tolerance) {
    mlir::Type type = mlir::Builder(&context).getF32Type();
    int64_t size = actual.size();
    return compare(Tensor(type, {size}, std::move(actual)),
                   Tensor(type, {size}, std::move(expected)), tolerance);
  }

  mlir::MLIRContext context;
  Tolerance loose{1e-2, 0, 1};
};

TEST_F(CompareTest, MeasuresTheLargestErrors) {
  Comparison result = compareFloats({1.005, 200, 3}, {1, 201, 3}, loose);
  EXPECT_TRUE(result.passed);
  EXPECT_DOUBLE_EQ(result.maxAbsolute, 1);
  EXPECT_NEAR(result.maxRelative, 0.005, 1e-12);
  EXPECT_EQ(result.worst, 1);
}

TEST_F(CompareTest, FindsTheFirstWrongElement) {
  Comparison result = compareFloats({1, 2.1, 9}, {1, 2, 3}, loose);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.numWrong, 2);
  EXPECT_EQ(result.worst, 1);
}

TEST_F(CompareTest, NaNAndInfinityMustStandInTheSamePlaces) {
  EXPECT_TRUE(compareFloats({kNaN, kInf, -kInf}, {kNaN, kInf, -kInf}, loose).passed);
  EXPECT_EQ(compareFloats({1, kNaN, kInf, 1}, {kNaN, 1, -kInf, kInf}, loose).numWrong, 4);
}

TEST_F(CompareTest, TheNormCatchesWhatIsSmallEverywhere) {
  Tolerance tolerance{1e-2, 0, 1e-3};
  Comparison result = compareFloats({1.005, 1.005}, {1, 1}, tolerance);
  EXPECT_EQ(result.numWrong, 0);
  EXPECT_NEAR(result.norm, 0.005, 1e-12);
  EXPECT_FALSE(result.passed);
}

TEST_F(CompareTest, TheAbsoluteToleranceGrowsWithTheValues) {
  // Next to values of 1e6, an error of 1 at 0 is rounding; next to 1 it is not.
  Tolerance tolerance{0, 1e-5, 1};
  EXPECT_TRUE(compareFloats({1, 1e6}, {0, 1e6}, tolerance).passed);
  EXPECT_FALSE(compareFloats({1, 1}, {0, 1}, tolerance).passed);
}

TEST_F(CompareTest, IntegersAreExact) {
  mlir::Type type = mlir::Builder(&context).getI64Type();
  const int64_t large = int64_t(1) << 60;
  Tensor expected(type, {2}, std::vector<int64_t>{large, -1});
  EXPECT_TRUE(compare(expected, expected, getDefaultTolerance(type)).passed);
  // A double cannot tell these apart.
  Comparison result = compare(Tensor(type, {2}, std::vector<int64_t>{large + 1, -1}), expected,
                              getDefaultTolerance(type));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.numWrong, 1);
}

TEST_F(CompareTest, EmptyTensorsAreEqual) { EXPECT_TRUE(compareFloats({}, {}, loose).passed); }

TEST_F(CompareTest, HalfTypesMayDifferByOneUnitInTheLastPlace) {
  mlir::Type type = mlir::Builder(&context).getBF16Type();
  std::vector<double> many(1000, 1.5);
  Tensor expected(type, {1000}, many);
  many[17] += 0x1p-7;
  EXPECT_TRUE(compare(Tensor(type, {1000}, many), expected, getDefaultTolerance(type)).passed);
  many[17] += 0x1p-7;
  EXPECT_FALSE(compare(Tensor(type, {1000}, many), expected, getDefaultTolerance(type)).passed);
}

} // namespace
