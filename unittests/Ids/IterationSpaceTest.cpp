//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Members are written by hand: a member is what an op or a tensor has of the classes of a program.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IterationSpace.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::kFlat;
using fuser::test::kHeads;
using fuser::test::kOtherFactors;
using fuser::test::Program;
using Classes = SmallVector<unsigned>;
using Member = IterationSpace::Member;

namespace {

/// An op that has ids of the given classes and reduces some of them.
Member makeOp(ArrayRef<unsigned> classes, ArrayRef<unsigned> reduced = {}) {
  Member member;
  for (unsigned idClass : classes)
    member.ids.push_back({idClass, llvm::is_contained(reduced, idClass)});
  return member;
}

/// A tensor whose dimensions lie in this order, slowest first. `strided` ones are not contiguous
/// with the next faster one.
Member makeTensor(ArrayRef<unsigned> classes, ArrayRef<unsigned> strided = {}) {
  Member member;
  member.isTensor = true;
  for (unsigned idClass : classes)
    member.ids.push_back(
        {idClass, /*isReduced=*/false, /*isContiguous=*/!llvm::is_contained(strided, idClass)});
  return member;
}

/// A program and its classes. A class is named by a tensor (0: the first argument, 1: the result of
/// the first op, ...) and a dimension.
class Space {
public:
  explicit Space(StringRef text)
      : program(text), relations(program.get().getFunctionBody().front()) {}

  unsigned operator()(unsigned tensor, unsigned dim) {
    Value value = tensor == 0 ? program.getArgument(0) : program.getTensor(tensor - 1);
    return relations.getClass(value, dim);
  }
  IterationSpace choose(ArrayRef<Member> members) { return IterationSpace(relations, members); }

