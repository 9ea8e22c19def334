//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

using ReductionTest = ReferenceTest;

TEST_F(ReductionTest, SumsOverAnyDimensions) {
  Tensor arg = floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6});
  auto inner =
      runBody({"tensor<?x?xf32>"}, "%0 = fuser.sum %a dims [1] : tensor<?x?xf32> -> tensor<?xf32>",
              "tensor<?xf32>", {arg});
  ASSERT_TRUE(succeeded(inner)) << diagnostics;
  expectValues({6, 15}, (*inner)[0].floats());
  auto outer =
      runBody({"tensor<?x?xf32>"}, "%0 = fuser.sum %a dims [0] : tensor<?x?xf32> -> tensor<?xf32>",
              "tensor<?xf32>", {arg});
  ASSERT_TRUE(succeeded(outer)) << diagnostics;
  expectValues({5, 7, 9}, (*outer)[0].floats());
  auto full =
      runBody({"tensor<?x?xf32>"}, "%0 = fuser.sum %a dims [0, 1] : tensor<?x?xf32> -> tensor<f32>",
              "tensor<f32>", {arg});
  ASSERT_TRUE(succeeded(full)) << diagnostics;
  expectValues({21}, (*full)[0].floats());
}

TEST_F(ReductionTest, SumOfNothingIsZero) {
  auto outputs =
      runBody({"tensor<2x?xf32>"}, "%0 = fuser.sum %a dims [1] : tensor<2x?xf32> -> tensor<2xf32>",
              "tensor<2xf32>", {floats("f32", {2, 0}, {})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({0, 0}, (*outputs)[0].floats());
}

TEST_F(ReductionTest, RfactorKeepsAPartOfTheReducedDimension) {
  // 5 elements in 3 outer parts of 2: the inner index is kept.
  auto outputs = runBody({"tensor<?x?xf32>"},
                         R"(%0 = fuser.sum %a dims [1] {domains = [#fuser.domain<
                              root = [i0, r1], split(r1, 2) -> (r2, i3), logical = [i0, r2, i3]>]}
                              : tensor<?x?xf32> -> tensor<?x2xf32>)",
                         "tensor<?x2xf32>", {floats("f32", {1, 5}, {1, 2, 3, 4, 5})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({9, 6}, (*outputs)[0].floats());
}

TEST_F(ReductionTest, FoldsPropagateNaNAndSigns) {
  Tensor arg = floats("f32", {3, 2}, {2, -0.0, kNaN, 0, 5, kInf});
  auto fold = [&](llvm::StringRef op) {
    std::string body = "%0 = fuser." + op.str() + " %a dims [1] : tensor<3x2xf32> -> tensor<3xf32>";
    auto outputs = runBody({"tensor<3x2xf32>"}, body, "tensor<3xf32>", {arg});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return (*outputs)[0].floats();
  };
  expectValues({-0.0, kNaN, kInf}, fold("prod"));
  expectValues({-0.0, kNaN, 5}, fold("min"));
  expectValues({2, kNaN, kInf}, fold("max"));
  expectValues({1, kNaN, kInf}, fold("mean"));
}

TEST_F(ReductionTest, FoldsOfNothing) {
  auto fold = [&](llvm::StringRef op, llvm::StringRef element, llvm::StringRef result) {
    std::string argType = "tensor<?x" + element.str() + ">", type = "tensor<" + result.str() + ">";
    std::string body = "%0 = fuser." + op.str() + " %a dims [0] : " + argType + " -> " + type;
    auto outputs = runBody({argType}, body, type, {Tensor(this->type(element), {0})});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return (*outputs)[0];
  };
  expectValues({1}, fold("prod", "f32", "f32").floats());
  expectValues({kInf}, fold("min", "f32", "f32").floats());
  expectValues({-kInf}, fold("max", "f32", "f32").floats());
  expectValues({kNaN}, fold("mean", "f32", "f32").floats());
  expectValues({2147483647}, fold("min", "i32", "i32").integers());
  expectValues({-2147483648}, fold("max", "i32", "i32").integers());
  expectValues({0}, fold("any", "f32", "i1").integers());
  expectValues({1}, fold("all", "i1", "i1").integers());
}

TEST_F(ReductionTest, ConvertsBeforeItAdds) {
  auto count = runBody({"tensor<3xi1>"}, "%0 = fuser.sum %a dims [0] : tensor<3xi1> -> tensor<i64>",
                       "tensor<i64>", {integers("i1", {3}, {1, 0, 1})});
  ASSERT_TRUE(succeeded(count)) << diagnostics;
  expectValues({2}, (*count)[0].integers());
  auto wrapped =
      runBody({"tensor<2xi32>"}, "%0 = fuser.sum %a dims [0] : tensor<2xi32> -> tensor<i32>",
              "tensor<i32>", {integers("i32", {2}, {2147483647, 1})});
  ASSERT_TRUE(succeeded(wrapped)) << diagnostics;
  expectValues({-2147483648}, (*wrapped)[0].integers());
  auto any = runBody({"tensor<2xf32>"}, "%0 = fuser.any %a dims [0] : tensor<2xf32> -> tensor<i1>",
                     "tensor<i1>", {floats("f32", {2}, {-0.0, kNaN})});
  ASSERT_TRUE(succeeded(any)) << diagnostics;
  expectValues({1}, (*any)[0].integers());
}

TEST_F(ReductionTest, HalfTypesRoundOnceAtTheEnd) {
  // 256 + 8 times 0.5: each addition alone would be lost in bf16.
  std::vector<double> values(9, 0.5);
  values[0] = 256;
  auto outputs =
      runBody({"tensor<9xbf16>"}, "%0 = fuser.sum %a dims [0] : tensor<9xbf16> -> tensor<bf16>",
              "tensor<bf16>", {floats("bf16", {9}, values)});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({260}, (*outputs)[0].floats());
}

TEST_F(ReductionTest, VarianceDividesByCountLessCorrection) {
  auto varMean = [&](int64_t correction, std::vector<double> values) {
    int64_t size = values.size();
    std::string text = "fuser.fusion @f(%a: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {\n"
                       "  %v, %m = fuser.var_mean %a dims [0] correction " +
                       std::to_string(correction) +
                       " : tensor<?xf32> -> tensor<f32>, tensor<f32>\n"
                       "  fuser.return %v, %m : tensor<f32>, tensor<f32>\n}";
    auto outputs = run(text, {floats("f32", {size}, std::move(values))});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return std::vector<double>{(*outputs)[0].floats()[0], (*outputs)[1].floats()[0]};
  };
  expectValues({1.25, 2.5}, varMean(0, {1, 2, 3, 4}));
  expectValues({5.0 / 3, 2.5}, varMean(1, {1, 2, 3, 4}), 1e-15);
  expectValues({kNaN, 7}, varMean(1, {7}));
  expectValues({kInf, 2}, varMean(5, {1, 3}));
  expectValues({kNaN, kInf}, varMean(0, {1, kInf}));
  // A large mean does not drown a small variance.
  expectValues({1, 1e9}, varMean(0, {1e9 - 1, 1e9 + 1}));
}

TEST_F(ReductionTest, ExtremesWithTheirIndex) {
  // Rows: a tie of zeros of both signs, a NaN, two NaN, plain numbers.
  Tensor values = floats("f32", {4, 3}, {0, -0.0, -1, kInf, kNaN, 7, kNaN, 3, kNaN, 4, 9, -kInf});
  Tensor index = integers("i64", {4, 3}, {5, 2, 1, 0, 1, 2, 8, 7, 6, 0, 1, 2});
  auto find = [&](llvm::StringRef op) {
    std::string body = "%0, %1 = fuser." + op.str() +
                       " %a, %b dims [1] : tensor<4x3xf32>, tensor<4x3xi64> -> tensor<4xf32>, "
                       "tensor<4xi64>\n  fuser.return %0, %1 : tensor<4xf32>, tensor<4xi64>";
    auto outputs = run("fuser.fusion @f(%a: tensor<4x3xf32>, %b: tensor<4x3xi64>) -> "
                       "(tensor<4xf32>, tensor<4xi64>) {\n  " +
                           body + "\n}",
                       {values, index});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return *outputs;
  };
  auto max = find("max_with_index");
  expectValues({-0.0, kNaN, kNaN, 9}, max[0].floats());
  expectValues({2, 1, 6, 1}, max[1].integers());
  auto min = find("min_with_index");
  expectValues({-1, kNaN, kNaN, -kInf}, min[0].floats());
  expectValues({1, 1, 6, 2}, min[1].integers());
}

} // namespace
