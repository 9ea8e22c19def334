//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Inlining.h"
#include "KernelFixture.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "fuser/Ids/EdgeIds.h"

using namespace mlir;
using namespace fuser;

namespace {

class InliningTest : public KernelTest {
protected:
  /// Splits the reduced rows over threads, on all ops.
  void scheduleRows(unsigned reference) {
    TensorViewOpInterface op = getOp(reference);
    ASSERT_TRUE(succeeded(splitLoop(op, 1, 32)));
    ASSERT_TRUE(succeeded(parallelizeLoop(op, 0, ParallelType::BlockX)));
    ASSERT_TRUE(succeeded(parallelizeLoop(op, 2, ParallelType::ThreadX)));
    SmallVector<Operation *> ops;
    for (Operation &other : kernel.getBody().front())
      if (isa<TensorViewOpInterface>(other))
        ops.push_back(&other);
    ASSERT_TRUE(succeeded(propagateTransforms(op, ops, IdRelations(kernel.getBody().front()))));
  }
  IdRelations getClasses() { return IdRelations(kernel.getBody().front()); }
};

/// x is used before and after the sum of its rows.
const char *const centered = R"(
  fuser.kernel @k(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = fuser.set %x : tensor<?x?xf32>
    %1 = fuser.set %w : tensor<?xf32>
    %2 = fuser.add %0, %0 : tensor<?x?xf32>
    %3 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    %5 = fuser.add %0, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    %6 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %7 = fuser.add %5, %6 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
    fuser.return %7 : tensor<?x?xf32>
  })";

TEST_F(InliningTest, AValueUsedOnBothSidesOfAReductionIsKept) {
  parse(centered);
  scheduleRows(3);
  inlineMost(kernel);
  EXPECT_EQ(getOp(0).getInlinePosition(), 1); // x: the row is kept
  EXPECT_EQ(getOp(1).getInlinePosition(), 3); // w
  EXPECT_EQ(getOp(2).getInlinePosition(), 3); // x + x
  EXPECT_EQ(getOp(3).getInlinePosition(), 1); // the sum, once per row
  EXPECT_EQ(getOp(4).getInlinePosition(), 1);
  EXPECT_EQ(getOp(5).getInlinePosition(), 3);
  EXPECT_EQ(getOp(6).getInlinePosition(), 3);
  EXPECT_EQ(getOp(7).getInlinePosition(), 0); // the result
  verify();
}

// w joins the rows before the sum with those behind it. It alone is kept: the sum needs no row of
// x.
TEST_F(InliningTest, OnlyWhatCrossesAReductionIsKept) {
  for (bool isFirst : {true, false}) {
    const char *w = "%w = fuser.set %b : tensor<?x?xf32>\n";
    parse(std::string("fuser.kernel @k(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>)"
                      "    -> (tensor<?x?xf32>, tensor<?x?xf32>) {\n") +
          (isFirst ? w : "") + "%x = fuser.set %a : tensor<?x?xf32>\n" + (isFirst ? "" : w) + R"(
        %2 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
        %3 = fuser.add %x, %w : tensor<?x?xf32>
        %4 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
        %5 = fuser.add %w, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
        fuser.return %3, %5 : tensor<?x?xf32>, tensor<?x?xf32>
      })");
    scheduleRows(2);
    inlineMost(kernel);
    EXPECT_EQ(getOp(isFirst ? 0 : 1).getInlinePosition(), 1); // w
    EXPECT_EQ(getOp(isFirst ? 1 : 0).getInlinePosition(), 3); // x
    EXPECT_EQ(getOp(2).getInlinePosition(), 1);               // the sum, once per row
    verify();
  }
}

TEST_F(InliningTest, LimitsHold) {
  parse(centered);
  scheduleRows(3);
  InlineLimits limits;
  limits[getOp(1)] = 2;
  inlineMost(kernel, limits);
  EXPECT_EQ(getOp(1).getInlinePosition(), 2);
  EXPECT_EQ(getOp(2).getInlinePosition(), 3);
  inlineUpTo(kernel, {getOp(2).getOperation()}, 1);
  EXPECT_EQ(getOp(2).getInlinePosition(), 1);
  EXPECT_EQ(getOp(1).getInlinePosition(), 2);
  verify();
}

/// Where each op of a kernel is computed, after all ops got the loops of one of them.
TEST_F(InliningTest, PositionsOfKernels) {
  auto inlineAll = [&](const char *text, unsigned reference) {
    parse(text);
    scheduleRows(reference);
    inlineMost(kernel);
    verify();
    std::string positions;
    for (Operation &op : kernel.getBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op))
        positions += std::to_string(view.getInlinePosition()) + " ";
    return positions;
  };
  // A value that is returned and read.
  EXPECT_EQ(inlineAll(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.neg %0 : tensor<?x?xf32>
      %2 = fuser.abs %1 : tensor<?x?xf32>
      fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
    })",
                      2),
            "3 3 0 ");
  // Two reductions of one value, of which the second needs the first.
  EXPECT_EQ(inlineAll(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %6, %4 : tensor<?x?xf32>, tensor<?xf32>
    })",
                      6),
            "1 1 1 1 1 1 0 ");
  // Two reductions of different values, and what reads both.
  EXPECT_EQ(inlineAll(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.neg %y : tensor<?x?xf32>
      %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %3 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %4 = fuser.mul %2, %3 : tensor<?xf32>
      %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %6 = fuser.mul %0, %1 : tensor<?x?xf32>
      %7 = fuser.add %6, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %7 : tensor<?x?xf32>
    })",
                      7),
            "3 3 1 1 1 1 1 0 ");
  // Chains that nothing joins, and an op that nothing reads.
  EXPECT_EQ(inlineAll(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
      %0 = fuser.add %x, %y : tensor<?x?xf32>
      %1 = fuser.neg %y : tensor<?x?xf32>
      %2 = fuser.mul %0, %0 : tensor<?x?xf32>
      %3 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %4 = fuser.abs %0 : tensor<?x?xf32>
      fuser.return %2, %3 : tensor<?x?xf32>, tensor<?xf32>
    })",
                      2),
            "3 3 0 0 0 ");
}

TEST_F(InliningTest, ADifferentTransformEndsWhatIsShared) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.set %x : tensor<?x?xf32>
      %1 = fuser.add %0, %0 : tensor<?x?xf32>
      fuser.return %1 : tensor<?x?xf32>
    })");
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 8)));
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 1, 4)));
  EXPECT_EQ(getNumSharedLoops(getOp(0), getOp(1), getClasses()), 1u);
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(1), 0, ParallelType::BlockX)));
  EXPECT_EQ(getNumSharedLoops(getOp(0), getOp(1), getClasses()), 0u);
}

} // namespace
