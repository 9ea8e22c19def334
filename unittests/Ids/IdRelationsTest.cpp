//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdRelations.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;

namespace {

IdRelations getRelations(Program &program) {
  return IdRelations(program.get().getFunctionBody().front());
}

TEST(IdRelationsTest, PointwiseOpsMapDimensionByDimension) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.add %x, %y : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  IdRelations ids = getRelations(program);
  Value x = program.getArgument(0), y = program.getArgument(1), sum = program.getTensor(0);
  EXPECT_EQ(ids.getNumClasses(), 2u);
  EXPECT_EQ(ids.getClass(x, 0), ids.getClass(y, 0));
  EXPECT_EQ(ids.getClass(x, 1), ids.getClass(sum, 1));
  EXPECT_NE(ids.getClass(x, 0), ids.getClass(x, 1));
  EXPECT_EQ(ids.getClass(program.getOp(0), 1), ids.getClass(sum, 1));
  EXPECT_TRUE(ids.getProducts().empty());
}

// A broadcast keeps its class; what it is resolved to is known where all consumers agree.
TEST(IdRelationsTest, BroadcastsAreResolvedByTheirConsumers) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>)
        -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %2 = fuser.add %0, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuser.add %1, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %4 = fuser.add %1, %z : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %2, %4 : tensor<?x?xf32>, tensor<?x?xf32>
    })");
  IdRelations ids = getRelations(program);
  unsigned once = ids.getClass(program.getTensor(0), 1),
           twice = ids.getClass(program.getTensor(1), 1);
  EXPECT_TRUE(ids.isBroadcast(once));
  EXPECT_EQ(ids.getResolved(once), ids.getClass(program.getArgument(1), 1));
  EXPECT_EQ(ids.getResolved(twice), IdRelations::kNone);
}

// Classes are transitive: both dimensions of a matrix that is added to its transpose are one.
TEST(IdRelationsTest, ClassesAreTransitive) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
      %1 = fuser.add %x, %0 : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  EXPECT_EQ(getRelations(program).getNumClasses(), 1u);
}

TEST(IdRelationsTest, ReadsAtOffsets) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %v: f32) -> tensor<?xf32> {
      %0 = fuser.pad %x low [3] high [1] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  IdRelations ids = getRelations(program);
  ASSERT_EQ(ids.getOffsets().size(), 1u);
  IdRelations::Offset expected{ids.getClass(program.getArgument(0), 0),
                               ids.getClass(program.getTensor(0), 0), 3};
  EXPECT_EQ(ids.getOffsets()[0], expected);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

TEST(IdRelationsTest, ReshapesStateProducts) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
      %0 = fuser.reshape %x : tensor<?x4096xf32> -> tensor<?x32x128xf32>
      %1 = fuser.neg %0 : tensor<?x32x128xf32>
      %2 = fuser.reshape %1 : tensor<?x32x128xf32> -> tensor<?x4096xf32>
      fuser.return %2 : tensor<?x4096xf32>
    })");
  IdRelations ids = getRelations(program);
  Value x = program.getArgument(0), heads = program.getTensor(1), joined = program.getTensor(2);
  // The second reshape merges what the first one split.
  EXPECT_EQ(ids.getClass(x, 1), ids.getClass(joined, 1));
  ASSERT_EQ(ids.getProducts().size(), 1u);
  const IdProduct &product = ids.getProducts()[0];
  EXPECT_EQ(product.whole, ids.getClass(x, 1));
  EXPECT_EQ(product.outer, ids.getClass(heads, 1));
  EXPECT_EQ(product.inner, ids.getClass(heads, 2));
  EXPECT_EQ(product.outerExtent, 32);
  EXPECT_EQ(product.innerExtent, 128);
  EXPECT_EQ(product.op, program.getOp(0));
  EXPECT_EQ(ids.getMerged(product.outer, product.inner), product.whole);
  EXPECT_EQ(ids.getMerged(product.inner, product.outer), IdRelations::kNone);
  EXPECT_EQ(ids.getSplit(product.whole, 128, /*isInner=*/true),
            std::pair(product.outer, product.inner));
  EXPECT_EQ(ids.getSplit(product.whole, 32, /*isInner=*/false),
            std::pair(product.outer, product.inner));
  EXPECT_EQ(ids.getSplit(product.whole, 64, /*isInner=*/true),
            std::pair(IdRelations::kNone, IdRelations::kNone));
}

// Dynamic dimensions merge; a split of the merged one by an extent that only run time knows does
// not exist.
TEST(IdRelationsTest, DynamicProductsMergeOnly) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?x8xf32>) -> tensor<?x8xf32> {
      %0 = fuser.reshape %x : tensor<?x?x8xf32> -> tensor<?x8xf32>
      fuser.return %0 : tensor<?x8xf32>
    })");
  IdRelations ids = getRelations(program);
  ASSERT_EQ(ids.getProducts().size(), 1u);
  EXPECT_FALSE(ids.getProducts()[0].canSplit());
}

// The repeats of a dimension are its outer part.
TEST(IdRelationsTest, RepeatsAreProducts) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.repeat %x [3] : tensor<?xf32> -> tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  IdRelations ids = getRelations(program);
  ASSERT_EQ(ids.getProducts().size(), 1u);
  const IdProduct &product = ids.getProducts()[0];
  EXPECT_EQ(product.inner, ids.getClass(program.getArgument(0), 0));
  EXPECT_EQ(product.whole, ids.getClass(program.getTensor(0), 0));
  EXPECT_EQ(product.outerExtent, 3);
  EXPECT_FALSE(product.innerExtent);
}

// Two reshapes that split one dimension in two ways share the whole and nothing else.
TEST(IdRelationsTest, TwoFactorizationsOfOneDimension) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
      %0 = fuser.reshape %x : tensor<6x4xf32> -> tensor<4x6xf32>
      fuser.return %0 : tensor<4x6xf32>
    })");
  IdRelations ids = getRelations(program);
  ASSERT_EQ(ids.getProducts().size(), 2u);
  EXPECT_EQ(ids.getProducts()[0].whole, ids.getProducts()[1].whole);
  EXPECT_EQ(ids.getNumClasses(), 5u);
}
} // namespace
