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
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
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

/// All that is measured.
static std::string describeComparison(const Comparison &comparison) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << (comparison.passed ? "passed" : "failed")
      << llvm::format(", %d of %d wrong, %g absolute, %g relative, norm %g", //
                      int(comparison.numWrong), int(comparison.numElements), comparison.maxAbsolute,
                      comparison.maxRelative, comparison.norm);
  if (comparison.worst)
    out << ", worst " << *comparison.worst;
  return text;
}

TEST_F(CompareTest, AllMeasures) {
  struct Case {
    std::vector<double> actual, expected;
    Tolerance tolerance;
    const char *text;
  };
  for (const auto &[actual, expected, tolerance, text] : std::initializer_list<Case>{
           {{3, 4}, {3, 4}, {}, "passed, 0 of 2 wrong, 0 absolute, 0 relative, norm 0"},
           // Both sides of each limit: of an element, and of the norm.
           {{3, 4.5},
            {3, 4},
            {0.125, 0, 0.1},
            "passed, 0 of 2 wrong, 0.5 absolute, 0.125 relative, norm 0.1, worst 1"},
           {{3, 4.5},
            {3, 4},
            {0.125, 0, 0.09},
            "failed, 0 of 2 wrong, 0.5 absolute, 0.125 relative, norm 0.1, worst 1"},
           {{3, 4.5},
            {3, 4},
            {0.124, 0, 0.1},
            "failed, 1 of 2 wrong, 0.5 absolute, 0.125 relative, norm 0.1, worst 1"},
           // The first of the largest differences, or the first element that is wrong.
           {{-2, 4, 2, 1},
            {-1, 2, 4, 1},
            {1, 0, 1},
            "passed, 0 of 4 wrong, 2 absolute, 1 relative, norm 0.639602, worst 1"},
           {{-2, 4, 2, 1},
            {-1, 2, 4, 1},
            {0.5, 0, 1},
            "failed, 2 of 4 wrong, 2 absolute, 1 relative, norm 0.639602, worst 0"},
           {{-2, 6, 4, 1},
            {-1, 4, 8, 1},
            {0.5, 0, 1},
            "failed, 1 of 4 wrong, 4 absolute, 1 relative, norm 0.506061, worst 0"},
           // Absolute tolerance: of values below 1 as it is, of larger ones times their root of the
           // mean square. No value is relative to 0, nor the norm.
           {{0.5, 0},
            {0, 0},
            {0, 0.5, 0.5},
            "passed, 0 of 2 wrong, 0.5 absolute, 0 relative, norm 0.5, worst 0"},
           {{0.5, 0},
            {0, 0},
            {0, 0.4, 0.5},
            "failed, 1 of 2 wrong, 0.5 absolute, 0 relative, norm 0.5, worst 0"},
           {{0.5},
            {0.25},
            {1, 0, 1},
            "passed, 0 of 1 wrong, 0.25 absolute, 1 relative, norm 1, worst 0"},
           {{5, 5, 6, 4},
            {5, 5, 5, 5},
            {0, 0.2, 1},
            "passed, 0 of 4 wrong, 1 absolute, 0.2 relative, norm 0.141421, worst 2"},
           {{5, 5, 7, 4},
            {5, 5, 5, 5},
            {0, 0.2, 1},
            "failed, 1 of 4 wrong, 2 absolute, 0.4 relative, norm 0.223607, worst 2"},
           // Only finite values count in what is measured.
           {{kInf, 2, kNaN, kInf},
            {kInf, 1, 1, -kInf},
            {1, 0, 1},
            "failed, 2 of 4 wrong, 1 absolute, 1 relative, norm 0.707107, worst 2"},
           {{1, kInf},
            {kNaN, kInf},
            {1, 0, 1},
            "failed, 1 of 2 wrong, 0 absolute, 0 relative, norm 0, worst 0"}})
    EXPECT_EQ(describeComparison(compareFloats(actual, expected, tolerance)), text);
}

TEST_F(CompareTest, AllMeasuresOfOtherTypes) {
  mlir::Type integer = mlir::Builder(&context).getI32Type();
  auto compareIntegers = [&](std::vector<int64_t> actual, std::vector<int64_t> expected) {
    const int64_t size = actual.size();
    return describeComparison(compare(Tensor(integer, {size}, std::move(actual)),
                                      Tensor(integer, {size}, std::move(expected)), {9, 9, 9}));
  };
  EXPECT_EQ(compareIntegers({1, 2}, {1, 2}),
            "passed, 0 of 2 wrong, 0 absolute, 0 relative, norm 0");
  EXPECT_EQ(compareIntegers({1, 2, 9, 3}, {1, 3, 4, 3}),
            "failed, 2 of 4 wrong, 5 absolute, 0 relative, norm 0, worst 1");
  EXPECT_EQ(compareIntegers({-9, 2}, {4, 3}),
            "failed, 2 of 2 wrong, 13 absolute, 0 relative, norm 0, worst 0");

  using Complex = std::complex<double>;
  mlir::Type complex = mlir::ComplexType::get(mlir::Builder(&context).getF32Type());
  auto compareComplex = [&](Complex actual, Complex expected) {
    return describeComparison(compare(Tensor(complex, {1}, std::vector{actual}),
                                      Tensor(complex, {1}, std::vector{expected}), {1, 0, 1}));
  };
  EXPECT_EQ(compareComplex({6, 0}, {3, 4}),
            "passed, 0 of 1 wrong, 5 absolute, 1 relative, norm 1, worst 0");
  EXPECT_EQ(compareComplex({6, -1}, {3, 4}),
            "failed, 1 of 1 wrong, 5.83095 absolute, 1.16619 relative, norm 1.16619, worst 0");
  EXPECT_EQ(compareComplex({1, kNaN}, {1, kNaN}),
            "passed, 0 of 1 wrong, 0 absolute, 0 relative, norm 0");
  for (auto [actual, expected] :
       std::initializer_list<std::pair<Complex, Complex>>{{{1, kInf}, {1, -kInf}},
                                                          {{1, kInf}, {2, kInf}},
                                                          {{1, 1}, {kNaN, 1}},
                                                          {{kNaN, 1}, {1, 1}},
                                                          {{kInf, 1}, {kNaN, kInf}},
                                                          {{1, 1}, {1, kInf}}})
    EXPECT_EQ(compareComplex(actual, expected),
              "failed, 1 of 1 wrong, 0 absolute, 0 relative, norm 0, worst 0");
}

TEST_F(CompareTest, DefaultTolerances) {
  mlir::Builder b(&context);
  auto print = [](mlir::Type type) {
    Tolerance tolerance = getDefaultTolerance(type);
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::format("%.4g %.4g %.4g", tolerance.relative, tolerance.absolute, tolerance.norm);
    return text;
  };
  EXPECT_EQ(print(b.getF64Type()), "1e-11 1e-11 1e-11");
  EXPECT_EQ(print(b.getF32Type()), "0.0001 1e-05 1e-05");
  EXPECT_EQ(print(b.getF16Type()), "0.0009863 1e-05 0.0004883");
  EXPECT_EQ(print(b.getBF16Type()), "0.007891 1e-05 0.003906");
  EXPECT_EQ(print(b.getType<mlir::Float8E5M2Type>()), "0.2525 1e-05 0.125");
  EXPECT_EQ(print(mlir::ComplexType::get(b.getF32Type())), "0.0001 1e-05 1e-05");
  EXPECT_EQ(print(b.getI64Type()), "0 0 0");
  EXPECT_EQ(print(b.getI1Type()), "0 0 0");
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
