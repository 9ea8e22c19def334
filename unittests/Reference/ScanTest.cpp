//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

#include <cmath>
#include <limits>

using namespace fuser::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ScanTest : public ReferenceTest {
protected:
  Tensor scan(llvm::StringRef op, int64_t dim, Tensor input, llvm::StringRef result,
              llvm::StringRef order = "") {
    std::string shape;
    for (int64_t size : input.getShape())
      shape += std::to_string(size) + "x";
    std::string from, to = "tensor<" + shape + result.str() + ">";
    llvm::raw_string_ostream(from) << "tensor<" << shape << input.getElementType() << ">";
    auto outputs = runBody({from},
                           "%0 = fuser." + op.str() + " %a dim " + std::to_string(dim) +
                               order.str() + " : " + from + " -> " + to,
                           to, {input});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0] : input;
  }
};

TEST_F(ScanTest, SumsAlongEachDimension) {
  Tensor x = floats("f32", {2, 3}, {1, 2, 3, 10, 20, 30});
  expectValues(scan("cumsum", 1, x, "f32").floats(), {1, 3, 6, 10, 30, 60});
  expectValues(scan("cumsum", 0, x, "f32").floats(), {1, 2, 3, 11, 22, 33});
  expectValues(scan("cumprod", 1, x, "f32").floats(), {1, 2, 6, 10, 200, 6000});
}

TEST_F(ScanTest, BeginsAtTheLastIndex) {
  Tensor x = floats("f32", {2, 3}, {1, 2, 3, 10, 20, 30});
  expectValues(scan("cumsum", 1, x, "f32", " reverse").floats(), {6, 5, 3, 60, 50, 30});
  expectValues(scan("cumsum", 0, x, "f32", " reverse").floats(), {11, 22, 33, 10, 20, 30});
}

TEST_F(ScanTest, ExcludesOwnElements) {
  Tensor x = floats("f32", {2, 3}, {1, 2, 3, 10, 20, 30});
  expectValues(scan("cumprod", 1, x, "f32", " exclusive").floats(), {1, 1, 2, 1, 10, 200});
  expectValues(scan("cumsum", 1, x, "f32", " reverse exclusive").floats(), {5, 3, 0, 50, 30, 0});
  expectValues(scan("cummax", 0, integers("i8", {2}, {5, 9}), "i8", " exclusive").integers(),
               {-128, 5});
  expectValues(scan("cummin", 0, x, "f32", " exclusive").floats(),
               {kInfinity, kInfinity, kInfinity, 1, 2, 3});
}

TEST_F(ScanTest, AddsExponentials) {
  Tensor x = floats("f32", {4}, {-kInfinity, 0, 0, kInfinity});
  expectValues(scan("logcumsumexp", 0, x, "f32").floats(),
               {-kInfinity, 0, std::log1p(1.0), kInfinity});
}

TEST_F(ScanTest, RoundsEachElementOnce) {
  // 256 + 1 is not representable in bf16, so that the carried value is not rounded.
  Tensor x = floats("bf16", {4}, {256, 1, 1, 1});
  expectValues(scan("cumsum", 0, x, "bf16").floats(), {256, 256, 258, 260});
}

TEST_F(ScanTest, IntegersWrapAndBoolsCount) {
  Tensor x = integers("i8", {3}, {100, 100, 100});
  expectValues(scan("cumsum", 0, x, "i8").integers(), {100, -56, 44});
  expectValues(scan("cumprod", 0, x, "i8").integers(), {100, 16, 64});
  Tensor flags = integers("i1", {4}, {1, 0, 1, 1});
  expectValues(scan("cumsum", 0, flags, "i64").integers(), {1, 1, 2, 3});
}

TEST_F(ScanTest, NaNStaysInExtremes) {
  Tensor x = floats("f32", {5}, {1, 3, 2, kNaN, 7});
  expectValues(scan("cummax", 0, x, "f32").floats(), {1, 3, 3, kNaN, kNaN});
  expectValues(scan("cummin", 0, x, "f32").floats(), {1, 1, 1, kNaN, kNaN});
  Tensor zeros = floats("f32", {3}, {-0.0, 0.0, -0.0});
  expectValues(scan("cummax", 0, zeros, "f32").floats(), {-0.0, 0.0, 0.0});
  Tensor flags = integers("i1", {3}, {0, 1, 0});
  expectValues(scan("cummax", 0, flags, "i1").integers(), {0, 1, 1});
}

TEST_F(ScanTest, NothingToScan) {
  EXPECT_EQ(scan("cumsum", 0, floats("f32", {0, 3}, {}), "f32").getNumElements(), 0);
  EXPECT_EQ(scan("cumsum", 1, floats("f32", {3, 0}, {}), "f32").getNumElements(), 0);
}

} // namespace
