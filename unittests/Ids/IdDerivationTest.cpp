//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdDerivation.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::kFlat;
using fuser::test::kHeads;
using fuser::test::kOtherFactors;
using fuser::test::Program;
using Ids = SmallVector<unsigned>;

namespace {

/// A program, its classes, and a derivation from the ids of one tensor of it (0: the first
/// argument, 1: the result of the first op, ...).
class Derivation {
public:
  Derivation(StringRef text, unsigned from)
      : program(text), relations(program.get().getFunctionBody().front()),
        builder(&program.context,
                SmallVector<IdKind>(cast<RankedTensorType>(getTensor(from).getType()).getRank(),
                                    IdKind::Iteration)),
        ids(relations, builder) {
    for (unsigned id : llvm::seq(builder.getNumIds()))
      ids.add(id, (*this)(from, id));
  }

  /// The class of a dimension of a tensor.
  unsigned operator()(unsigned tensor, unsigned dim) {
    return relations.getClass(getTensor(tensor), dim);
  }
  Value getTensor(unsigned tensor) {
    return tensor == 0 ? program.getArgument(0) : program.getTensor(tensor - 1);
  }
  /// The transforms that were made, e.g. "merge(i0, i1) -> i2".
  std::string getTransforms() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << builder.build();
    StringRef middle = StringRef(text).split("], ").second;
    return middle.substr(0, middle.rfind(", loop = ")).str();
  }

  Program program;
  IdRelations relations;
  DomainBuilder builder;
  IdDerivation ids;
};

TEST(IdDerivationTest, WhatIsThereIsTakenOnce) {
  Derivation of(kHeads, 0);
  EXPECT_EQ(of.ids.take(of(0, 1)), 1u);
  EXPECT_EQ(of.ids.take(of(0, 1)), kNoId);
  EXPECT_EQ(of.ids.getRest(), Ids{0});
  EXPECT_EQ(of.builder.getNumIds(), 2u);
}

TEST(IdDerivationTest, AWholeIsSplitOnceForBothParts) {
  Derivation of(kHeads, 0);
  EXPECT_EQ(of.ids.take(of(1, 2)), 3u);
  EXPECT_EQ(of.ids.getRest(), (Ids{0, 2}));
  EXPECT_EQ(of.ids.take(of(1, 1)), 2u);
  EXPECT_EQ(of.ids.getRest(), Ids{0});
  EXPECT_EQ(of.getTransforms(), "split(i1, 4) -> (i2, i3)");
}

TEST(IdDerivationTest, PartsAreMergedInTheirOrder) {
  Derivation of(kHeads, 1);
  EXPECT_EQ(of.ids.take(of(0, 1)), 3u);
  EXPECT_EQ(of.ids.getRest(), Ids{0});
  EXPECT_EQ(of.getTransforms(), "merge(i1, i2) -> i3");
}

// Only the outer extent is static: it is split off as the outer id.
TEST(IdDerivationTest, APartOfADynamicWhole) {
  Derivation of(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<3x?xf32> {
      %0 = fuser.reshape %x : tensor<?xf32> -> tensor<3x?xf32>
      fuser.return %0 : tensor<3x?xf32>
    })",
                0);
  EXPECT_EQ(of.ids.take(of(1, 1)), 2u);
  EXPECT_EQ(of.ids.take(of(1, 0)), 1u);
  EXPECT_EQ(of.getTransforms(), "split(i0, outer 3) -> (i1, i2)");
}

// Neither extent is static: there is a merge, and no split.
TEST(IdDerivationTest, ADynamicProductMergesOnly) {
  Derivation parts(kFlat, 0);
  EXPECT_EQ(parts.ids.take(parts(1, 0)), 2u);
  Derivation whole(kFlat, 1);
  EXPECT_EQ(whole.ids.take(whole(0, 0)), kNoId);
  EXPECT_EQ(whole.ids.take(whole(0, 1)), kNoId);
  EXPECT_EQ(whole.ids.getRest(), Ids{0});
  EXPECT_EQ(whole.builder.getNumIds(), 1u);
}

// The merge of the other factorization, split by the own one.
TEST(IdDerivationTest, OtherFactors) {
  Derivation of(kOtherFactors, 0);
  EXPECT_EQ(of.ids.take(of(1, 1)), 4u);
  EXPECT_EQ(of.ids.take(of(1, 0)), 3u);
  EXPECT_TRUE(of.ids.getRest().empty());
  EXPECT_EQ(of.getTransforms(), "merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4)");
}

