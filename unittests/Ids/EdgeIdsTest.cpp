//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/EdgeIds.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;

namespace {

TensorViewOpInterface getView(Program &program, unsigned index) {
  return cast<TensorViewOpInterface>(program.getOp(index));
}

/// The first error of `verifyInlinePositions`, or nothing.
std::string getMessage(Program &program) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(program.get());
  EXPECT_TRUE(succeeded(extents));
  std::string message;
  ScopedDiagnosticHandler handler(&program.context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  EXPECT_EQ(failed(verifyInlinePositions(program.get(), *extents)), !message.empty());
  return message;
}

unsigned getNumShared(TensorViewOpInterface producer, Operation *consumer) {
  return getNumSharedLoops(producer, consumer, IdRelations(*producer->getBlock()));
}

/// How many loops a value shares with all of its consumers.
unsigned getMaxInlinePosition(TensorViewOpInterface producer) {
  unsigned position = producer.getDomain().getLoop().size();
  for (Operation *user : producer->getUsers())
    position =
        isa<TensorViewOpInterface>(user) ? std::min(position, getNumShared(producer, user)) : 0;
  return position;
}

// A split by the extent of a part gives the parts of a merge again.
TEST(EdgeIdsTest, SplitsUndoMerges) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> (tensor<?x31xf32>, tensor<?x31xf32>) {
      %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], split(i0, 31) -> (i1, i2), merge(i2, i1) -> i3,
          split(i3, outer 31) -> (i4, i5), merge(i5, i4) -> i6, loop = [i6 @thread_x]>]} : tensor<?xf32>
      %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0], split(i0, 31) -> (i1, i2), logical = [i1, i2],
          merge(i1, i2) -> i3, loop = [i3 @thread_x]>]} : tensor<?xf32> -> tensor<?x31xf32>
      %2 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], split(i0, 31) -> (i1, i2), merge(i2, i1) -> i3,
          split(i3, outer 30) -> (i4, i5), merge(i5, i4) -> i6, loop = [i6 @thread_x]>]} : tensor<?xf32>
      %3 = fuser.reshape %2 {domains = [#fuser.domain<root = [i0], split(i0, 31) -> (i1, i2), logical = [i1, i2],
          merge(i1, i2) -> i3, loop = [i3 @thread_x]>]} : tensor<?xf32> -> tensor<?x31xf32>
      fuser.return %1, %3 : tensor<?x31xf32>, tensor<?x31xf32>
    })");
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(1)), 1u);
  EXPECT_EQ(getNumShared(getView(program, 2), program.getOp(3)), 0u);
}

TEST(EdgeIdsTest, EqualTransformsShareTheirLoops) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x {inline_at = 2, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4),
          split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xf32>
      %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4),
          split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4]>]} : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  EXPECT_EQ(getMessage(program), "");
  // The third loops correspond, but one is a vector.
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 2u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 1)), 0u);
  EdgeIds loops(getView(program, 0), program.getOp(1)->getOpOperand(0));
  EXPECT_TRUE(loops.correspond(4, 4));
  EXPECT_FALSE(loops.correspond(6, 5));
  EXPECT_EQ(loops.getNumSharedLoops(), 2u);
}

TEST(EdgeIdsTest, OtherFactorsDoNot) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {inline_at = 1, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  std::optional<EdgeIds::Conflict> conflict =
      EdgeIds(getView(program, 0), program.getOp(1)->getOpOperand(0)).findConflict(1);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, InlineConflictKind::DifferentIds);
  EXPECT_EQ(conflict->position, 0u);
  EXPECT_EQ(getMessage(program),
            "'fuser.set' op expected its first 1 loops ('inline_at') to be those of its consumer, "
            "but loop 0 runs over an id that does not correspond to the consumer's");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 0u);
}

// A size-1 dimension, or a `broadcast()` id where there is none, stands for what the consumer has.
TEST(EdgeIdsTest, BroadcastsStandForAnything) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x {inline_at = 2, domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(i0, b1) -> i2,
          split(i2, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>]} : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [1] {inline_at = 2, domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2,
          split(i2, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>]} : tensor<?xf32> -> tensor<?x1xf32>
      %2 = fuser.add %1, %y {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2,
          split(i2, 128) -> (i3, i4), loop = [i3 @block_x, i4 @thread_x]>]}
          : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  EXPECT_EQ(getMessage(program), "");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 2u);
}

// A merge with a size-1 dimension is the other dimension; with one that has a size it is not.
TEST(EdgeIdsTest, MergesWithBroadcastsKeepTheIndex) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.set %x {inline_at = 1, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<?xf32>
      %1 = fuser.broadcast %0 dims [1] {inline_at = 1, domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2,
          loop = [i2 @block_x]>]} : tensor<?xf32> -> tensor<?x1xf32>
      %2 = fuser.add %1, %y {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>]}
          : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %3 = fuser.set %y {inline_at = 1, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<?x?xf32>
      %4 = fuser.neg %3 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]} : tensor<?x?xf32>
      fuser.return %2, %4 : tensor<?x?xf32>, tensor<?x?xf32>
    })");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 1u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 1)), 1u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 3)), 0u);
}