  Program program;
  IdRelations relations;
};

/// Of a class: its loop classes.
Classes getLoops(const IterationSpace &space, unsigned idClass) {
  return Classes(space.getLoopClasses(idClass));
}

class HeadsTest : public testing::Test {
protected:
  Space space{kHeads};
  unsigned rows = space(0, 0), whole = space(0, 1), outer = space(1, 1), inner = space(1, 2);
  const Classes both = {outer, inner};
};

TEST(IterationSpaceTest, WithoutAReshapeEachClassIsItsOwn) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  IterationSpace loops = space.choose({makeOp({space(0, 0), space(0, 1)}, {space(0, 1)})});
  EXPECT_EQ(getLoops(loops, space(0, 0)), Classes{space(0, 0)});
  EXPECT_EQ(getLoops(loops, space(0, 1)), Classes{space(0, 1)});
  EXPECT_EQ(loops.getConflict(), nullptr);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

TEST_F(HeadsTest, WholeWhereAllHaveItOrAllOfItsParts) {
  IterationSpace loops =
      space.choose({makeOp({rows, whole}), makeOp({rows, outer, inner}), makeTensor({rows, whole}),
                    makeTensor({rows, outer, inner})});
  for (unsigned idClass : {whole, outer, inner})
    EXPECT_EQ(getLoops(loops, idClass), Classes{whole});
  EXPECT_EQ(getLoops(loops, rows), Classes{rows});
  EXPECT_EQ(loops.getLoopClasses({rows, outer, inner}), (Classes{rows, whole}));
  EXPECT_EQ(loops.getConflict(), nullptr);
}

TEST_F(HeadsTest, WholeWhereSomeHaveNothingOfIt) {
  IterationSpace loops = space.choose({makeOp({rows, whole}), makeOp({rows})});
  EXPECT_EQ(getLoops(loops, inner), Classes{whole});
}

TEST_F(HeadsTest, WholeWhereBothPartsAreReduced) {
  IterationSpace loops = space.choose({makeOp({rows, outer, inner}, {outer, inner})});
  EXPECT_EQ(getLoops(loops, outer), Classes{whole});
}

//===----------------------------------------------------------------------===//
// The parts
//===----------------------------------------------------------------------===//

TEST_F(HeadsTest, PartsWhereOneIsReduced) {
  for (unsigned reduced : {outer, inner}) {
    IterationSpace loops =
        space.choose({makeOp({rows, whole}), makeOp({rows, outer, inner}, {reduced})});
    EXPECT_EQ(getLoops(loops, whole), both);
    EXPECT_EQ(getLoops(loops, outer), Classes{outer});
    EXPECT_EQ(getLoops(loops, inner), Classes{inner});
    EXPECT_EQ(loops.getLoopClasses({rows, whole}), (Classes{rows, outer, inner}));
    EXPECT_EQ(loops.getConflict(), nullptr);
  }
}

TEST_F(HeadsTest, PartsWhereOneIsMissing) {
  for (unsigned present : {outer, inner})
    EXPECT_EQ(getLoops(space.choose({makeOp({rows, whole}), makeOp({rows, present})}), whole),
              both);
}

// An op has its ids in no order; in memory only contiguous neighbours make the whole.
TEST_F(HeadsTest, PartsWhereTheyAreNoNeighboursInMemory) {
  auto getLoopsOfWhole = [&](Member member) {
    return getLoops(space.choose({makeOp({rows, whole}), member}), whole);
  };
  EXPECT_EQ(getLoopsOfWhole(makeOp({outer, rows, inner})), Classes{whole});
  EXPECT_EQ(getLoopsOfWhole(makeOp({inner, outer})), Classes{whole});
  EXPECT_EQ(getLoopsOfWhole(makeTensor({rows, outer, inner})), Classes{whole});
  EXPECT_EQ(getLoopsOfWhole(makeTensor({rows, outer, inner}, {rows, inner})), Classes{whole});
  EXPECT_EQ(getLoopsOfWhole(makeTensor({outer, rows, inner})), both);
  EXPECT_EQ(getLoopsOfWhole(makeTensor({rows, inner, outer})), both);
  EXPECT_EQ(getLoopsOfWhole(makeTensor({rows, outer, inner}, {outer})), both);
}

TEST_F(HeadsTest, HasAClassAsItIsOrAsParts) {
  const IdRelations &ids = space.relations;
  EXPECT_TRUE(IterationSpace::has(ids, makeOp({rows, whole}), whole));
  EXPECT_TRUE(IterationSpace::has(ids, makeOp({outer, inner}), whole));
  EXPECT_FALSE(IterationSpace::has(ids, makeOp({outer}), whole));
  EXPECT_FALSE(IterationSpace::has(ids, makeOp({outer, inner}, {inner}), whole));
  EXPECT_FALSE(IterationSpace::has(ids, makeOp({whole}), inner));
  EXPECT_FALSE(IterationSpace::has(ids, makeTensor({inner, outer}), whole));
}

//===----------------------------------------------------------------------===//
// Dynamic extents
//===----------------------------------------------------------------------===//

class FlatTest : public testing::Test {
protected:
  Space space{kFlat};
  unsigned outer = space(0, 0), inner = space(0, 1), whole = space(1, 0);
};

TEST_F(FlatTest, PartsWhereNoOpHasTheWhole) {
  IterationSpace loops = space.choose({makeOp({outer, inner}, {inner}), makeOp({outer, inner})});
  EXPECT_EQ(getLoops(loops, whole), (Classes{outer, inner}));
  EXPECT_EQ(loops.getConflict(), nullptr);
}

// Neither extent is static, so the whole cannot be split: the reduction has no loops in common
// with what has the whole.
TEST_F(FlatTest, ConflictWhereAPartIsReducedAndTheWholeCannotBeSplit) {
  IterationSpace loops = space.choose({makeOp({outer, inner}, {inner}), makeOp({whole})});
  EXPECT_EQ(loops.getConflict(), space.program.getOp(0));
}

// An op that lacks a part computes the same for all of its indices: no conflict.
TEST_F(FlatTest, WholeWhereAPartIsMissingAndTheWholeCannotBeSplit) {
  IterationSpace loops = space.choose({makeOp({outer}), makeOp({whole})});
  EXPECT_EQ(getLoops(loops, outer), Classes{whole});
  EXPECT_EQ(loops.getConflict(), nullptr);
}

//===----------------------------------------------------------------------===//
// Several products
//===----------------------------------------------------------------------===//

class OtherFactorsTest : public testing::Test {
protected:
  Space space{kOtherFactors};
  unsigned outerSix = space(0, 0), innerFour = space(0, 1), outerFour = space(1, 0),
           innerSix = space(1, 1);
  unsigned whole = space.relations.getMerged(outerSix, innerFour);
};

TEST_F(OtherFactorsTest, WholeThatNoOpHas) {
  ASSERT_NE(whole, IdRelations::kNone);
  IterationSpace loops =
      space.choose({makeOp({outerSix, innerFour}), makeOp({outerFour, innerSix})});
  for (unsigned idClass : {outerSix, innerFour, outerFour, innerSix})
    EXPECT_EQ(getLoops(loops, idClass), Classes{whole});
  EXPECT_EQ(loops.getLoopClasses({outerFour, innerSix}), Classes{whole});
}

// The parts of the other factorization are merged and split again.
TEST_F(OtherFactorsTest, TheReducedFactorizationWins) {
  IterationSpace loops =
      space.choose({makeOp({outerSix, innerFour}), makeOp({outerFour, innerSix}, {innerSix})});
  EXPECT_EQ(loops.getLoopClasses({outerSix, innerFour}), (Classes{outerFour, innerSix}));
  EXPECT_EQ(getLoops(loops, innerSix), Classes{innerSix});
  EXPECT_EQ(loops.getConflict(), nullptr);
}

TEST_F(OtherFactorsTest, ConflictWherePartsOfBothAreReduced) {
  IterationSpace loops = space.choose(
      {makeOp({outerSix, innerFour}, {innerFour}), makeOp({outerFour, innerSix}, {innerSix})});
  EXPECT_EQ(loops.getConflict(), space.program.getOp(0));
}

// 6 x 4 and 3 x 8 are both made of 3 x 2 x 4: parts of both may be reduced.
TEST(IterationSpaceTest, FactorsWithACommonRefinement) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<6x4xf32>) -> tensor<3x8xf32> {
      %0 = fuser.reshape %x : tensor<6x4xf32> -> tensor<3x8xf32>
      fuser.return %0 : tensor<3x8xf32>
    })");
  const unsigned six = space(0, 0), four = space(0, 1), three = space(1, 0), eight = space(1, 1);
  IterationSpace loops =
      space.choose({makeOp({six, four}, {four}), makeOp({three, eight}, {eight})});
  const Classes ofSix = getLoops(loops, six), ofEight = getLoops(loops, eight);
  ASSERT_EQ(ofSix.size(), 2u);
  EXPECT_EQ(ofSix[0], three);
  EXPECT_EQ(ofEight, (Classes{ofSix[1], four}));
  EXPECT_EQ(loops.getConflict(), nullptr);
}

