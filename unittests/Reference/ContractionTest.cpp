//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Contractions against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

using ContractionTest = ReferenceTest;

TEST_F(ContractionTest, MatmulSharesAMatrixAmongBatches) {
  auto outputs =
      runBody({"tensor<2x1x2xf32>", "tensor<2x3xf32>"},
              "%0 = fuser.matmul %a, %b : tensor<2x1x2xf32>, tensor<2x3xf32> -> tensor<2x1x3xf32>",
              "tensor<2x1x3xf32>",
              {floats("f32", {2, 1, 2}, {1, 2, 3, 4}), floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({9, 12, 15, 19, 26, 33}, (*outputs)[0].floats());
}

TEST_F(ContractionTest, MatmulOfNothingIsZeroAndIntegersWrap) {
  auto empty =
      runBody({"tensor<?x?xf32>", "tensor<?x2xf32>"},
              "%0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x2xf32> -> tensor<?x2xf32>",
              "tensor<?x2xf32>", {floats("f32", {1, 0}, {}), floats("f32", {0, 2}, {})});
  ASSERT_TRUE(succeeded(empty)) << diagnostics;
  expectValues({0, 0}, (*empty)[0].floats());
  auto wrapped =
      runBody({"tensor<1x2xi32>", "tensor<2x1xi32>"},
              "%0 = fuser.matmul %a, %b : tensor<1x2xi32>, tensor<2x1xi32> -> tensor<1x1xi32>",
              "tensor<1x1xi32>",
              {integers("i32", {1, 2}, {2147483647, 1}), integers("i32", {2, 1}, {1, 1})});
  ASSERT_TRUE(succeeded(wrapped)) << diagnostics;
  expectValues({-2147483648}, (*wrapped)[0].integers());
}

TEST_F(ContractionTest, LinearTransposesTheWeightAndAddsTheBiasBeforeRounding) {
  // 256 + 1 alone would round to 256 in bf16, and stay there when 1 is added once more.
  auto outputs = runBody({"tensor<1x2xbf16>", "tensor<2x2xbf16>", "tensor<2xbf16>"},
                         "%0 = fuser.linear %a, %b bias %c : tensor<1x2xbf16>, tensor<2x2xbf16>, "
                         "tensor<2xbf16> -> tensor<1x2xbf16>",
                         "tensor<1x2xbf16>",
                         {floats("bf16", {1, 2}, {256, 1}), floats("bf16", {2, 2}, {1, 1, 0, 3}),
                          floats("bf16", {2}, {1, -1})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({258, 2}, (*outputs)[0].floats());
}

TEST_F(ContractionTest, AttentionIsASoftmaxOverTheKeys) {
  auto attend = [&](llvm::StringRef attributes) {
    std::string text = "fuser.fusion @f(%q: tensor<1x2x2xf64>, %k: tensor<1x2x2xf64>, %v: "
                       "tensor<1x2x1xf64>) -> (tensor<1x2x1xf64>, tensor<1x2xf64>) {\n"
                       "  %o, %l = fuser.sdpa %q, %k, %v {" +
                       attributes.str() +
                       "} : tensor<1x2x2xf64>, tensor<1x2x2xf64>, tensor<1x2x1xf64> -> "
                       "tensor<1x2x1xf64>, tensor<1x2xf64>\n"
                       "  fuser.return %o, %l : tensor<1x2x1xf64>, tensor<1x2xf64>\n}";
    auto outputs = run(text, {floats("f64", {1, 2, 2}, {1, 0, 0, 1}),
                              floats("f64", {1, 2, 2}, {std::log(2.0), 0, 0, std::log(3.0)}),
                              floats("f64", {1, 2, 1}, {10, 20})});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return *outputs;
  };
  // Scores: log 2, 0 in the first row and 0, log 3 in the second.
  auto full = attend("scale = 1.0 : f64");
  expectValues({(2 * 10 + 20) / 3.0, (10 + 3 * 20) / 4.0}, full[0].floats(), 1e-14);
  expectValues({std::log(3.0), std::log(4.0)}, full[1].floats(), 1e-14);
  auto causal = attend("causal, scale = 1.0 : f64");
  expectValues({10, (10 + 3 * 20) / 4.0}, causal[0].floats(), 1e-14);
  expectValues({std::log(2.0), std::log(4.0)}, causal[1].floats(), 1e-14);
  // The default scale is 1 / sqrt(2).
  auto scaled = attend("");
  double weight = std::exp(std::log(2.0) / std::sqrt(2.0));
  EXPECT_NEAR(scaled[0].floats()[0], (weight * 10 + 20) / (weight + 1), 1e-12);
}

} // namespace