// What a broadcast becomes in one consumer does not matter to the other.
TEST(EdgeIdsTest, BroadcastsResolvedTwoWays) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.broadcast %x dims [1] {inline_at = 1} : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.add %0, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuser.add %0, %z {domains = [#fuser.domain<logical = [i0, i1], loop = [i1, i0]>]}
          : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
    })");
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(1)), 2u);
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(2)), 0u);
  EXPECT_NE(getMessage(program), "");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 0u);
}

// A producer inside the loops of a pad runs over the padded range, by the same resize.
TEST(EdgeIdsTest, PadsShareResizedLoops) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.set %x {inline_at = 1, domains = [#fuser.domain<logical = [i0], resize(i0, 1, 2) -> i1, split(i1, 4) -> (i2, i3),
          loop = [i2, i3]>]} : tensor<?xf32>
      %1 = fuser.pad %0 low [1] high [2] value %v {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2),
          loop = [i1, i2]>]} : tensor<?xf32>, f32 -> tensor<?xf32>
      %2 = fuser.set %x {inline_at = 1} : tensor<?xf32>
      %3 = fuser.pad %2 low [1] high [2] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
      fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
    })");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 2u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 2)), 0u);
}

TEST(EdgeIdsTest, ReductionsStopBeforeTheirLoop) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {inline_at = 2} : tensor<?x?xf32>
      %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.neg %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })");
  EXPECT_EQ(getMessage(program), "");
  // A value may be computed inside of its consumer's reduction loop, but not of its own.
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 2u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 1)), 1u);
}

TEST(EdgeIdsTest, ReportsMissingLoopsAndParallelTypes) {
  Program missing(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {inline_at = 2, domains = [#fuser.domain<logical = [i0], broadcast() -> b1, loop = [i0, b1]>]} : tensor<?xf32>
      %1 = fuser.neg %0 : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  EXPECT_EQ(getMessage(missing),
            "'fuser.set' op expected its first 2 loops ('inline_at') to be those of its consumer, "
            "but loop 1 is none of its 1");
  Program parallel(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {inline_at = 1, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<?xf32>
      %1 = fuser.neg %0 : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  EXPECT_EQ(getMessage(parallel),
            "'fuser.set' op expected its first 1 loops ('inline_at') to be those of its consumer, "
            "but loop 0 is @block_x here and @serial there");
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

// Loops before a split that are not split themselves are those of a merge of the parts after it.
TEST(EdgeIdsTest, AMergeOfTheSplitPartsIsTheWhole) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x4096xf32>) -> tensor<?x32x128xf32> {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), loop = [i0, i2, i3]>]}
          : tensor<?x4096xf32>
      %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], split(i1, 128) -> (i2, i3), merge(i2, i3) -> i4,
          split(i4, 8) -> (i5, i6), logical = [i0, i2, i3], loop = [i0, i5, i6]>]} : tensor<?x4096xf32> -> tensor<?x32x128xf32>
      %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1, i2], merge(i1, i2) -> i3, split(i3, 8) -> (i4, i5),
          loop = [i0, i4, i5]>]} : tensor<?x32x128xf32>
      fuser.return %2 : tensor<?x32x128xf32>
    })");
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(1)), 3u);
  EXPECT_EQ(getNumShared(getView(program, 1), program.getOp(2)), 3u);
}

// Loops over the parts before a merge are those of a split of the whole after it, by a static part.
TEST(EdgeIdsTest, ASplitOfTheMergedDimensionGivesItsParts) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x128xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.set %x : tensor<?x128xf32>
      %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, split(i2, 128) -> (i3, i4),
          logical = [i2], loop = [i3, i4]>]} : tensor<?x128xf32> -> tensor<?xf32>
      %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], split(i0, 128) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      %3 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      fuser.return %2, %3 : tensor<?xf32>, tensor<?xf32>
    })");
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(1)), 2u);
  EXPECT_EQ(getNumShared(getView(program, 1), program.getOp(2)), 2u);
  EXPECT_EQ(getNumShared(getView(program, 1), program.getOp(3)), 0u);
}

// 6 x 4 as 4 x 6: the flattened loop is shared, the parts are not.
TEST(EdgeIdsTest, OtherFactorizationsShareTheMergedLoop) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<6x4xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]} : tensor<6x4xf32>
      %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4),
          merge(i3, i4) -> i5, logical = [i3, i4], loop = [i5]>]} : tensor<6x4xf32> -> tensor<4x6xf32>
      %2 = fuser.set %x : tensor<6x4xf32>
      %3 = fuser.reshape %2 : tensor<6x4xf32> -> tensor<4x6xf32>
      fuser.return %1, %3 : tensor<4x6xf32>, tensor<4x6xf32>
    })");
  EXPECT_EQ(getNumShared(getView(program, 0), program.getOp(1)), 1u);
  EXPECT_EQ(getNumShared(getView(program, 2), program.getOp(3)), 0u);
}
} // namespace