TEST(IterationSpaceTest, PartsOfParts) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<24xf32>) -> tensor<2x3x4xf32> {
      %0 = fuser.reshape %x : tensor<24xf32> -> tensor<6x4xf32>
      %1 = fuser.neg %0 : tensor<6x4xf32>
      %2 = fuser.reshape %1 : tensor<6x4xf32> -> tensor<2x3x4xf32>
      fuser.return %2 : tensor<2x3x4xf32>
    })");
  const unsigned whole = space(0, 0), six = space(1, 0), four = space(1, 1), two = space(3, 0),
                 three = space(3, 1);
  // Only as deep as some op needs it.
  IterationSpace shallow =
      space.choose({makeOp({whole}), makeOp({six, four}, {four}), makeOp({two, three, four})});
  EXPECT_EQ(getLoops(shallow, whole), (Classes{six, four}));
  EXPECT_EQ(shallow.getLoopClasses({two, three, four}), (Classes{six, four}));
  IterationSpace deep =
      space.choose({makeOp({whole}), makeOp({six, four}), makeOp({two, three, four}, {three})});
  EXPECT_EQ(getLoops(deep, whole), (Classes{two, three, four}));
  EXPECT_EQ(deep.getConflict(), nullptr);
}

TEST(IterationSpaceTest, PartsOfInnerParts) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<24xf32>) -> tensor<4x3x2xf32> {
      %0 = fuser.reshape %x : tensor<24xf32> -> tensor<4x6xf32>
      %1 = fuser.neg %0 : tensor<4x6xf32>
      %2 = fuser.reshape %1 : tensor<4x6xf32> -> tensor<4x3x2xf32>
      fuser.return %2 : tensor<4x3x2xf32>
    })");
  const unsigned whole = space(0, 0), four = space(1, 0), six = space(1, 1), three = space(3, 1),
                 two = space(3, 2);
  IterationSpace loops =
      space.choose({makeOp({whole}), makeOp({four, six}), makeOp({four, three, two}, {three})});
  EXPECT_EQ(getLoops(loops, whole), (Classes{four, three, two}));
  EXPECT_EQ(loops.getConflict(), nullptr);
}

