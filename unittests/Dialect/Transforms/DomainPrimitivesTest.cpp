//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "KernelFixture.h"

using namespace mlir;
using namespace fuser;

namespace {

class DomainPrimitivesTest : public KernelTest {
protected:
  void SetUp() override {
    parse(R"(
      fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?xf32> {
        %0 = fuser.set %x : tensor<?x?xf32>
        %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
        fuser.return %1 : tensor<?xf32>
      })");
  }
};

TEST_F(DomainPrimitivesTest, SplitReplacesTheLoopInPlace) {
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 8)));
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 0, 4, /*inner=*/false)));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), "
            "split(i0, outer 4) -> (i4, i5), loop = [i4, i5, i2, i3], allocation = [i0, i1]>");
  verify();
}

TEST_F(DomainPrimitivesTest, SplitRefusesWhatIsNoLoopOrNoFactor) {
  DomainAttr before = getOp(0).getDomain();
  EXPECT_TRUE(failed(splitLoop(getOp(0), 2, 8)));
  EXPECT_EQ(message, "'fuser.set' op expected the position of one of 2 loops, but got 2");
  EXPECT_TRUE(failed(splitLoop(getOp(0), 0, 0)));
  EXPECT_EQ(message, "'fuser.set' op expected a split factor of at least 1, but got 0");
  EXPECT_EQ(getOp(0).getDomain(), before);
}

TEST_F(DomainPrimitivesTest, SplitRefusesABoundLoop) {
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(0), 0, ParallelType::BlockX)));
  EXPECT_TRUE(failed(splitLoop(getOp(0), 0, 2)));
  EXPECT_EQ(message, "'fuser.set' op expected loop 0 to be serial before it is transformed, but "
                     "got @block_x");
}

TEST_F(DomainPrimitivesTest, MergeKeepsReductionsApart) {
  ASSERT_TRUE(succeeded(mergeLoops(getOp(0), 0, 1)));
  EXPECT_EQ(print(getOp(0).getDomain()), "#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, "
                                         "loop = [i2], allocation = [i0, i1]>");
  EXPECT_TRUE(failed(mergeLoops(getOp(1), 0, 1)));
  EXPECT_EQ(message, "'fuser.sum' op expected loops 0 and 1 to be both reductions or both not, but "
                     "loop 1 alone is one");
  EXPECT_TRUE(failed(mergeLoops(getOp(1), 1, 1)));
}

TEST_F(DomainPrimitivesTest, ReorderTakesPermutationsThatKeepVectorsInnermost) {
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 8)));
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(0), 2, ParallelType::Vectorize)));
  ASSERT_TRUE(succeeded(reorderLoops(getOp(0), {1, 0, 2})));
  EXPECT_EQ(getOp(0).getDomain().getLoop()[0], 2u);
  EXPECT_TRUE(failed(reorderLoops(getOp(0), {0, 2, 1})));
  EXPECT_TRUE(failed(reorderLoops(getOp(0), {0, 1})));
  EXPECT_EQ(message, "'fuser.set' op expected an order of the positions 0 to 2, but got [0, 1]");
  verify();
}

TEST_F(DomainPrimitivesTest, SwizzleKeepsBothPlacesAndAsksForAPowerOfTwo) {
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 32)));
  ASSERT_TRUE(succeeded(swizzleLoops(getOp(0), 0, 2, 4)));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), "
            "swizzle(i0, i3, 4) -> (i4, i5), loop = [i4, i2, i5], allocation = [i0, i1]>");
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 1, 6)));
  EXPECT_TRUE(failed(swizzleLoops(getOp(1), 0, 2, 1)));
  EXPECT_EQ(message,
            "'fuser.sum' op expected swizzled loops that are both reduced or both not, but "
            "loop 2 is reduced and loop 0 is not");
  EXPECT_TRUE(failed(swizzleLoops(getOp(1), 1, 2, 1)));
  EXPECT_EQ(message, "'fuser.sum' op expected the swizzled loop 2 to have an extent that is a "
                     "power of two, but got 6");
  verify();
}

TEST_F(DomainPrimitivesTest, ResizeWidens) {
  ASSERT_TRUE(succeeded(resizeLoop(getOp(0), 0, 1, 2)));
  EXPECT_EQ(print(getOp(0).getDomain()), "#fuser.domain<logical = [i0, i1], resize(i0, 1, 2) -> i2,"
                                         " loop = [i2, i1], allocation = [i0, i1]>");
  EXPECT_TRUE(failed(resizeLoop(getOp(0), 0, -1, 0)));
}

TEST_F(DomainPrimitivesTest, ParallelTypesAreBoundOnce) {
  ASSERT_TRUE(succeeded(parallelizeLoop(getOp(0), 0, ParallelType::ThreadX)));
  EXPECT_TRUE(failed(parallelizeLoop(getOp(0), 1, ParallelType::ThreadX)));
  EXPECT_EQ(message, "'fuser.set' op expected @thread_x on one loop, but loop 0 has it");
  EXPECT_TRUE(failed(parallelizeLoop(getOp(0), 0, ParallelType::Vectorize)));
  EXPECT_EQ(message, "'fuser.set' op expected @vectorize on the innermost loop, but got loop 0");
}

