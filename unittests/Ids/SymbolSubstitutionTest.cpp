//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What equalities say about symbols.
//
//===----------------------------------------------------------------------===//

#include "SymbolSubstitution.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class SymbolSubstitutionTest : public testing::Test {
protected:
  using Equality = std::pair<AffineExpr, AffineExpr>;

  /// What s0 to s3 are after some equalities, as "s0 s0 4 s3"; "none" where they contradict.
  std::string solve(ArrayRef<Equality> equalities) {
    SymbolSubstitution substitution;
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(substitution.addSymbol(&context), s[i]);
    std::string text;
    llvm::raw_string_ostream out(text);
    for (auto [lhs, rhs] : equalities)
      if (failed(substitution.unify(lhs, rhs)))
        return "none";
    for (AffineExpr symbol : s)
      out << (symbol == s[0] ? "" : ", ") << substitution.apply(symbol);
    return text;
  }
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, &context); }

  MLIRContext context;
  AffineExpr s[4] = {getAffineSymbolExpr(0, &context), getAffineSymbolExpr(1, &context),
                     getAffineSymbolExpr(2, &context), getAffineSymbolExpr(3, &context)};
};

TEST_F(SymbolSubstitutionTest, SymbolsAndConstants) {
  EXPECT_EQ(solve({}), "s0, s1, s2, s3");
  EXPECT_EQ(solve({{s[0], s[2]}}), "s0, s1, s0, s3");
  EXPECT_EQ(solve({{s[2], s[0]}}), "s0, s1, s0, s3");
  EXPECT_EQ(solve({{s[3], s[2]}, {s[1], s[3]}, {s[0], s[1]}}), "s0, s0, s0, s0");
  EXPECT_EQ(solve({{s[1], constant(4)}}), "s0, 4, s2, s3");
  EXPECT_EQ(solve({{constant(4), s[1]}, {s[1], s[2]}}), "s0, 4, 4, s3");
  EXPECT_EQ(solve({{s[0], s[1]}, {s[1], constant(4)}, {s[0], constant(4)}}), "4, 4, s2, s3");
  EXPECT_EQ(solve({{s[0], constant(4)}, {s[0], constant(5)}}), "none");
  EXPECT_EQ(solve({{s[0], s[1]}, {s[0], constant(4)}, {s[1], constant(5)}}), "none");
}

TEST_F(SymbolSubstitutionTest, Expressions) {
  EXPECT_EQ(solve({{s[2], s[0] * s[1]}}), "s0, s1, s0 * s1, s3");
  EXPECT_EQ(solve({{s[0] * s[1], s[2]}, {s[0], constant(4)}}), "4, s1, s1 * 4, s3");
  EXPECT_EQ(solve({{s[0], s[1] + s[2]}, {s[3], s[0] * 2}}), "s1 + s2, s1, s2, (s1 + s2) * 2");
  // What contains the symbol does not represent it.
  EXPECT_EQ(solve({{s[0], s[0] * s[1]}}), "s0, s1, s2, s3");
  // Two expressions say nothing about a symbol.
  EXPECT_EQ(solve({{s[0] * s[1], s[2] * s[3]}}), "s0, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] * s[1], constant(6)}}), "s0, s1, s2, s3");
}

TEST_F(SymbolSubstitutionTest, CommonTermsAndFactorsCancel) {
  EXPECT_EQ(solve({{s[0] + 3, s[1] + 3}}), "s0, s0, s2, s3");
  EXPECT_EQ(solve({{s[0] + 1, s[1] + 1}}), "s0, s0, s2, s3");
  EXPECT_EQ(solve({{s[0] + 3, s[1] + 5}}), "s1 + 2, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] + 5, s[1] + 3}}), "s0, s0 + 2, s2, s3");
  EXPECT_EQ(solve({{s[0] * 3, s[1] * 3}}), "s0, s0, s2, s3");
  EXPECT_EQ(solve({{s[0] * 2, s[1] * 2}}), "s0, s0, s2, s3");
  EXPECT_EQ(solve({{s[0] * 3, s[1] * 6}}), "s1 * 2, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] * 6, s[1] * 3}}), "s0, s0 * 2, s2, s3");
  EXPECT_EQ(solve({{s[0] * 4, s[1] * 6}}), "s0, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] * 4 + 7, s[1] * 8 + 7}}), "s1 * 2, s1, s2, s3");
  EXPECT_EQ(solve({{(s[0] + 5) * 4, (s[1] + 5) * 4}}), "s0, s0, s2, s3");
  // Of what is negative nothing cancels: extents stay sums.
  EXPECT_EQ(solve({{s[0] - 3, s[1] - 3}}), "s0, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] - 3, s[1] + 3}}), "s0, s1, s2, s3");
  EXPECT_EQ(solve({{s[0] * -3, s[1] * -3}}), "s0, s1, s2, s3");
}

TEST_F(SymbolSubstitutionTest, Replacements) {
  AffineExpr replacements[] = {s[1] * 2, constant(3)};
  EXPECT_EQ(substituteSymbols(s[0] + s[1], replacements), s[1] * 2 + 3);
  EXPECT_EQ(substituteSymbols(s[0].floorDiv(s[1]) + 1, replacements), (s[1] * 2).floorDiv(3) + 1);
  EXPECT_EQ(substituteSymbols(constant(5), {}), constant(5));
}

} // namespace
