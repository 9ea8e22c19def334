//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/InlineLegality.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;

namespace {

TensorViewOpInterface getView(Program &program, unsigned index) {
  return cast<TensorViewOpInterface>(program.getOp(index));
}

/// The diagnostics (errors and notes) of the first conflict of a program.
std::string getMessage(Program &program) {
  SmallVector<InlineConflict> conflicts = findInlineConflicts(program.get());
  if (conflicts.empty())
    return "";
  std::string message;
  ScopedDiagnosticHandler handler(&program.context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  emitInlineConflict(conflicts.front());
  return message;
}

TEST(InlineLegalityTest, EqualTransformsShareTheirLoops) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x {inline_at = 2, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4),
          split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4 @vectorize]>]} : tensor<?x?xf32>
      %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 4) -> (i3, i4),
          split(i3, 128) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x, i4]>]} : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  EXPECT_TRUE(findInlineConflicts(program.get()).empty());
  // The third loops correspond, but one is a vector.
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 2u);
  EXPECT_EQ(getMaxInlinePosition(getView(program, 1)), 0u);
  LoopCorrespondence loops(getView(program, 0), program.getOp(1)->getOpOperand(0));
  EXPECT_TRUE(loops.correspond(4, 4));
  EXPECT_FALSE(loops.correspond(6, 5));
  EXPECT_EQ(loops.getNumSharedLoops(), 2u);
}

TEST(InlineLegalityTest, OtherFactorsDoNot) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {inline_at = 1, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1, i2]>]} : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  SmallVector<InlineConflict> conflicts = findInlineConflicts(program.get());
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].kind, InlineConflictKind::DifferentIds);
  EXPECT_EQ(conflicts[0].position, 0u);
  EXPECT_EQ(conflicts[0].consumer, program.getOp(1));
  EXPECT_EQ(getMessage(program),
            "'fuser.set' op expected its first 1 loops ('inline_at') to be those of its consumer, "
            "but loop 0 runs over an id that does not correspond to the consumer's");
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 0u);
}

// A size-1 dimension, or a `broadcast()` id where there is none, stands for what the consumer has.
TEST(InlineLegalityTest, BroadcastsStandForAnything) {
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
TEST(InlineLegalityTest, MergesWithBroadcastsKeepTheIndex) {
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
TEST(InlineLegalityTest, BroadcastsResolvedTwoWays) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.broadcast %x dims [1] {inline_at = 1} : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.add %0, %y : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      %2 = fuser.add %0, %z {domains = [#fuser.domain<logical = [i0, i1], loop = [i1, i0]>]}
          : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
    })");
  SmallVector<InlineConflict> conflicts = findInlineConflicts(program.get());
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].consumer, program.getOp(2));
  EXPECT_EQ(getMaxInlinePosition(getView(program, 0)), 0u);
}

// A producer inside the loops of a pad runs over the padded range, by the same resize.
TEST(InlineLegalityTest, PadsShareResizedLoops) {
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
  SmallVector<InlineConflict> conflicts = findInlineConflicts(program.get());
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].producer, program.getOp(2));
}

TEST(InlineLegalityTest, ReductionsStopBeforeTheirLoop) {
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

TEST(InlineLegalityTest, ReportsMissingLoopsAndParallelTypes) {
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
} // namespace
