//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

using PointwiseTest = ReferenceTest;

TEST_F(PointwiseTest, BroadcastsDimensionsOfSizeOne) {
  auto outputs = runBody(
      {"tensor<?x1xf32>", "tensor<1x?xf32>"},
      "%0 = fuser.add %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>",
      "tensor<?x?xf32>", {floats("f32", {2, 1}, {10, 20}), floats("f32", {1, 3}, {1, 2, 3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  EXPECT_EQ((*outputs)[0].getShape(), llvm::ArrayRef<int64_t>({2, 3}));
  expectValues({11, 12, 13, 21, 22, 23}, (*outputs)[0].floats());
}

TEST_F(PointwiseTest, IntegersWrapToTheirWidth) {
  auto outputs = runBody(
      {"tensor<2xi32>", "tensor<2xi32>"}, "%0 = fuser.add %a, %b : tensor<2xi32>", "tensor<2xi32>",
      {integers("i32", {2}, {2147483647, -2147483648}), integers("i32", {2}, {1, -1})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({-2147483648, 2147483647}, (*outputs)[0].integers());
}

} // namespace