TEST_F(DomainPrimitivesTest, InlineStopsBeforeAReduction) {
  EXPECT_TRUE(succeeded(inlineAt(getOp(1), 1)));
  EXPECT_TRUE(failed(inlineAt(getOp(1), 2)));
  EXPECT_EQ(message, "'fuser.sum' op expected an inline position of at most 1, before the first "
                     "reduction loop, but got 2");
  EXPECT_TRUE(failed(inlineAt(getOp(0), 3)));
  verify();
}

TEST_F(DomainPrimitivesTest, AReturnedValueStaysInGlobalMemory) {
  EXPECT_TRUE(succeeded(setMemory(getOp(0), MemoryType::Shared)));
  EXPECT_TRUE(failed(setMemory(getOp(1), MemoryType::Shared)));
  EXPECT_EQ(message, "'fuser.sum' op expected a returned value in global memory, but got 'shared'");
}

TEST_F(DomainPrimitivesTest, AllocationFollowsDimensionsOrLoops) {
  ASSERT_TRUE(succeeded(orderAllocation(getOp(0), {1, 0})));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i1, i0]>");
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 8)));
  ASSERT_TRUE(succeeded(allocateLoops(getOp(0), {1, 0, 2})));
  ASSERT_TRUE(succeeded(swizzleAllocation(getOp(0), 0, 2, 1)));
  // Loops and allocation have ids of their own from here on.
  ASSERT_TRUE(succeeded(mergeLoops(getOp(0), 0, 1)));
  EXPECT_EQ(print(getOp(0).getDomain()),
            "#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), "
            "swizzle(i2, i3, 1) -> (i4, i5), merge(i0, i2) -> i6, loop = [i6, i3], "
            "allocation = [i4, i0, i5]>");
  ASSERT_TRUE(succeeded(allocateLoops(getOp(1), {0})));
  verify();
}

TEST_F(DomainPrimitivesTest, AllocationRefusesWhatIsNoOrder) {
  EXPECT_TRUE(failed(orderAllocation(getOp(0), {0})));
  EXPECT_EQ(message, "'fuser.set' op expected an order of 2 dimensions, but got [0]");
  EXPECT_TRUE(failed(allocateLoops(getOp(1), {0, 1})));
  EXPECT_EQ(message, "'fuser.sum' op expected an order of the loops [0], which neither reduce nor "
                     "stand for loops of other ops, but got [0, 1]");
  EXPECT_TRUE(failed(swizzleAllocation(getOp(0), 0, 2, 1)));
  EXPECT_EQ(message, "'fuser.set' op expected one of 2 positions of the allocation, but got 2");
  EXPECT_TRUE(failed(swizzleAllocation(getOp(0), 1, 0, 0)));
  EXPECT_EQ(message, "'fuser.set' op expected a swizzle period of at least 1, but got 0");
  ASSERT_TRUE(succeeded(splitLoop(getOp(0), 1, 3)));
  ASSERT_TRUE(succeeded(allocateLoops(getOp(0), {0, 1, 2})));
  EXPECT_TRUE(failed(swizzleAllocation(getOp(0), 0, 2, 1)));
  EXPECT_EQ(message, "'fuser.set' op expected the swizzled position 2 to have an extent that is a "
                     "power of two, but got 3");
}

TEST_F(DomainPrimitivesTest, RFactorMakesTwoReductions) {
  ASSERT_TRUE(succeeded(splitLoop(getOp(1), 1, 16)));
  FailureOr<Operation *> partial = rfactor(getOp(1), 2);
  ASSERT_TRUE(succeeded(partial));
  auto view = cast<TensorViewOpInterface>(*partial);
  EXPECT_EQ(print(view.getDomain()),
            "#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3), logical = [i0, r2, i3], "
            "loop = [i0, r2, i3], allocation = [i0, i3]>");
  EXPECT_EQ(cast<RankedTensorType>(view->getResult(0).getType()).getShape()[1], 16);
  EXPECT_EQ(getOp(2)->getOperand(0), view->getResult(0));
  verify();
}

TEST_F(DomainPrimitivesTest, RFactorRefusesWholeAndIterationLoops) {
  EXPECT_TRUE(failed(rfactor(getOp(1), 1)));
  EXPECT_EQ(message,
            "'fuser.sum' op expected a reduction loop made by a transform, but got loop 1");
  EXPECT_TRUE(failed(rfactor(getOp(1), 0)));
  EXPECT_TRUE(failed(rfactor(getOp(0), 0)));
  EXPECT_EQ(message, "'fuser.set' op expected rfactor of a sum, prod, min or max");
}

} // namespace