TEST(IdDerivationTest, PartsOfParts) {
  constexpr StringLiteral text = R"(
    fuser.fusion @f(%x: tensor<24xf32>) -> tensor<2x3x4xf32> {
      %0 = fuser.reshape %x : tensor<24xf32> -> tensor<6x4xf32>
      %1 = fuser.neg %0 : tensor<6x4xf32>
      %2 = fuser.reshape %1 : tensor<6x4xf32> -> tensor<2x3x4xf32>
      fuser.return %2 : tensor<2x3x4xf32>
    })";
  Derivation down(text, 0);
  EXPECT_NE(down.ids.take(down(3, 1)), kNoId);
  EXPECT_EQ(down.getTransforms(), "split(i0, 4) -> (i1, i2), split(i1, 3) -> (i3, i4)");
  // What was split off on the way is there.
  EXPECT_EQ(down.ids.take(down(3, 2)), 2u);
  Derivation up(text, 3);
  EXPECT_NE(up.ids.take(up(0, 0)), kNoId);
  EXPECT_EQ(up.getTransforms(), "merge(i0, i1) -> i3, merge(i3, i2) -> i4");
  // The outer part could be made, the inner one is missing: no merge is left.
  Derivation missing(text, 3);
  ASSERT_EQ(missing.ids.take(missing(3, 2)), 2u);
  EXPECT_EQ(missing.ids.take(missing(0, 0)), kNoId);
  EXPECT_EQ(missing.ids.getRest(), (Ids{0, 1}));
  EXPECT_EQ(missing.builder.getNumIds(), 3u);
}

// The second part is not there: the first one stays, and no transform is added.
TEST(IdDerivationTest, NothingIsTakenWhereAPartIsMissing) {
  Derivation of(kHeads, 1);
  ASSERT_EQ(of.ids.take(of(1, 2)), 2u);
  EXPECT_EQ(of.ids.take(of(0, 1)), kNoId);
  EXPECT_EQ(of.ids.getRest(), (Ids{0, 1}));
  EXPECT_EQ(of.builder.getNumIds(), 3u);
}

// One part of each factorization is left: neither whole nor parts can be made, and the search ends.
TEST(IdDerivationTest, NoIdHelpsToMakeItself) {
  Derivation of(kOtherFactors, 0);
  ASSERT_EQ(of.ids.take(of(0, 1)), 1u);
  EXPECT_EQ(of.ids.take(of(1, 0)), kNoId);
  EXPECT_EQ(of.ids.take(of(1, 1)), kNoId);
  EXPECT_EQ(of.ids.getRest(), Ids{0});
}

TEST(IdDerivationTest, AStandInForAMissingPart) {
  Derivation of(kHeads, 1);
  ASSERT_EQ(of.ids.take(of(1, 2)), 2u);
  EXPECT_EQ(of.ids.takePartial(of(0, 1)), 4u);
  EXPECT_EQ(of.ids.getRest(), Ids{0});
  EXPECT_EQ(of.builder.getKind(3), IdKind::Broadcast);
  EXPECT_EQ(of.getTransforms(), "broadcast() -> b3, merge(i1, b3) -> i4");
}

TEST(IdDerivationTest, NoStandInForAllParts) {
  Derivation of(kHeads, 1);
  ASSERT_EQ(of.ids.take(of(1, 1)), 1u);
  ASSERT_EQ(of.ids.take(of(1, 2)), 2u);
  EXPECT_EQ(of.ids.takePartial(of(0, 1)), kNoId);
  EXPECT_EQ(of.builder.getNumIds(), 3u);
}

// Where all parts are there, none is a stand-in.
TEST(IdDerivationTest, APartialTakeOfAllParts) {
  Derivation of(kHeads, 1);
  EXPECT_EQ(of.ids.takePartial(of(0, 1)), 3u);
  EXPECT_EQ(of.getTransforms(), "merge(i1, i2) -> i3");
}

// An empty part: a split by 0 does not exist.
TEST(IdDerivationTest, EmptyParts) {
  Derivation of(R"(
    fuser.fusion @f(%x: tensor<0xf32>) -> tensor<3x0xf32> {
      %0 = fuser.reshape %x : tensor<0xf32> -> tensor<3x0xf32>
      fuser.return %0 : tensor<3x0xf32>
    })",
                0);
  EXPECT_NE(of.ids.take(of(1, 1)), kNoId);
  EXPECT_EQ(of.getTransforms(), "split(i0, 1) -> (i1, i2)");
}

TEST(IdDerivationTest, TheRestIsReplaced) {
  Derivation of(kHeads, 1);
  ASSERT_EQ(of.ids.take(of(1, 0)), 0u);
  // The ids are those of another class from now on.
  of.ids.replaceRest([&](unsigned id, unsigned idClass) {
    return id == 1 ? std::pair(of.builder.resize(id, 0, 0), of(0, 0)) : std::pair(id, idClass);
  });
  EXPECT_EQ(of.ids.getRest(), (Ids{3, 2}));
  EXPECT_EQ(of.ids.take(of(1, 1)), kNoId);
  EXPECT_EQ(of.ids.take(of(0, 0)), 3u);
}

} // namespace
