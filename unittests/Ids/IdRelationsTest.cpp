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

//===----------------------------------------------------------------------===//
// Equality through products
//===----------------------------------------------------------------------===//

// If the parts are equal the wholes are, also where no extent is static.
TEST(IdRelationsTest, EqualPartsMakeEqualWholes) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.add %x, %y : tensor<?x?xf32>
      %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.reshape %y : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
    })");
  IdRelations ids = getRelations(program);
  EXPECT_EQ(ids.getClass(program.getTensor(1), 0), ids.getClass(program.getTensor(2), 0));
  EXPECT_EQ(ids.getProducts().size(), 1u);
}

// If the wholes and one extent are equal the parts are; another extent makes other parts.
TEST(IdRelationsTest, EqualWholesMakeEqualParts) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?xf32>)
        -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>, tensor<4x?xf32>) {
      %0 = fuser.add %x, %y : tensor<?xf32>
      %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x4xf32>
      %2 = fuser.reshape %y : tensor<?xf32> -> tensor<?x4xf32>
      %3 = fuser.reshape %y : tensor<?xf32> -> tensor<?x8xf32>
      %4 = fuser.reshape %y : tensor<?xf32> -> tensor<4x?xf32>
      fuser.return %1, %2, %3, %4
          : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x8xf32>, tensor<4x?xf32>
    })");
  IdRelations ids = getRelations(program);
  auto getClass = [&](unsigned tensor, unsigned dim) {
    return ids.getClass(program.getTensor(tensor), dim);
  };
  for (unsigned dim : {0, 1}) {
    EXPECT_EQ(getClass(1, dim), getClass(2, dim));
    EXPECT_NE(getClass(1, dim), getClass(3, dim));
    EXPECT_NE(getClass(1, dim), getClass(4, dim));
  }
  // The inner 4 of one and the outer 4 of the other.
  EXPECT_NE(getClass(1, 1), getClass(4, 0));
  EXPECT_EQ(ids.getProducts().size(), 3u);
  const unsigned whole = ids.getClass(program.getArgument(0), 0);
  EXPECT_EQ(ids.getSplit(whole, 4, /*isInner=*/true), std::pair(getClass(1, 0), getClass(1, 1)));
  EXPECT_EQ(ids.getSplit(whole, 4, /*isInner=*/false), std::pair(getClass(4, 0), getClass(4, 1)));
}

// The parts of two dimensions that are the same one are equal too.
TEST(IdRelationsTest, PartsOfTransposedDimensions) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<12x12xf32>) -> tensor<12x3x4xf32> {
      %0 = fuser.permute %x [1, 0] : tensor<12x12xf32> -> tensor<12x12xf32>
      %1 = fuser.add %x, %0 : tensor<12x12xf32>
      %2 = fuser.reshape %1 : tensor<12x12xf32> -> tensor<12x3x4xf32>
      fuser.return %2 : tensor<12x3x4xf32>
    })");
  IdRelations ids = getRelations(program);
  EXPECT_EQ(ids.getNumClasses(), 3u);
  EXPECT_EQ(ids.getSplit(ids.getClass(program.getArgument(0), 0), 4, /*isInner=*/true).second,
            ids.getClass(program.getTensor(2), 2));
}

// Dimensions of one element are inserted and dropped: no products, and the others are what they
// were.
TEST(IdRelationsTest, ReshapesOfDimensionsOfOneElement) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<1x?x12xf32>) -> tensor<?x1x12x1xf32> {
      %0 = fuser.reshape %x : tensor<1x?x12xf32> -> tensor<?x1x12x1xf32>
      fuser.return %0 : tensor<?x1x12x1xf32>
    })");
  IdRelations ids = getRelations(program);
  Value x = program.getArgument(0), result = program.getTensor(0);
  EXPECT_TRUE(ids.getProducts().empty());
  EXPECT_EQ(ids.getClass(x, 1), ids.getClass(result, 0));
  EXPECT_EQ(ids.getClass(x, 2), ids.getClass(result, 2));
  EXPECT_TRUE(ids.isBroadcast(ids.getClass(x, 0)));
  EXPECT_TRUE(ids.isBroadcast(ids.getClass(result, 1)));
  EXPECT_TRUE(ids.isBroadcast(ids.getClass(result, 3)));
  EXPECT_FALSE(ids.isBroadcast(ids.getClass(result, 0)));
}

//===----------------------------------------------------------------------===//
// Parts and overlaps
//===----------------------------------------------------------------------===//

TEST(IdRelationsTest, PartsAreTransitive) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<24x5xf32>) -> tensor<2x3x4x5xf32> {
      %0 = fuser.reshape %x : tensor<24x5xf32> -> tensor<6x4x5xf32>
      %1 = fuser.reshape %0 : tensor<6x4x5xf32> -> tensor<2x3x4x5xf32>
      fuser.return %1 : tensor<2x3x4x5xf32>
    })");
  IdRelations ids = getRelations(program);
  Value x = program.getArgument(0), middle = program.getTensor(0), result = program.getTensor(1);
  const unsigned whole = ids.getClass(x, 0), six = ids.getClass(middle, 0),
                 four = ids.getClass(middle, 1), two = ids.getClass(result, 0),
                 three = ids.getClass(result, 1), five = ids.getClass(x, 1);
  auto parts = ids.getParts(whole);
  EXPECT_EQ(parts.size(), 5u);
  for (unsigned part : {whole, six, four, two, three})
    EXPECT_TRUE(parts.contains(part));
  EXPECT_EQ(ids.getParts(six).size(), 3u);
  EXPECT_EQ(ids.getParts(five).size(), 1u);
  // A whole and what it is made of overlap, two parts of it do not.
  EXPECT_TRUE(ids.overlap(whole, three));
  EXPECT_TRUE(ids.overlap(three, whole));
  EXPECT_TRUE(ids.overlap(six, two));
  EXPECT_TRUE(ids.overlap(five, five));
  EXPECT_FALSE(ids.overlap(six, four));
  EXPECT_FALSE(ids.overlap(two, three));
  EXPECT_FALSE(ids.overlap(whole, five));
}

// Parts of two factorizations of one whole lie across each other.
TEST(IdRelationsTest, PartsOfTwoFactorizationsOverlap) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
      %0 = fuser.reshape %x : tensor<6x4xf32> -> tensor<4x6xf32>
      fuser.return %0 : tensor<4x6xf32>
    })");
  IdRelations ids = getRelations(program);
  for (unsigned before : {0, 1})
    for (unsigned after : {0, 1})
      EXPECT_TRUE(ids.overlap(ids.getClass(program.getArgument(0), before),
                              ids.getClass(program.getTensor(0), after)));
  EXPECT_FALSE(ids.overlap(ids.getClass(program.getArgument(0), 0),
                           ids.getClass(program.getArgument(0), 1)));
}

} // namespace
