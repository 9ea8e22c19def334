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

} // namespace
