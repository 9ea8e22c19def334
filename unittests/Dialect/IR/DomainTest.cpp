//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// DomainBuilder and the invariants of #fuser.domain.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class DomainTest : public ::testing::Test {
protected:
  DomainTest() { context.loadDialect<FuserDialect>(); }

  static std::string print(Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  }

  /// The diagnostic of a domain of these parts; empty where it is valid.
  std::string verify(ArrayRef<IdKind> kinds, ArrayRef<unsigned> logical,
                     ArrayRef<DomainTransform> transforms, ArrayRef<unsigned> loop,
                     ArrayRef<ParallelType> parallel, ArrayRef<unsigned> allocation,
                     ArrayRef<bool> contiguity, ArrayRef<unsigned> root = {}) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
    (void)DomainAttr::getChecked(emitError, &context, kinds, root, logical, transforms, loop,
                                 parallel, allocation, contiguity);
    return message;
  }

  MLIRContext context;
  static constexpr IdKind I = IdKind::Iteration, R = IdKind::Reduction, B = IdKind::Broadcast,
                          E = IdKind::Expanded;
};

TEST_F(DomainTest, StartsTrivial) {
  DomainAttr domain = DomainBuilder(&context, {I, R, B}).build();
  EXPECT_EQ(print(domain), "#fuser.domain<logical = [i0, r1, b2], loop = [i0, r1, b2], "
                           "allocation = [i0, b2]>");
  EXPECT_TRUE(domain.isTrivial());
  EXPECT_EQ(domain.getResultIds(), (SmallVector<unsigned>{0, 2}));
}

TEST_F(DomainTest, SplitReplacesItsInputInPlace) {
  DomainBuilder builder(&context, {I, I, I});
  auto [outer, inner] = builder.split(1, 8);
  EXPECT_EQ(builder.getLoop(), (ArrayRef<unsigned>{0, outer, inner, 2}));
  DomainAttr domain = builder.build();
  EXPECT_EQ(print(domain), "#fuser.domain<logical = [i0, i1, i2], split(i1, 8) -> (i3, i4), "
                           "loop = [i0, i3, i4, i2], allocation = [i0, i1, i2]>");
  EXPECT_FALSE(domain.isTrivial());
  EXPECT_EQ(domain.getDefinition(4), 0);
  EXPECT_EQ(domain.getDefinition(1), -1);
}

TEST_F(DomainTest, MergeStandsAtItsFirstInput) {
  DomainBuilder builder(&context, {I, I, I});
  // The second input lies before the first: the result takes the first one's place.
  unsigned merged = builder.merge(2, 0);
  EXPECT_EQ(builder.getLoop(), (ArrayRef<unsigned>{1, merged}));
  merged = builder.merge(1, merged);
  EXPECT_EQ(builder.getLoop(), (ArrayRef<unsigned>{merged}));
}

TEST_F(DomainTest, SwizzleKeepsPositions) {
  DomainBuilder builder(&context, {I, I});
  auto [outer, inner] = builder.swizzle(0, 1, 4);
  EXPECT_EQ(builder.getLoop(), (ArrayRef<unsigned>{outer, inner}));
  EXPECT_NE(print(builder.build()).find("swizzle(i0, i1, 4) -> (i2, i3)"), std::string::npos);
}

TEST_F(DomainTest, KindsOfDerivedIds) {
  EXPECT_EQ(deriveKind({I, I}), I);
  EXPECT_EQ(deriveKind({I, R}), R);
  EXPECT_EQ(deriveKind({I, B}), I);
  EXPECT_EQ(deriveKind({B, B}), B);
  EXPECT_EQ(deriveKind({E, B}), E);
  EXPECT_EQ(deriveKind({E, I}), I);
  DomainBuilder builder(&context, {I, R});
  EXPECT_EQ(builder.getKind(builder.merge(0, 1)), R);
}

TEST_F(DomainTest, BroadcastAndResize) {
  DomainBuilder builder(&context, {I});
  unsigned broadcast = builder.broadcast(1);
  unsigned resized = builder.resize(0, 1, 2);
  EXPECT_EQ(builder.getLoop(), (ArrayRef<unsigned>{resized, broadcast}));
  EXPECT_EQ(print(builder.build()),
            "#fuser.domain<logical = [i0], broadcast() -> b1, resize(i0, 1, 2) -> i2, "
            "loop = [i2, b1], allocation = [i0]>");
}

TEST_F(DomainTest, ParallelTypesFollowTheirIds) {
  DomainBuilder builder(&context, {I, I});
  builder.parallelize(0, ParallelType::BlockX);
  builder.parallelize(1, ParallelType::ThreadX);
  builder.reorderLoop({1, 0});
  DomainAttr domain = builder.build();
  EXPECT_EQ(domain.getParallelType(0), ParallelType::BlockX);
  EXPECT_EQ(domain.getParallelType(1), ParallelType::ThreadX);
  EXPECT_NE(print(domain).find("loop = [i1 @thread_x, i0 @block_x]"), std::string::npos);
}

