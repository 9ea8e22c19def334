//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Propagate.h"
#include "KernelFixture.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"

using namespace mlir;
using namespace fuser;

namespace {

class PropagateTest : public KernelTest {
protected:
  LogicalResult propagate(TensorViewOpInterface reference) {
    IdRelations classes(kernel.getBody().front());
    SmallVector<Operation *> ops;
    for (Operation &op : kernel.getBody().front())
      if (isa<TensorViewOpInterface>(op))
        ops.push_back(&op);
    return propagateTransforms(reference, ops, classes);
  }
};

TEST_F(PropagateTest, RowBroadcastKeepsAPlaceForTheRows) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %b : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %2 = fuser.add %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(2), 1, 8)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(2), 0, ParallelType::BlockY)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(2), 2, ParallelType::Vectorize)));
  ASSERT_TRUE(succeeded(propagate(getOp(2))));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), broadcast() -> b3, "
            "loop = [b3 @block_y, i1, i2 @vectorize], allocation = [i0]>");
  EXPECT_EQ(print(getOp(1).getDomain()),
            "#fuser.domain<logical = [b0, i1], split(i1, 8) -> (i2, i3), "
            "loop = [b0 @block_y, i2, i3 @vectorize], allocation = [b0, i1]>");
  verify();
}

TEST_F(PropagateTest, WhereTheReferenceLiesIsNoLoopOfOthers) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.neg %0 : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 0, 2)));
  // Of a dimension and of a loop, which is split afterwards.
  ASSERT_TRUE(succeeded(swizzleAllocation(getOp(1), 1, 0, 4)));
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 2, 8)));
  ASSERT_TRUE(succeeded(propagate(getOp(1))));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], split(i0, 2) -> (i2, i3), split(i1, 8) -> (i4, i5), "
            "loop = [i2, i3, i4, i5], allocation = [i0, i1]>");
  verify();
}

TEST_F(PropagateTest, ColumnBroadcastEndsBeforeTheColumns) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %b : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %2 = fuser.add %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(2), 1, 8)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(2), 0, ParallelType::BlockY)));
  ASSERT_TRUE(succeeded(propagate(getOp(2))));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0], loop = [i0 @block_y], allocation = [i0]>");
  EXPECT_EQ(print(getOp(1).getDomain()),
            "#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2 @block_y], "
            "allocation = [i0, b1]>");
  verify();
}

TEST_F(PropagateTest, MergedRowsTakeAPlaceholder) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %b : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %2 = fuser.add %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  ASSERT_TRUE(succeeded(mergeLoops(getOp(2), 0, 1)));
  ASSERT_TRUE(succeeded(propagate(getOp(2))));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, loop = [i2], "
            "allocation = [i0]>");
  EXPECT_EQ(print(getOp(1).getDomain()),
            "#fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, loop = [i2], "
            "allocation = [b0, i1]>");
  verify();
}

TEST_F(PropagateTest, ReductionsStayReductionsAndEndForConsumers) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
      %0 = fuser.set %x : tensor<?x?xf32>
      %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      fuser.return %2 : tensor<?x1xf32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 1, 32)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(1), 2, ParallelType::ThreadX)));
  ASSERT_TRUE(succeeded(propagate(getOp(1))));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), "
            "loop = [i0, i2, i3 @thread_x], allocation = [i0, i1]>");
  EXPECT_EQ(print(getOp(2).getDomain()),
            "#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2], "
            "allocation = [i0, b1]>");
  verify();
}

TEST_F(PropagateTest, OuterReductionDropsTheRowsForColumnOperands) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %b : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %2 = fuser.add %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      %3 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %3 : tensor<?xf32>
    })");
  // [columns by block, rows, columns by thread]
  ASSERT_TRUE(succeeded(splitLoop(getOp(3), 1, 32)));
  ASSERT_TRUE(succeeded(reorderLoops(getOp(3), {1, 0, 2})));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(3), 0, ParallelType::BlockX)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(3), 2, ParallelType::ThreadX)));
  ASSERT_TRUE(succeeded(propagate(getOp(3))));
  EXPECT_EQ(print(getOp(0).getDomain()), "#fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), "
                                         "loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>");
  verify();
}

TEST_F(PropagateTest, ScalarsHaveNoLoops) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<f32> {
      %0 = fuser.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
      %1 = fuser.set %0 : tensor<f32>
      fuser.return %1 : tensor<f32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 0, 32)));
  ASSERT_TRUE(succeeded(propagate(getOp(0))));
  EXPECT_TRUE(getOp(1).getDomain().getLoop().empty());
  verify();
}

TEST_F(PropagateTest, RefusesADimensionThatTheReferenceLacks) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.set %x : tensor<?xf32>
      %1 = fuser.set %y : tensor<?xf32>
      fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
    })");
  EXPECT_TRUE(failed(propagate(getOp(0))));
  EXPECT_EQ(message, "'fuser.set' op expected every dimension to be one of the reference "
                     "'fuser.set', but dimension 0 is not");
  EXPECT_FALSE(getOp(1).hasDomains());
}

} // namespace
