//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Persistence.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;
using fuser::test::toString;

namespace {

Persistence find(Program &program) {
  IdModel model(program.get());
  return findPersistentValues(program.get(), model, *ExtentAnalysis::create(program.get()));
}

SmallVector<Value> getValues(const Persistence &persistence) {
  return llvm::map_to_vector(persistence.values,
                             [](const PersistentValue &value) { return value.value; });
}

// The f32 copy is read on both sides of the sum; its bf16 source is half of it. The weight is read
// on one side only.
TEST(PersistenceTest, RmsNormKeepsItsInput) {
  Program program(R"(
    fuser.fusion @rms_norm(%x: tensor<?x?xbf16>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
      %1 = fuser.mul %0, %0 : tensor<?x?xf32>
      %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %4 = fuser.div %0, %3 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %5 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %6 = fuser.mul %4, %5 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %6 : tensor<?x?xf32>
    })");
  Persistence persistence = find(program);
  ASSERT_EQ(getValues(persistence), (SmallVector<Value>{program.getTensor(0)}));
  const PersistentValue &copy = persistence.values.front();
  EXPECT_EQ(copy.reductions, (SmallVector<Operation *>{program.getOp(2)}));
  EXPECT_EQ(copy.lateUses, (SmallVector<Operation *>{program.getOp(4)}));
  EXPECT_EQ(copy.sources, (SmallVector<Value>{program.getArgument(0)}));
  EXPECT_EQ(toString(persistence.bytesPerRow), "s1 * 4");
  EXPECT_EQ(persistence.kept, (SmallVector<Value>{program.getArgument(0)}));
  EXPECT_EQ(toString(persistence.keptBytesPerRow), "s1 * 2");
}

// exp(x - max) is persistent across the sum, x across the max; keeping x is enough.
TEST(PersistenceTest, SoftmaxProjectsToItsInput) {
  Program program(R"(
    fuser.fusion @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %3 = fuser.exp %2 : tensor<?x?xf32>
      %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %6 : tensor<?x?xf32>
    })");
  Persistence persistence = find(program);
  Value x = program.getArgument(0), exponential = program.getTensor(3);
  ASSERT_EQ(getValues(persistence), (SmallVector<Value>{x, exponential}));
  EXPECT_TRUE(persistence.values[0].sources.empty());
  EXPECT_EQ(persistence.values[1].sources, (SmallVector<Value>{x}));
  EXPECT_EQ(persistence.values[1].reductions, (SmallVector<Operation *>{program.getOp(4)}));
  EXPECT_EQ(toString(persistence.bytesPerRow), "s1 * 8");
  EXPECT_EQ(persistence.kept, (SmallVector<Value>{x}));
  EXPECT_EQ(toString(persistence.keptBytesPerRow), "s1 * 4");
}

// Two f32 inputs would cost more than their sum.
TEST(PersistenceTest, KeepsTheCheaperSide) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %0 = fuser.add %x, %y : tensor<?x64xf32>
      %1 = fuser.sum %0 dims [0] : tensor<?x64xf32> -> tensor<64xf32>
      %2 = fuser.broadcast %1 dims [0] : tensor<64xf32> -> tensor<1x64xf32>
      %3 = fuser.sub %0, %2 : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
      fuser.return %3 : tensor<?x64xf32>
    })");
  Persistence persistence = find(program);
  ASSERT_EQ(getValues(persistence), (SmallVector<Value>{program.getTensor(0)}));
  EXPECT_EQ(persistence.values[0].sources.size(), 2u);
  EXPECT_EQ(persistence.kept, (SmallVector<Value>{program.getTensor(0)}));
  EXPECT_EQ(toString(persistence.keptBytesPerRow), "s0 * 4");
}

// The value after the reduction is not the one before it, but computed from the same input.
TEST(PersistenceTest, SharedSourcesCount) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.neg %x : tensor<?x?xf32>
      %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %4 = fuser.div %1, %3 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %4 : tensor<?x?xf32>
    })");
  Persistence persistence = find(program);
  ASSERT_EQ(getValues(persistence), (SmallVector<Value>{program.getTensor(1)}));
  EXPECT_EQ(persistence.values[0].sources, (SmallVector<Value>{program.getArgument(0)}));
}

TEST(PersistenceTest, FindsNothingWhereNothingIsReadAgain) {
  Program reduction(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %3 = fuser.add %y, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %1, %3 : tensor<?xf32>, tensor<?x?xf32>
    })");
  // %y has a dimension of the same size, but nothing says that it is the same dimension, nor is it
  // part of the sum.
  Persistence persistence = find(reduction);
  EXPECT_TRUE(persistence.values.empty());
  EXPECT_TRUE(persistence.kept.empty());
  EXPECT_FALSE(persistence.bytesPerRow);
  // A value that is returned, and read by nobody after the reduction.
  Program both(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
    })");
  EXPECT_TRUE(find(both).values.empty());
}
} // namespace
