//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an equality says about one symbol.
//
//===----------------------------------------------------------------------===//

#include "SolveEquality.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class SolveEqualityTest : public testing::Test {
protected:
  SolveEqualityTest() {
    for (AffineExpr symbol : s)
      facts.addRange(symbol, {0, IntegerRange::kUnboundedAbove});
  }

  /// The solution as "s0 = 3"; "none" if there is none.
  std::string solve(AffineExpr lhs, AffineExpr rhs) {
    std::optional<SymbolSolution> solution = solveEquality(lhs, rhs, facts);
    if (!solution)
      return "none";
    std::string text;
    llvm::raw_string_ostream(text) << solution->symbol << " = " << solution->value;
    return text;
  }
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, &context); }

  MLIRContext context;
  AffineExpr s[4] = {getAffineSymbolExpr(0, &context), getAffineSymbolExpr(1, &context),
                     getAffineSymbolExpr(2, &context), getAffineSymbolExpr(3, &context)};
  SymbolFacts facts;
};

TEST_F(SolveEqualityTest, OneSymbolIsANumber) {
  EXPECT_EQ(solve(s[0] * 3 - 2040, s[0] + 8), "s0 = 1024");
  EXPECT_EQ(solve(s[0] * 6, constant(18)), "s0 = 3");
  EXPECT_EQ(solve(s[0] * 2, s[0]), "s0 = 0");
  // A quotient that rounds has several solutions.
  EXPECT_EQ(solve(s[0].ceilDiv(3), s[0] - 2), "none");
  facts.addDivisor(s[0], 3);
  EXPECT_EQ(solve(s[0].ceilDiv(3), s[0] - 2), "s0 = 3");
  EXPECT_EQ(solve(s[0].floorDiv(3), constant(7)), "s0 = 21");
}

TEST_F(SolveEqualityTest, ContradictionsHaveNoSolution) {
  EXPECT_EQ(solve(s[0] * 2, constant(7)), "none");
  EXPECT_EQ(solve(s[0] + 2, constant(1)), "none");
  EXPECT_EQ(solve(s[0] + 2, s[0] + 3), "none");
  facts.addRange(s[0], {0, 10});
  EXPECT_EQ(solve(s[0] * 2, constant(22)), "none");
}

TEST_F(SolveEqualityTest, OneOfSeveralSymbolsIsAnExpression) {
  EXPECT_EQ(solve(s[0] + s[1], s[2] + 132), "s2 = s0 + s1 - 132");
  EXPECT_EQ(solve(s[0] - 3, s[1] - 3), "s1 = s0");
  // Without negative coefficients, if possible; then the last symbol.
  EXPECT_EQ(solve(s[0] + s[3], s[2] + 132), "s2 = s0 + s3 - 132");
  EXPECT_EQ(solve(s[0] + s[1], s[2] + s[3]), "s3 = s0 + s1 - s2");
  EXPECT_EQ(solve(s[0] * 2, s[1] + 2), "s1 = s0 * 2 - 2");
  EXPECT_EQ(solve(s[0] * s[1], s[2] + 4), "s2 = s0 * s1 - 4");
  // Of s1, half of an odd number would be no integer.
  EXPECT_EQ(solve(s[1] * 2, s[0] * 3 + 1), "none");
  facts.addDivisor(s[1], 4);
  EXPECT_EQ(solve(s[1].ceilDiv(4), s[0] * s[2] + 1), "s1 = (s0 * s2) * 4 + 4");
}

TEST_F(SolveEqualityTest, TheSolutionDoesNotContainTheSymbol) {
  EXPECT_EQ(solve(s[0] * s[1], s[0] + 4), "none");
  EXPECT_EQ(solve(s[0].ceilDiv(4) + s[1], s[0] + 4), "s1 = s0 - s0 ceildiv 4 + 4");
  EXPECT_EQ(solve(s[0] * s[1], s[2] * s[3]), "none");
}

} // namespace
