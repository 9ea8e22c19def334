//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the guards of an executable say about the sizes that it accepts, and how general it is.
//
//===----------------------------------------------------------------------===//

#include "fuser/Session/Specializations.h"

#include <gtest/gtest.h>

using namespace fuser;
using namespace fuser::session;
using artifact::Artifact;
using artifact::ExprId;
using artifact::ExprKind;

namespace {

class GuardsTest : public testing::Test {
protected:
  void guard(ExprId lhs, ExprKind relation, ExprId rhs) {
    made.guards.push_back({lhs, relation, rhs, "a reason"});
  }
  ExprId constant(int64_t value) { return made.exprs.constant(value); }
  ExprId size(uint32_t argument, uint32_t dim) { return made.exprs.size(argument, dim); }
  ExprId mod(ExprId lhs, ExprId rhs) { return made.exprs.binary(ExprKind::Mod, lhs, rhs); }

  /// "argument.dim: least to most", for each size that is bounded.
  std::string bounds() const {
    std::string text;
    for (const auto &[place, size] : getSizeBounds(made))
      text += std::to_string(place.first) + "." + std::to_string(place.second) + ": " +
              std::to_string(size.least) + " to " +
              (size.most == INT64_MAX ? "any" : std::to_string(size.most)) + "; ";
    return text;
  }
  std::pair<int64_t, int64_t> generality() const {
    Generality all = getGenerality(made, getSizeBounds(made));
    return {all.rangeBits, all.freedom};
  }