// A member that was split has the parts: the one that cannot be split further is in conflict with
// a reduction of a part of it.
TEST(IterationSpaceTest, SplitMembersAreAskedAgain) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<?x?x4xf32>) -> tensor<?xf32> {
      %0 = fuser.reshape %x : tensor<?x?x4xf32> -> tensor<?x4xf32>
      %1 = fuser.neg %0 : tensor<?x4xf32>
      %2 = fuser.reshape %1 : tensor<?x4xf32> -> tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })");
  const unsigned a = space(0, 0), b = space(0, 1), four = space(0, 2), merged = space(1, 0),
                 whole = space(3, 0);
  IterationSpace inner = space.choose({makeOp({a, b, four}, {four}), makeOp({whole})});
  EXPECT_EQ(getLoops(inner, whole), (Classes{merged, four}));
  EXPECT_EQ(getLoops(inner, b), Classes{merged});
  EXPECT_EQ(inner.getConflict(), nullptr);
  IterationSpace middle = space.choose({makeOp({a, b, four}, {b}), makeOp({whole})});
  EXPECT_EQ(middle.getConflict(), space.program.getOp(0));
}

// The middle dimension belongs to two wholes: it has one loop of its own.
TEST(IterationSpaceTest, PartsThatTwoWholesShare) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<3x4x5xf32>) -> (tensor<12x5xf32>, tensor<3x20xf32>) {
      %0 = fuser.reshape %x : tensor<3x4x5xf32> -> tensor<12x5xf32>
      %1 = fuser.reshape %x : tensor<3x4x5xf32> -> tensor<3x20xf32>
      fuser.return %0, %1 : tensor<12x5xf32>, tensor<3x20xf32>
    })");
  const unsigned three = space(0, 0), four = space(0, 1), five = space(0, 2), twelve = space(1, 0),
                 twenty = space(2, 1);
  IterationSpace loops =
      space.choose({makeOp({three, four, five}), makeOp({twelve, five}), makeOp({three, twenty})});
  EXPECT_EQ(getLoops(loops, twelve), (Classes{three, four}));
  EXPECT_EQ(getLoops(loops, twenty), (Classes{four, five}));
  EXPECT_EQ(getLoops(loops, four), Classes{four});
  EXPECT_EQ(loops.getConflict(), nullptr);
  // Also where all members could make both wholes.
  IterationSpace parts = space.choose({makeOp({three, four, five})});
  EXPECT_EQ(parts.getLoopClasses({three, four, five}), (Classes{three, four, five}));
}

//===----------------------------------------------------------------------===//
// Lists of classes
//===----------------------------------------------------------------------===//

// x + permute(x) has one class twice, and both are loops.
TEST_F(HeadsTest, AClassThatIsListedTwiceHasTwoLoops) {
  IterationSpace loops = space.choose({makeOp({rows, whole}), makeOp({rows, outer, inner})});
  EXPECT_EQ(loops.getLoopClasses({whole, whole}), (Classes{whole, whole}));
  EXPECT_EQ(loops.getLoopClasses({outer, inner, outer, inner}).size(), 3u);
}

// Dimensions of one element take no part in a product.
TEST(IterationSpaceTest, DimensionsOfOneElement) {
  Space space(R"(
    fuser.fusion @f(%x: tensor<?x12xf32>) -> tensor<?x1x12x1xf32> {
      %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x1x12x1xf32>
      fuser.return %0 : tensor<?x1x12x1xf32>
    })");
  EXPECT_TRUE(space.relations.getProducts().empty());
  EXPECT_EQ(space(0, 1), space(1, 2));
  IterationSpace loops =
      space.choose({makeOp({space(0, 0), space(0, 1)}),
                    makeOp({space(1, 0), space(1, 1), space(1, 2), space(1, 3)})});
  EXPECT_EQ(getLoops(loops, space(1, 1)), Classes{space(1, 1)});
  EXPECT_EQ(getLoops(loops, space(0, 1)), Classes{space(0, 1)});
}

} // namespace
