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

TEST_F(DecomposeTest, CorrectionsReduceTheDivisor) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %v, %m = fuser.var_mean %x dims [1] correction 1 : tensor<?x8xf32> -> tensor<?xf32>, tensor<?xf32>
      fuser.return %v, %m : tensor<?xf32>, tensor<?xf32>
    })");
  decomposeVariance(kernel);
  verify();
  EXPECT_TRUE(kernel.getBody().getOps<VarMeanOp>().empty());
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  EXPECT_TRUE(ret.getValues()[1].getDefiningOp<MeanOp>());
  auto quotient = ret.getValues()[0].getDefiningOp<DivOp>();
  ASSERT_TRUE(quotient);
  EXPECT_TRUE(quotient.getLhs().getDefiningOp<SumOp>());
  APFloat divisor(0.0f);
  ASSERT_TRUE(matchPattern(quotient.getRhs(), m_ConstantFloat(&divisor)));
  EXPECT_EQ(divisor.convertToFloat(), 7.0f);
}

TEST_F(DecomposeTest, CorrectionsOfUnknownNumbersAreSubtractedInTheKernel) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %v, %m = fuser.var_mean %x dims [1] correction 1 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
      fuser.return %v : tensor<?xf32>
    })");
  decomposeVariance(kernel);
  verify();
  EXPECT_TRUE(kernel.getBody().getOps<VarMeanOp>().empty());
  // Of fewer elements than the correction, it is 0.
  EXPECT_EQ(llvm::range_size(kernel.getBody().getOps<tensor::DimOp>()), 1u);
  EXPECT_EQ(llvm::range_size(kernel.getBody().getOps<arith::MaxSIOp>()), 1u);
}

TEST_F(DecomposeTest, ShortElementsStay) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<?xbf16>) {
      %w, %n = fuser.var_mean %y dims [1] correction 0 : tensor<?x?xbf16> -> tensor<?xbf16>, tensor<?xbf16>
      %v, %m = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
      fuser.return %v, %w : tensor<?xf32>, tensor<?xbf16>
    })");
  decomposeVariance(kernel);
  // But not what is after them.
  EXPECT_EQ(llvm::range_size(kernel.getBody().getOps<VarMeanOp>()), 1u);
  EXPECT_EQ(llvm::range_size(kernel.getBody().getOps<MeanOp>()), 2u);
}

TEST_F(DecomposeTest, MaximumAndSumOfExponentialsBecomeOneReduction) {
  // The maximum of the elements before their conversion is that after it.
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xbf16>) -> (tensor<?x?xf32>, tensor<?xf32>) {
      %m = fuser.max %x dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
      %c = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
      %n = fuser.cast %m : tensor<?xbf16> to tensor<?xf32>
      %b = fuser.broadcast %n dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %d = fuser.sub %c, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %e = fuser.exp %d : tensor<?x?xf32>
      %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %d, %s : tensor<?x?xf32>, tensor<?xf32>
    })");
  EXPECT_TRUE(hasSoftmaxSum(kernel));
  composeSoftmaxSums(kernel);
  verify();
  EXPECT_FALSE(hasSoftmaxSum(kernel));
  EXPECT_TRUE(kernel.getBody().getOps<MaxOp>().empty());
  EXPECT_TRUE(kernel.getBody().getOps<ExpOp>().empty());
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  EXPECT_TRUE(ret.getValues()[1].getDefiningOp<MaxSumExpOp>());
}

TEST_F(DecomposeTest, SumsThatGuardInfiniteMaximaAreComposed) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<?xf32>) {
      %inf = arith.constant 0x7FF0000000000000 : f64
      %zero = arith.constant 0.0 : f64
      %m = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %a = fuser.abs %b : tensor<?x1xf32>
      %i = fuser.eq %a, %inf : (tensor<?x1xf32>, f64) -> tensor<?x1xi1>
      %g = fuser.where %i, %zero, %b : (tensor<?x1xi1>, f64, tensor<?x1xf32>) -> tensor<?x1xf32>
      %d = fuser.sub %x, %g : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %e = fuser.exp %d : tensor<?x?xf32>
      %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %g, %s : tensor<?x1xf32>, tensor<?xf32>
    })");
  EXPECT_TRUE(hasSoftmaxSum(kernel));
  composeSoftmaxSums(kernel);
  verify();
  EXPECT_FALSE(hasSoftmaxSum(kernel));
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  EXPECT_TRUE(ret.getValues()[0].getDefiningOp<WhereOp>());
  // Of an infinite maximum, the exponential of that.
  auto sum = ret.getValues()[1].getDefiningOp<WhereOp>();
  ASSERT_TRUE(sum);
  auto both = sum.getOnFalse().getDefiningOp<MaxSumExpOp>();
  auto exponential = sum.getOnTrue().getDefiningOp<ExpOp>();
  ASSERT_TRUE(both && exponential);
  EXPECT_EQ(exponential->getOperand(0), both.getMaximum());
}

TEST_F(DecomposeTest, OtherGuardsStay) {
  // 1 in place of an infinite maximum.
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %inf = arith.constant 0x7FF0000000000000 : f64
      %one = arith.constant 1.0 : f64
      %m = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %a = fuser.abs %b : tensor<?x1xf32>
      %i = fuser.eq %a, %inf : (tensor<?x1xf32>, f64) -> tensor<?x1xi1>
      %g = fuser.where %i, %one, %b : (tensor<?x1xi1>, f64, tensor<?x1xf32>) -> tensor<?x1xf32>
      %d = fuser.sub %x, %g : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %e = fuser.exp %d : tensor<?x?xf32>
      %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %s : tensor<?xf32>
    })");
  EXPECT_FALSE(hasSoftmaxSum(kernel));
}

TEST_F(DecomposeTest, OtherSumsStay) {
  // Of another maximum, over other dimensions, of short elements.
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xbf16>)
        -> (tensor<?xf32>, tensor<?xf32>, tensor<?xbf16>) {
      %m = fuser.max %y dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %d = fuser.sub %x, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %e = fuser.exp %d : tensor<?x?xf32>
      %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %f = fuser.sub %y, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %g = fuser.exp %f : tensor<?x?xf32>
      %t = fuser.sum %g dims [0] : tensor<?x?xf32> -> tensor<?xf32>
      %n = fuser.max %z dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
      %o = fuser.broadcast %n dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
      %h = fuser.sub %z, %o : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
      %i = fuser.exp %h : tensor<?x?xbf16>
      %u = fuser.sum %i dims [1] : tensor<?x?xbf16> -> tensor<?xbf16>
      fuser.return %s, %t, %u : tensor<?xf32>, tensor<?xf32>, tensor<?xbf16>
    })");
  EXPECT_FALSE(hasSoftmaxSum(kernel));
}

} // namespace