  Artifact made;
};

using Bits = std::pair<int64_t, int64_t>;

TEST_F(GuardsTest, BoundsOfSizesByConstants) {
  EXPECT_EQ(bounds(), "");
  guard(size(0, 1), ExprKind::LessEqual, constant(64));
  guard(constant(2), ExprKind::LessEqual, size(0, 1));
  guard(size(1, 0), ExprKind::Equal, constant(7));
  guard(constant(9), ExprKind::Equal, size(2, 0));
  guard(constant(1), ExprKind::LessEqual, size(3, 2));
  guard(size(4, 0), ExprKind::LessEqual, constant(0));
  EXPECT_EQ(bounds(), "0.1: 2 to 64; 1.0: 7 to 7; 2.0: 9 to 9; 3.2: 1 to any; 4.0: 0 to 0; ");
  // The narrowest ones.
  guard(size(0, 1), ExprKind::LessEqual, constant(32));
  guard(size(0, 1), ExprKind::LessEqual, constant(100));
  guard(constant(16), ExprKind::LessEqual, size(0, 1));
  guard(constant(3), ExprKind::LessEqual, size(0, 1));
  guard(constant(5), ExprKind::LessEqual, size(1, 0));
  guard(size(2, 0), ExprKind::LessEqual, constant(20));
  EXPECT_EQ(bounds(), "0.1: 16 to 32; 1.0: 7 to 7; 2.0: 9 to 9; 3.2: 1 to any; 4.0: 0 to 0; ");
}

TEST_F(GuardsTest, OtherGuardsBoundNoSize) {
  guard(size(0, 0), ExprKind::LessEqual, size(1, 0));
  guard(size(0, 0), ExprKind::Equal, size(1, 0));
  guard(size(0, 0), ExprKind::Less, constant(4));
  guard(size(0, 0), ExprKind::NotEqual, constant(4));
  guard(made.exprs.stride(0, 0), ExprKind::Equal, constant(1));
  guard(constant(1), ExprKind::LessEqual, made.exprs.scalar(1));
  guard(mod(size(0, 0), constant(4)), ExprKind::Equal, constant(0));
  EXPECT_EQ(bounds(), "");
  // The next one does.
  guard(size(0, 0), ExprKind::LessEqual, constant(4));
  EXPECT_EQ(bounds(), "0.0: 0 to 4; ");
}

TEST_F(GuardsTest, ValuesThatMayBeEmpty) {
  ExprId padded = made.exprs.add(size(0, 0), constant(-2));
  EXPECT_FALSE(refusesEmptyValues(made));
  guard(constant(1), ExprKind::LessEqual, size(0, 0));
  guard(constant(0), ExprKind::LessEqual, padded);
  guard(constant(2), ExprKind::LessEqual, padded);
  guard(constant(1), ExprKind::Less, padded);
  guard(size(0, 0), ExprKind::LessEqual, padded);
  EXPECT_FALSE(refusesEmptyValues(made));
  EXPECT_EQ(generality(), Bits(0, 0));
  guard(constant(1), ExprKind::LessEqual, padded);
  EXPECT_TRUE(refusesEmptyValues(made));
  EXPECT_EQ(generality(), Bits(0, -1));
}

TEST_F(GuardsTest, BitsOfRanges) {
  auto withRange = [&](int64_t least, int64_t most) {
    made.guards.clear();
    guard(constant(least), ExprKind::LessEqual, size(0, 0));
    guard(size(0, 0), ExprKind::LessEqual, constant(most));
    return generality();
  };
  EXPECT_EQ(withRange(2, 128), Bits(6, 0));
  EXPECT_EQ(withRange(3, 128), Bits(6, 0));
  EXPECT_EQ(withRange(512, 2048), Bits(2, 0));
  EXPECT_EQ(withRange(512, 2049), Bits(3, 0));
  EXPECT_EQ(withRange(64, 64), Bits(0, 0));
  // No ranges: "not empty", and bounds that nothing is between.
  EXPECT_EQ(withRange(1, 128), Bits(0, 0));
  EXPECT_EQ(withRange(128, 2), Bits(0, 0));
  // Of two dimensions.
  guard(constant(4), ExprKind::LessEqual, size(0, 1));
  guard(size(0, 1), ExprKind::LessEqual, constant(32));
  guard(constant(4), ExprKind::LessEqual, size(0, 0));
  guard(size(0, 0), ExprKind::LessEqual, constant(128));
  made.guards.erase(made.guards.begin(), made.guards.begin() + 2);
  EXPECT_EQ(generality(), Bits(8, 0));
}

TEST_F(GuardsTest, DivisorsAlignmentsAndDenseDimensionsLimitTheCalls) {
  guard(mod(size(0, 0), constant(8)), ExprKind::Equal, constant(0));
  EXPECT_EQ(generality(), Bits(0, -3));
  guard(mod(size(0, 1), constant(4)), ExprKind::Equal, constant(0));
  EXPECT_EQ(generality(), Bits(0, -5));
  // Other remainders, relations and divisors say nothing.
  guard(mod(size(0, 0), constant(8)), ExprKind::Equal, constant(1));
  guard(mod(size(0, 0), constant(8)), ExprKind::LessEqual, constant(0));
  guard(mod(size(0, 0), size(0, 1)), ExprKind::Equal, constant(0));
  guard(mod(size(0, 0), constant(8)), ExprKind::Equal, size(1, 0));
  guard(mod(size(0, 0), constant(-8)), ExprKind::Equal, constant(0));
  guard(made.exprs.mul(size(0, 0), constant(8)), ExprKind::Equal, constant(0));
  EXPECT_EQ(generality(), Bits(0, -5));
  artifact::ArgumentSpec argument;
  argument.alignment = 16;
  argument.contiguous = {0, 1, 1};
  made.arguments.push_back(argument);
  EXPECT_EQ(generality(), Bits(0, -11));
  argument.alignment = 0;
  argument.contiguous = {0, 1, 0};
  made.arguments.push_back(argument);
  EXPECT_EQ(generality(), Bits(0, -12));
}

TEST(GeneralityTest, RangesComeFirst) {
  EXPECT_TRUE((Generality{1, 0} < Generality{2, -4}));
  EXPECT_FALSE((Generality{2, -4} < Generality{1, 0}));
  EXPECT_TRUE((Generality{2, -4} < Generality{2, -3}));
  EXPECT_FALSE((Generality{2, -3} < Generality{2, -3}));
}

} // namespace
