//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs as wholes: arguments, scalars, rounding between ops, diagnostics.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"
#include <set>

using namespace fuser::reference;

namespace {

using EvaluateTest = ReferenceTest;

TEST_F(EvaluateTest, ReturnsArgumentsAndSharedValues) {
  auto outputs = run(R"(
    fuser.fusion @f(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.add %a, %a : tensor<?xf32>
      fuser.return %a, %0, %0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    })",
                     {floats("f32", {2}, {1.5, -2})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1.5, -2}, (*outputs)[0].floats());
  expectValues({3, -4}, (*outputs)[1].floats());
  expectValues({3, -4}, (*outputs)[2].floats());
}

TEST_F(EvaluateTest, KeepsF32InDoubleUnlessAsked) {
  // 2^25 + 1 is no f32; 1 is lost only where f32 results round.
  const double large = 33554432;
  llvm::StringRef body = R"(%1 = fuser.add %a, %b : tensor<1xf32>
                            %0 = fuser.add %1, %c : tensor<1xf32>)";
  Tensor args[] = {floats("f32", {1}, {large}), floats("f32", {1}, {1}),
                   floats("f32", {1}, {-large})};
  llvm::StringRef t = "tensor<1xf32>";
  auto exact = runBody({t, t, t}, body, t, args);
  ASSERT_TRUE(succeeded(exact)) << diagnostics;
  expectValues({1}, (*exact)[0].floats());
  EvaluateOptions rounding;
  rounding.roundF32 = true;
  auto rounded = runBody({t, t, t}, body, t, args, rounding);
  ASSERT_TRUE(succeeded(rounded)) << diagnostics;
  expectValues({0}, (*rounded)[0].floats());
}