TEST_F(DomainTest, RfactorMakesLogicalTheRoot) {
  DomainBuilder builder(&context, {I, R});
  auto [outer, inner] = builder.split(1, 16);
  builder.setKind(inner, I);
  builder.setLogical({0, outer, inner});
  DomainAttr domain = builder.build();
  EXPECT_EQ(print(domain),
            "#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3), logical = [i0, r2, i3], "
            "loop = [i0, r2, i3], allocation = [i0, i3]>");
  EXPECT_EQ(domain.getResultIds(), (SmallVector<unsigned>{0, 3}));
}

TEST_F(DomainTest, EditingKeepsIds) {
  DomainBuilder first(&context, {I, I});
  first.split(1, 8);
  first.setAllocation({1, 0}, {false, true});
  DomainAttr domain = first.build();
  DomainBuilder second(domain);
  EXPECT_EQ(second.build(), domain);
  EXPECT_EQ(second.merge(0, 2), 4u);
  EXPECT_NE(print(second.build()).find("allocation = [i1 strided, i0]"), std::string::npos);
}

TEST_F(DomainTest, VerifiesNumbering) {
  EXPECT_EQ(verify({I}, {0}, {}, {0}, {ParallelType::Serial}, {0}, {true}), "");
  EXPECT_EQ(verify({I}, {1}, {}, {0}, {ParallelType::Serial}, {0}, {true}),
            "expected 'logical' to name defined ids, but got id 1");
  EXPECT_EQ(verify({I, I}, {1, 0}, {}, {0, 1}, {ParallelType::Serial, ParallelType::Serial}, {0, 1},
                   {true, true}),
            "expected the starting ids to be numbered 0 to 1, but got 1");
  EXPECT_EQ(verify({I, I}, {0}, {}, {0}, {ParallelType::Serial}, {0}, {true}),
            "expected 1 id kinds, but got 2");
  DomainTransform late{TransformKind::Split, {3, kNoId}, {1, 2}, 8};
  EXPECT_EQ(verify({I, I, I}, {0}, {late}, {0}, {ParallelType::Serial}, {0}, {true}),
            "expected a transform to use ids defined before it, but got id 3");
  DomainTransform skewed{TransformKind::Split, {0, kNoId}, {2, 1}, 8};
  EXPECT_EQ(verify({I, I, I}, {0}, {skewed}, {0}, {ParallelType::Serial}, {0}, {true}),
            "expected transform outputs to be numbered in order (1), but got 2");
}

TEST_F(DomainTest, VerifiesSizesOfLists) {
  EXPECT_EQ(verify({I}, {0}, {}, {0}, {}, {0}, {true}),
            "expected one parallel type for each of 1 loop ids, but got 0");
  EXPECT_EQ(verify({I}, {0}, {}, {0}, {ParallelType::Serial}, {0}, {}),
            "expected one contiguity flag for each of 1 allocation ids, but got 0");
}

TEST_F(DomainTest, VerifiesCover) {
  auto serial = [](unsigned size) { return SmallVector<ParallelType>(size, ParallelType::Serial); };
  DomainTransform split{TransformKind::Split, {0, kNoId}, {1, 2}, 8};
  EXPECT_EQ(verify({I, I, I}, {0}, {split}, {1}, serial(1), {0}, {true}),
            "expected 'loop' to cover every id of 'logical' once, but i2 is missing");
  EXPECT_EQ(verify({I, I, I}, {0}, {split}, {0, 1}, serial(2), {0}, {true}),
            "expected 'loop' to cover every id of 'logical' once, but i2 is missing");
  EXPECT_EQ(verify({I, I, I}, {0}, {split}, {1, 2}, serial(2), {0, 1, 2}, {true, true, true}),
            "expected 'allocation' to cover every id of 'logical' once, but i0 is covered twice");
  // A reduction id need not be allocated, but may be.
  EXPECT_EQ(verify({I, R}, {0, 1}, {}, {0, 1}, serial(2), {0}, {true}), "");
  EXPECT_EQ(verify({I, R}, {0, 1}, {}, {0, 1}, serial(2), {0, 1}, {true, true}), "");
  // Root must reach logical.
  EXPECT_EQ(verify({I, I}, {0}, {}, {0}, serial(1), {0}, {true}, {0, 1}),
            "expected 'logical' to cover every id of 'root' once, but i1 is missing");
}

TEST_F(DomainTest, VerifiesKinds) {
  auto serial = SmallVector<ParallelType>(2, ParallelType::Serial);
  DomainTransform split{TransformKind::Split, {0, kNoId}, {1, 2}, 8};
  EXPECT_EQ(verify({I, R, I}, {0}, {split}, {1, 2}, serial, {0}, {true}),
            "expected r1 to derive from a reduction id, but its transform has none");
  DomainTransform broadcast{TransformKind::Broadcast, {kNoId, kNoId}, {1, kNoId}};
  EXPECT_EQ(verify({I, I}, {0}, {broadcast}, {0, 1}, serial, {0}, {true}),
            "expected broadcast() to define a broadcast id, but got i1");
}

} // namespace
