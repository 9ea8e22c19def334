//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Decompose.h"
#include "KernelFixture.h"

using namespace mlir;
using namespace fuser;

namespace {

using DecomposeTest = KernelTest;

TEST_F(DecomposeTest, VarianceBecomesTwoMeans) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %v, %m = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
      fuser.return %v, %m : tensor<?xf32>, tensor<?xf32>
    })");
  decomposeVariance(kernel);
  verify();
  SmallVector<MeanOp> means(kernel.getBody().getOps<MeanOp>());
  ASSERT_EQ(means.size(), 2u);
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  EXPECT_EQ(ret.getValues()[0], means[1].getResult());
  EXPECT_EQ(ret.getValues()[1], means[0].getResult());
  EXPECT_TRUE(kernel.getBody().getOps<VarMeanOp>().empty());
}

TEST_F(DecomposeTest, CorrectionsAndShortElementsStay) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
      %v, %m = fuser.var_mean %x dims [1] correction 1 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
      %w, %n = fuser.var_mean %y dims [1] correction 0 : tensor<?x?xbf16> -> tensor<?xbf16>, tensor<?xbf16>
      fuser.return %v, %w : tensor<?xf32>, tensor<?xbf16>
    })");
  decomposeVariance(kernel);
  EXPECT_TRUE(kernel.getBody().getOps<MeanOp>().empty());
}

} // namespace