TEST_F(EvaluateTest, RoundsHalfTypesAndTheRangeOfF32) {
  llvm::StringRef half = "tensor<2xbf16>", single = "tensor<2xf32>";
  auto outputs = runBody({half, half}, "%0 = fuser.add %a, %b : tensor<2xbf16>", half,
                         {floats("bf16", {2}, {256, 3e38}), floats("bf16", {2}, {1, 3e38})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({256, kInf}, (*outputs)[0].floats());
  outputs = runBody({single, single}, "%0 = fuser.add %a, %b : tensor<2xf32>", single,
                    {floats("f32", {2}, {3e38, -3e38}), floats("f32", {2}, {3e38, -3e38})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({kInf, -kInf}, (*outputs)[0].floats());
}

TEST_F(EvaluateTest, ComputesScalarsAndSizes) {
  auto outputs = run(R"(
    fuser.fusion @f(%a: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {
      %c1 = arith.constant 1 : index
      %c7 = arith.constant -7 : index
      %n = tensor.dim %a, %c1 : tensor<?x?xf32>
      %q = arith.floordivsi %c7, %n : index
      %i = arith.index_cast %q : index to i64
      %f = arith.sitofp %i : i64 to f32
      %p = arith.mulf %f, %s : f32
      %0 = fuser.add %a, %p : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })",
                     {floats("f32", {1, 3}, {0, 1, 2}), Tensor::scalar(type("f32"), 0.5)});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({-1.5, -0.5, 0.5}, (*outputs)[0].floats());
}

TEST_F(EvaluateTest, EvaluatesEmptyAndRankZeroTensors) {
  auto empty = runBody({"tensor<?x3xf32>"}, "%0 = fuser.add %a, %a : tensor<?x3xf32>",
                       "tensor<?x3xf32>", {floats("f32", {0, 3}, {})});
  ASSERT_TRUE(succeeded(empty)) << diagnostics;
  EXPECT_EQ((*empty)[0].getShape(), llvm::ArrayRef<int64_t>({0, 3}));
  auto point = runBody({"tensor<f32>"}, "%0 = fuser.add %a, %a : tensor<f32>", "tensor<f32>",
                       {floats("f32", {}, {21})});
  ASSERT_TRUE(succeeded(point)) << diagnostics;
  expectValues({42}, (*point)[0].floats());
}

TEST_F(EvaluateTest, LaunchesOfAHostFunctionEvaluateTheirKernels) {
  auto outputs = run(R"(
    fuser.host @f(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %0 = fuser.alloc(%n) : tensor<?xf32>
      %1 = fuser.copy %a into %0 : tensor<?xf32>, tensor<?xf32>
      %2 = fuser.alloc(%n) : tensor<?xf32>
      %3 = fuser.launch @twice ins(%1 : tensor<?xf32>) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
      %4 = fuser.alloc(%n) : tensor<?xf32>
      fuser.return %3, %4 : tensor<?xf32>, tensor<?xf32>
    }
    fuser.kernel @twice(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.add %a, %a : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })",
                     {floats("f32", {2}, {1, -3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({2, -6}, (*outputs)[0].floats());
  // An uninitialized buffer.
  expectValues({kNaN, kNaN}, (*outputs)[1].floats());
}

TEST_F(EvaluateTest, RefusesArgumentsThatDoNotFit) {
  llvm::StringRef body = "%0 = fuser.add %a, %b : tensor<?x4xf32>", t = "tensor<?x4xf32>";
  Tensor good = floats("f32", {1, 4}, {1, 2, 3, 4});
  EXPECT_TRUE(failed(runBody({t, t}, body, t, {good})));
  EXPECT_EQ(diagnostics, "'fuser.fusion' op expected 2 arguments, but got 1\n");
  EXPECT_TRUE(failed(runBody({t, t}, body, t, {good, floats("f32", {4}, {1, 2, 3, 4})})));
  EXPECT_EQ(diagnostics,
            "'fuser.fusion' op expected argument 1 of type 'tensor<?x4xf32>', but got 4xf32\n");
  EXPECT_TRUE(failed(runBody({t, t}, body, t, {good, floats("f64", {1, 4}, {1, 2, 3, 4})})));
  EXPECT_EQ(diagnostics,
            "'fuser.fusion' op expected argument 1 of type 'tensor<?x4xf32>', but got 1x4xf64\n");
  EXPECT_TRUE(
      failed(runBody({t, t}, body, t, {good, floats("f32", {2, 4}, std::vector<double>(8))})));
  EXPECT_EQ(diagnostics, "'fuser.add' op expected dimension 0 of operand 1 to be 1, but got 2\n");
}

TEST_F(EvaluateTest, NoiseIsWhatKernelsMayBeOffBy) {
  // The sums of 16 evaluations; every other one of either sign, so both show.
  auto getSums = [&](const std::string &element, double a, double b) {
    const std::string type = "tensor<1x" + element + ">";
    std::set<double> sums;
    for (uint64_t seed = 0; seed < 16; ++seed) {
      EvaluateOptions noisy;
      noisy.noiseSeed = seed;
      Tensor args[] = {floats(element, {1}, {a}), floats(element, {1}, {b})};
      auto outputs = runBody({type, type}, "%0 = fuser.add %a, %b : " + type, type, args, noisy);
      EXPECT_TRUE(succeeded(outputs)) << diagnostics;
      sums.insert((*outputs)[0].floats()[0]);
    }
    return sums;
  };
  EXPECT_EQ(getSums("f64", 1, 0), (std::set<double>{1 - 0x1p-52, 1 + 0x1p-52}));
  EXPECT_EQ(getSums("f32", 1, 0), (std::set<double>{1 - 0x1p-23, 1 + 0x1p-23}));
  // 2^-20 next to a tie of f16, which the approximate math for short outputs (ADR 11) may cross;
  // and 2^-16.
  EXPECT_EQ(getSums("f16", 1, 0x1p-11 + 0x1p-20), (std::set<double>{1, 1 + 0x1p-10}));
  EXPECT_EQ(getSums("f16", 1, 0x1p-11 + 0x1p-16), (std::set<double>{1 + 0x1p-10}));
  EXPECT_EQ(getSums("bf16", 1, 0x1p-8 + 0x1p-15), (std::set<double>{1 + 0x1p-7}));
}

TEST_F(EvaluateTest, NoiseOfSumsIsThatOfTheirTerms) {
  // The remainder is 2^-20 of the terms, whose units are visible in it.
  const double large = 1 << 20;
  for (llvm::StringRef op : {"fuser.sum %a dims [0] : tensor<3xf32> -> tensor<f32>",
                             "fuser.cumsum %a dim 0 : tensor<3xf32> -> tensor<3xf32>"}) {
    double largest = 0;
    for (uint64_t seed = 0; seed < 16; ++seed) {
      EvaluateOptions noisy;
      noisy.noiseSeed = seed;
      auto outputs = runBody({"tensor<3xf32>"}, ("%0 = " + op).str(), op.split("-> ").second,
                             {floats("f32", {3}, {large, 1, -large})}, noisy);
      ASSERT_TRUE(succeeded(outputs)) << diagnostics;
      largest = std::max(largest, std::fabs((*outputs)[0].floats().back() - 1));
    }
    EXPECT_NEAR(largest, 0x1p-2, 0x1p-20) << op.str();
  }
}

TEST_F(EvaluateTest, RefusesOpsWithoutReference) {
  EXPECT_TRUE(failed(runBody({"tensor<2xf32>"},
                             "%1 = tensor.cast %a : tensor<2xf32> to tensor<?xf32>\n"
                             "%0 = fuser.add %1, %1 : tensor<?xf32>",
                             "tensor<?xf32>", {floats("f32", {2}, {1, 2})})));
  EXPECT_EQ(
      diagnostics,
      "'tensor.cast' op expected an op that the reference evaluates, but got 'tensor.cast'\n");
}

TEST_F(EvaluateTest, RefusesDivisionOfSizesByZero) {
  auto outputs = run(R"(
    fuser.fusion @f(%a: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %q = arith.ceildivsi %n, %c0 : index
      fuser.return %a : tensor<?xf32>
    })",
                     {floats("f32", {1}, {1})});
  EXPECT_TRUE(failed(outputs));
  EXPECT_EQ(diagnostics, "'arith.ceildivsi' op expected a divisor other than 0, but got 0\n");
}

} // namespace
