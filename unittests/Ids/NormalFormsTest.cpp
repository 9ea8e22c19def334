//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Normal forms word for word. SymbolFactsTest.cpp tests that they have the values of what they
// stand for.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "fuser/Ids/SymbolFacts.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace fuser;
using fuser::test::toShortString;

namespace {

class NormalFormsTest : public testing::Test {
protected:
  /// An expression of d0, d1 and s0 to s7. The positive part of x is `x * (x floordiv 2^62 + 1)`.
  AffineExpr parse(std::string text) {
    for (size_t at; (at = text.find("2^62")) != std::string::npos;)
      text.replace(at, 4, "4611686018427387904");
    auto map = dyn_cast_or_null<AffineMapAttr>(parseAttribute(
        "affine_map<(d0, d1)[s0, s1, s2, s3, s4, s5, s6, s7] -> (" + text + ")>", &context));
    EXPECT_TRUE(map) << text;
    return map ? map.getValue().getResult(0) : getAffineConstantExpr(0, &context);
  }
  std::string normalize(const std::string &text) {
    return toShortString(facts.normalize(parse(text)));
  }
  void stateDivisor(const std::string &text, int64_t divisor) {
    facts.addDivisor(parse(text), divisor);
  }
  void stateRange(const std::string &text, int64_t lower, int64_t upper) {
    facts.addRange(parse(text), {lower, upper});
  }

  MLIRContext context;
  SymbolFacts facts;
};

TEST_F(NormalFormsTest, TermsAndFactorsAreSorted) {
  EXPECT_EQ(normalize("s1 + s0"), "s0 + s1");
  EXPECT_EQ(normalize("s0 + 3 + s1"), "s0 + s1 + 3");
  EXPECT_EQ(normalize("3 + d0 + s0 + d1"), "d0 + s0 + 3 + d1");
  EXPECT_EQ(normalize("d1 + d0"), "d0 + d1");
  EXPECT_EQ(normalize("s1 * s0"), "s0 * s1");
  EXPECT_EQ(normalize("s1 * d0 * s0 * 5"), "(d0 * (s0 * s1)) * 5");
  EXPECT_EQ(normalize("s0 * s1 + s1 + s0 + s0 * s2 + s0 * s1 * s2"),
            "s0 + s0 * s1 + (s0 * s1) * s2 + s0 * s2 + s1");
  EXPECT_EQ(normalize("s1 + s0 * s0"), "s0 * s0 + s1");
  EXPECT_EQ(normalize("s0 mod 4 + s0 floordiv 4 + s0 ceildiv 4 + s0 + d0 + 1"),
            "d0 + s0 + 1 + s0 ceildiv 4 + s0 floordiv 4 + s0 mod 4");
  EXPECT_EQ(normalize("s1 floordiv 4 + s0 floordiv 4"), "s0 floordiv 4 + s1 floordiv 4");
  EXPECT_EQ(normalize("s0 floordiv 8 + s0 floordiv 4"), "s0 floordiv 4 + s0 floordiv 8");
  EXPECT_EQ(normalize("(s0 floordiv s2) + (s0 floordiv s1)"), "s0 floordiv s1 + s0 floordiv s2");
  EXPECT_EQ(normalize("(s1 mod 4) * s0 * (s0 mod 4)"), "(s0 * (s0 mod 4)) * (s1 mod 4)");
  EXPECT_EQ(normalize("(d1 + s1) floordiv s0 + (d0 + s1) floordiv s0"),
            "(d0 + s1) floordiv s0 + (d1 + s1) floordiv s0");
  EXPECT_EQ(normalize("(s0 + d1) ceildiv 3 + (s0 + d0) ceildiv 3"),
            "(d0 + s0) ceildiv 3 + (d1 + s0) ceildiv 3");
}

TEST_F(NormalFormsTest, EqualTermsAreOne) {
  EXPECT_EQ(normalize("s0 + s1 + s0"), "s0 * 2 + s1");
  EXPECT_EQ(normalize("s0 * 3 + s1 - s0"), "s0 * 2 + s1");
  EXPECT_EQ(normalize("(s0 + s1) - s0"), "s1");
  EXPECT_EQ(normalize("(s0 + 1) - (s0 + 1)"), "0");
  EXPECT_EQ(normalize("(s0 + s1) * (s0 - s1)"), "s0 * s0 - s1 * s1");
  EXPECT_EQ(normalize("(s0 + 2) * (s0 + 3)"), "s0 * 5 + s0 * s0 + 6");
  EXPECT_EQ(normalize("s0 * 0 + 0"), "0");
  EXPECT_EQ(normalize("(s0 + s1) * (s0 + s1) - s0 * s0 - s1 * s1 - s0 * s1"), "s0 * s1");
}

TEST_F(NormalFormsTest, OverflowKeepsTheExpression) {
  EXPECT_EQ(normalize("(s0 * 2^62 + s1) * 4"), "(s0 * 2^62 + s1) * 4");
  EXPECT_EQ(normalize("(s0 * 2^62 + s1) * -2"), "(s0 * 2^62 + s1) * -2");
  EXPECT_EQ(normalize("(s1 + s0 * 2^62) * 2"), "(s1 + s0 * 2^62) * 2");
  EXPECT_EQ(normalize("s0 * 2^62 + (s1 + s0) * 2^62"), "s0 * 2^62 + (s0 + s1) * 2^62");
  EXPECT_EQ(normalize("(s0 * -1) * 2^62 + (s1 + s0) * (0 - 2^62)"),
            "s0 * -2^62 - (s0 + s1) * 2^62");
  EXPECT_EQ(normalize("(s1 + s0) * 2^62"), "s0 * 2^62 + s1 * 2^62");
}

TEST_F(NormalFormsTest, Divisions) {
  EXPECT_EQ(normalize("s0 floordiv 4"), "s0 floordiv 4");
  EXPECT_EQ(normalize("(s0 + s1) ceildiv 4"), "(s0 + s1) ceildiv 4");
  EXPECT_EQ(normalize("(s0 * 8 + s1) floordiv 4"), "s0 * 2 + s1 floordiv 4");
  EXPECT_EQ(normalize("(s0 * 8 + s1 + 5) floordiv 4"), "s0 * 2 + (s1 + 1) floordiv 4 + 1");
  EXPECT_EQ(normalize("(s0 * 4 + 6) floordiv 4"), "s0 + 1");
  EXPECT_EQ(normalize("(s0 * 4 + 6) ceildiv 4"), "s0 + 2");
  EXPECT_EQ(normalize("(s0 + 4) ceildiv 4"), "s0 ceildiv 4 + 1");
  EXPECT_EQ(normalize("(s0 + 5) ceildiv 4"), "s0 floordiv 4 + 2");
  EXPECT_EQ(normalize("(s0 + 3) floordiv 4"), "s0 ceildiv 4");
  EXPECT_EQ(normalize("(s0 + 2) floordiv 4"), "(s0 + 2) floordiv 4");
  EXPECT_EQ(normalize("(s0 + 7) ceildiv 4"), "(s0 + 2) floordiv 4 + 2");
  EXPECT_EQ(normalize("(s0 - 1) floordiv 4"), "s0 ceildiv 4 - 1");
  EXPECT_EQ(normalize("(s0 - 1) ceildiv 4"), "(s0 + 2) floordiv 4");
  EXPECT_EQ(normalize("(s0 * 2 + 3) floordiv 4"), "s0 ceildiv 2");
  EXPECT_EQ(normalize("(s0 * 2 + 3) ceildiv 4"), "(s0 + 1) floordiv 2 + 1");
  EXPECT_EQ(normalize("(s0 * 6 + s1 * 9) floordiv 12"), "(s0 * 2 + s1 * 3) floordiv 4");
  EXPECT_EQ(normalize("(s0 * 6 + 4) ceildiv 9"), "(s0 * 2 + 1) floordiv 3 + 1");
  EXPECT_EQ(normalize("(s0 * s1 * 2) floordiv 4"), "(s0 * s1) floordiv 2");
  EXPECT_EQ(normalize("s0 floordiv s1"), "s0 floordiv s1");
  EXPECT_EQ(normalize("(s1 + s0) floordiv (s1 + s0 + 1)"), "(s0 + s1) floordiv (s0 + s1 + 1)");
  EXPECT_EQ(normalize("(s0 + s1) mod (s1 + s0)"), "(s0 + s1) mod (s0 + s1)");
  EXPECT_EQ(normalize("((s0 + s1) floordiv s2) * 2"), "((s0 + s1) floordiv s2) * 2");
  EXPECT_EQ(normalize("(s1 + s0) ceildiv s2"), "(s0 + s1) ceildiv s2");
}

TEST_F(NormalFormsTest, NestedDivisions) {
  EXPECT_EQ(normalize("s0 floordiv 4 floordiv 8"), "s0 floordiv 32");
  EXPECT_EQ(normalize("s0 ceildiv 4 ceildiv 8"), "s0 ceildiv 32");
  EXPECT_EQ(normalize("s0 floordiv 4 ceildiv 8"), "(s0 floordiv 4) ceildiv 8");
  EXPECT_EQ(normalize("s0 ceildiv 4 floordiv 8"), "(s0 ceildiv 4) floordiv 8");
  EXPECT_EQ(normalize("(s0 floordiv 4 + 1) floordiv 8"), "(s0 floordiv 4 + 1) floordiv 8");
  EXPECT_EQ(normalize("(s0 floordiv 4 * 2) floordiv 8"), "s0 floordiv 16");
  EXPECT_EQ(normalize("(s0 floordiv 4 * 3) floordiv 8"), "((s0 floordiv 4) * 3) floordiv 8");
  EXPECT_EQ(normalize("(s0 floordiv s1) floordiv 8"), "(s0 floordiv s1) floordiv 8");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s1) floordiv 8"), "(s1 + s0 floordiv 4) floordiv 8");
  EXPECT_EQ(normalize("(s0 + 5) floordiv 4 floordiv 8"), "((s0 + 1) floordiv 4 + 1) floordiv 8");
  EXPECT_EQ(normalize("s0 floordiv 2^62 floordiv 4"), "(s0 floordiv 2^62) floordiv 4");
  EXPECT_EQ(normalize("((s0 floordiv 4) * (s1 floordiv 4)) floordiv 8"),
            "((s0 floordiv 4) * (s1 floordiv 4)) floordiv 8");
  EXPECT_EQ(normalize("(s0 mod 4) floordiv 3"), "(s0 mod 4) floordiv 3");
}

TEST_F(NormalFormsTest, Remainders) {
  EXPECT_EQ(normalize("s0 mod 4"), "s0 mod 4");
  EXPECT_EQ(normalize("(s0 * 4 + s1) mod 4"), "s1 mod 4");
  EXPECT_EQ(normalize("(s0 * 4 + 6) mod 4"), "2");
  EXPECT_EQ(normalize("(s0 + 6) mod 4"), "(s0 + 2) mod 4");
  EXPECT_EQ(normalize("(s0 - 1) mod 4"), "(s0 + 3) mod 4");
  EXPECT_EQ(normalize("(s0 * 6) mod 4"), "(s0 * 6) mod 4");
  EXPECT_EQ(normalize("(s0 mod 4) mod 4"), "s0 mod 4");
  EXPECT_EQ(normalize("(s0 mod 4) mod 3"), "(s0 mod 4) mod 3");
  EXPECT_EQ(normalize("(s0 mod 4) mod 8"), "s0 mod 4");
  EXPECT_EQ(normalize("(s1 + s0) mod s2"), "(s0 + s1) mod s2");
  EXPECT_EQ(normalize("(s0 mod 4 + 1) mod 5"), "s0 mod 4 + 1");
  EXPECT_EQ(normalize("(s0 mod 4 + 1) mod 4"), "(s0 mod 4 + 1) mod 4");
  EXPECT_EQ(normalize("(s0 mod 4 - 1) mod 5"), "(s0 mod 4 + 4) mod 5");
}

TEST_F(NormalFormsTest, DivisorsOfSymbols) {
  stateDivisor("s0", 16);
  stateDivisor("s1", 6);
  EXPECT_EQ(normalize("s0 floordiv 4"), "s0 floordiv 4");
  EXPECT_EQ(normalize("s0 ceildiv 16"), "s0 floordiv 16");
  EXPECT_EQ(normalize("s0 ceildiv 32"), "s0 ceildiv 32");
  EXPECT_EQ(normalize("s0 mod 8"), "0");
  EXPECT_EQ(normalize("s0 mod 32"), "s0 mod 32");
  EXPECT_EQ(normalize("(s0 * 4) floordiv 8"), "s0 floordiv 2");
  EXPECT_EQ(normalize("(s0 * 3) floordiv 8"), "(s0 * 3) floordiv 8");
  EXPECT_EQ(normalize("(s0 * 4) floordiv 128"), "s0 floordiv 32");
  EXPECT_EQ(normalize("s0 floordiv 4 + s0 ceildiv 4"), "s0 floordiv 2");
  EXPECT_EQ(normalize("s0 floordiv 8 - s0 floordiv 16"), "s0 floordiv 16");
  EXPECT_EQ(normalize("(s0 floordiv 8) * 8"), "s0");
  EXPECT_EQ(normalize("(s0 floordiv 8) * 4"), "s0 floordiv 2");
  EXPECT_EQ(normalize("(s0 floordiv 4) * (s1 floordiv 3)"), "(s0 * s1) floordiv 12");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s2) floordiv 4"), "s0 floordiv 16 + s2 floordiv 4");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s2) floordiv 3"), "(s0 + s2 * 4) floordiv 12");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s1 floordiv 2) floordiv 5"), "(s0 + s1 * 2) floordiv 20");
  EXPECT_EQ(normalize("(s0 * s1) floordiv 96"), "(s0 * s1) floordiv 96");
  EXPECT_EQ(normalize("(s0 * s1) floordiv 192"), "(s0 * s1) floordiv 192");
  EXPECT_EQ(normalize("(s0 * s1) floordiv 12"), "(s0 * s1) floordiv 12");
  EXPECT_EQ(normalize("(s0 * s2) floordiv 16"), "(s0 * s2) floordiv 16");
  EXPECT_EQ(normalize("(s0 * s2 + s2) floordiv 16"), "(s0 * s2) floordiv 16 + s2 floordiv 16");
  EXPECT_EQ(normalize("(s0 floordiv 2 + 3) ceildiv 5"), "(s0 + 4) floordiv 10 + 1");
  EXPECT_EQ(normalize("(s0 floordiv 4) mod 4"), "0");
  EXPECT_EQ(normalize("(s0 floordiv 4) mod 8"), "(s0 floordiv 4) mod 8");
  EXPECT_EQ(normalize("(s0 floordiv 4) mod 2^62"), "(s0 floordiv 4) mod 2^62");
  EXPECT_EQ(normalize("(s0 floordiv 4) floordiv 2^62"), "(s0 floordiv 4) floordiv 2^62");
  EXPECT_EQ(normalize("(s0 + s1 + 1) mod 2"), "1");
  EXPECT_EQ(normalize("(s0 + s1 + 1) floordiv 2"), "s0 floordiv 2 + s1 floordiv 2");
}

TEST_F(NormalFormsTest, DivisorsOfProducts) {
  stateDivisor("s0 * s1", 32);
  EXPECT_EQ(normalize("(s0 * s1) floordiv 8"), "(s0 * s1) floordiv 8");
  EXPECT_EQ(normalize("(s0 * s1) floordiv 64"), "(s0 * s1) floordiv 64");
  EXPECT_EQ(normalize("(s0 * s1 * s2) mod 32"), "0");
  EXPECT_EQ(normalize("(s0 * s1 + s2) floordiv 16"), "(s0 * s1) floordiv 16 + s2 floordiv 16");
  EXPECT_EQ(normalize("(s0 * s1 * 2) floordiv 64"), "(s0 * s1) floordiv 32");
  EXPECT_EQ(normalize("(s0 * s1 * 2) floordiv 3"), "((s0 * s1) * 2) floordiv 3");
  EXPECT_EQ(normalize("s0 floordiv 8"), "s0 floordiv 8");
}

TEST_F(NormalFormsTest, ExactQuotientsOfSums) {
  stateDivisor("s0 + 7", 100);
  EXPECT_EQ(normalize("(s0 + 7) floordiv 20"), "(s0 + 7) floordiv 20");
  EXPECT_EQ(normalize("(s0 + 7) ceildiv 20"), "(s0 + 7) floordiv 20");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) ceildiv 5"), "(s0 + 7) floordiv 100");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) floordiv 5"), "(s0 + 7) floordiv 100");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) ceildiv 3"), "((s0 + 7) floordiv 20) ceildiv 3");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * 20"), "s0 + 7");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * 10"), "(s0 + 7) floordiv 2");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * 40"), "s0 * 2 + 14");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * 3"), "((s0 + 7) floordiv 20) * 3");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * 30"), "((s0 + 7) floordiv 2) * 3");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) * s1 * 4"), "s1 * ((s0 + 7) floordiv 5)");
  EXPECT_EQ(normalize("(((s0 + 7) floordiv 20) * 3) ceildiv 5"),
            "(((s0 + 7) floordiv 20) * 3) floordiv 5");
  EXPECT_EQ(normalize("(((s0 + 7) floordiv 20) * s1) ceildiv 5"),
            "(s1 * ((s0 + 7) floordiv 20)) floordiv 5");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20 + s1) ceildiv 5"),
            "s1 ceildiv 5 + ((s0 + 7) floordiv 20) floordiv 5");
  EXPECT_EQ(normalize("(((s0 + 7) floordiv 20) * ((s0 + 7) floordiv 20)) ceildiv 5"),
            "(((s0 + 7) floordiv 20) * ((s0 + 7) floordiv 20)) floordiv 5");
  EXPECT_EQ(normalize("(s0 * 2 + 14) floordiv 40"), "(s0 + 7) floordiv 20");
  EXPECT_EQ(normalize("(s0 * 2 + 14) floordiv 20"), "(s0 + 7) floordiv 10");
  EXPECT_EQ(normalize("(s0 * 3 + 21) ceildiv 60"), "(s0 + 7) floordiv 20");
  EXPECT_EQ(normalize("(s0 * 3 + 21) ceildiv 20"), "((s0 + 7) floordiv 20) * 3");
  EXPECT_EQ(normalize("(s0 * 6 + 42) floordiv 40"), "((s0 + 7) floordiv 20) * 3");
  EXPECT_EQ(normalize("(s0 * 3 + 21) ceildiv 30"), "(s0 + 7) floordiv 10");
  EXPECT_EQ(normalize("(s0 * 3 + 22) floordiv 20"), "(s0 * 3 + 2) floordiv 20 + 1");
  EXPECT_EQ(normalize("(s0 + 7) mod 20"), "(s0 + 7) mod 20");
  EXPECT_EQ(normalize("(s0 + 8) floordiv 20"), "(s0 + 8) floordiv 20");
  EXPECT_EQ(normalize("(s0 * s1 + s1 * 7) floordiv 20"), "(s0 * s1 + s1 * 7) floordiv 20");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20) floordiv 2^62"),
            "((s0 + 7) floordiv 20) floordiv 2^62");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20 + (s1 + 7) floordiv 20) ceildiv 5"),
            "((s1 + 7) floordiv 20) ceildiv 5 + ((s0 + 7) floordiv 20) floordiv 5");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20 + s0) ceildiv 5"),
            "s0 ceildiv 5 + ((s0 + 7) floordiv 20) floordiv 5");
  EXPECT_EQ(normalize("((s0 + 7) floordiv 20 + (s0 + 7) floordiv 10 * s1) ceildiv 5"),
            "(s1 * ((s0 + 7) floordiv 10)) floordiv 5 + ((s0 + 7) floordiv 20) floordiv 5");
  EXPECT_EQ(normalize("((s0 + 7) floordiv s1) * 2"), "((s0 + 7) floordiv s1) * 2");
}

// A term that the divisor divides is moved out, and the rest stays exact.
TEST_F(NormalFormsTest, ExactQuotientsNextToMultiples) {
  stateDivisor("s0 + s1 + s2", 6);
  stateDivisor("s0 + s1 + s2 - 126", 6);
  EXPECT_EQ(normalize("((s0 + s1 + s2 - 126) ceildiv 6) * 6"), "s0 + s1 + s2 - 126");
  EXPECT_EQ(normalize("((s0 + s1 + s2 - 126) floordiv 6) * 6"), "s0 + s1 + s2 - 126");
  EXPECT_EQ(normalize("((s0 + s1 + s2 + s3 * 12) floordiv 6) * 6"), "s0 + s1 + s2 + s3 * 12");
  EXPECT_EQ(normalize("(s0 + s1 + s2 - 125) floordiv 6"), "(s0 + s1 + s2 + 1) floordiv 6 - 21");
}

TEST_F(NormalFormsTest, ExactQuotientsOfMultiples) {
  stateDivisor("s0 * 2 + 14", 40);
  stateDivisor("s1 * 6 + 3", 45);
  EXPECT_EQ(normalize("(s0 * 2 + 14) floordiv 40"), "(s0 * 2 + 14) floordiv 40");
  EXPECT_EQ(normalize("(s0 + 7) floordiv 20"), "(s0 + 7) floordiv 20");
  EXPECT_EQ(normalize("(s0 * 2 + 14) floordiv 8"), "(s0 * 2 + 14) floordiv 8");
  EXPECT_EQ(normalize("(s1 * 6 + 3) floordiv 45"), "(s1 * 6 + 3) floordiv 45");
  EXPECT_EQ(normalize("(s1 * 6 + 3) floordiv 9"), "(s1 * 6 + 3) floordiv 9");
  EXPECT_EQ(normalize("(s1 * 2 + 1) floordiv 3"), "(s1 * 2 + 1) floordiv 3");
  EXPECT_EQ(normalize("((s1 * 6 + 3) ceildiv 45) * 45"), "s1 * 6 + 3");
}

TEST_F(NormalFormsTest, ExactQuotientsOfFractions) {
  stateDivisor("s0", 4);
  stateDivisor("s0 floordiv 4 + s1", 20);
  stateDivisor("s2 floordiv 3 + (s3 + 1) floordiv 2", 10);
  EXPECT_EQ(normalize("(s0 floordiv 4 + s1) ceildiv 20"), "(s0 floordiv 4 + s1) floordiv 20");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s1) ceildiv 10 ceildiv 2"),
            "(s0 floordiv 4 + s1) floordiv 20");
  EXPECT_EQ(normalize("(s0 floordiv 2 + s1 * 2) ceildiv 40"), "(s0 + s1 * 4) ceildiv 80");
  EXPECT_EQ(normalize("(s0 floordiv 4 + s1) ceildiv 40"), "(s0 + s1 * 4) ceildiv 160");
  EXPECT_EQ(normalize("((s0 floordiv 4 + s1) floordiv 20) * 20"), "s0 floordiv 4 + s1");
  EXPECT_EQ(normalize("(s2 floordiv 3 + (s3 + 1) floordiv 2) ceildiv 5"),
            "(s3 ceildiv 2 + s2 floordiv 3) ceildiv 5");
  EXPECT_EQ(normalize("(s2 floordiv 3 + (s3 + 1) floordiv 2) ceildiv 3"),
            "(s3 ceildiv 2 + s2 floordiv 3) ceildiv 3");
}

TEST_F(NormalFormsTest, RangesDecide) {
  stateRange("s0", 0, 7);
  stateRange("s1", 1, 128);
  stateRange("s2", 5, 5);
  stateRange("s3", -2, -2);
  stateRange("s4", 1, 1);
  stateRange("s5", -8, -1);
  stateRange("s6", 0, IntegerRange::kUnboundedAbove);
  stateRange("s7", IntegerRange::kUnboundedBelow, 0);
  EXPECT_EQ(normalize("s2"), "5");
  EXPECT_EQ(normalize("s2 * s0 + s3"), "s0 * 5 - 2");
  EXPECT_EQ(normalize("s0 mod 8"), "s0");
  EXPECT_EQ(normalize("s0 mod 7"), "s0 mod 7");
  EXPECT_EQ(normalize("(s0 + 1) mod 9"), "s0 + 1");
  EXPECT_EQ(normalize("(s0 - 1) mod 8"), "(s0 + 7) mod 8");
  EXPECT_EQ(normalize("s0 floordiv 8"), "0");
  EXPECT_EQ(normalize("s0 floordiv 7"), "s0 floordiv 7");
  EXPECT_EQ(normalize("s1 ceildiv 128"), "1");
  EXPECT_EQ(normalize("s1 ceildiv 127"), "s1 ceildiv 127");
  EXPECT_EQ(normalize("s5 floordiv 8"), "-1");
  EXPECT_EQ(normalize("s5 floordiv 7"), "s5 floordiv 7");
  EXPECT_EQ(normalize("s5 mod 8"), "s5 mod 8");
  EXPECT_EQ(normalize("s6 floordiv s2"), "s6 floordiv 5");
  EXPECT_EQ(normalize("s6 floordiv s3"), "s6 floordiv -2");
  EXPECT_EQ(normalize("((s6 + s1) floordiv s4) * 2"), "s1 * 2 + s6 * 2");
  EXPECT_EQ(normalize("((s6 + s1) ceildiv s4) * 2"), "s1 * 2 + s6 * 2");
  EXPECT_EQ(normalize("((s6 + s1) mod s4)"), "0");
  EXPECT_EQ(normalize("(s0) * ((s0) floordiv 2^62 + 1)"), "s0");
  EXPECT_EQ(normalize("(s1) * ((s1) floordiv 2^62 + 1)"), "s1");
  EXPECT_EQ(normalize("(s6) * ((s6) floordiv 2^62 + 1)"), "s6");
  EXPECT_EQ(normalize("(s7) * ((s7) floordiv 2^62 + 1)"), "0");
  EXPECT_EQ(normalize("(s5) * ((s5) floordiv 2^62 + 1)"), "0");
  EXPECT_EQ(normalize("(s3) * ((s3) floordiv 2^62 + 1)"), "0");
  EXPECT_EQ(normalize("(s2) * ((s2) floordiv 2^62 + 1)"), "5");
  EXPECT_EQ(normalize("(s0 - 1) * ((s0 - 1) floordiv 2^62 + 1)"),
            "(s0 - 1) * ((s0 - 1) floordiv 2^62 + 1)");
  EXPECT_EQ(normalize("(s0 + s7) * ((s0 + s7) floordiv 2^62 + 1)"),
            "(s0 + s7) * ((s0 + s7) floordiv 2^62 + 1)");
}

TEST_F(NormalFormsTest, PositiveParts) {
  EXPECT_EQ(normalize("(s0) * ((s0) floordiv 2^62 + 1)"), "s0 * (s0 floordiv 2^62 + 1)");
  EXPECT_EQ(normalize("(s0 * 2 + s1 * 4) * ((s0 * 2 + s1 * 4) floordiv 2^62 + 1)"),
            "((s0 + s1 * 2) * ((s0 + s1 * 2) floordiv 2^62 + 1)) * 2");
  EXPECT_EQ(normalize("(s0 * 2 - s1 * 4) * ((s0 * 2 - s1 * 4) floordiv 2^62 + 1)"),
            "((s0 - s1 * 2) * ((s0 - s1 * 2) floordiv 2^62 + 1)) * 2");
  EXPECT_EQ(normalize("(s1 * 4 - s0 * 2) * ((s1 * 4 - s0 * 2) floordiv 2^62 + 1)"),
            "s0 * -2 + s1 * 4 + ((s0 - s1 * 2) * ((s0 - s1 * 2) floordiv 2^62 + 1)) * 2");
  EXPECT_EQ(normalize("(s0 * 2 - s1 * 3) * ((s0 * 2 - s1 * 3) floordiv 2^62 + 1)"),
            "(s0 * 2 - s1 * 3) * ((s0 * 2 - s1 * 3) floordiv 2^62 + 1)");
  EXPECT_EQ(normalize("(3 - s0) * ((3 - s0) floordiv 2^62 + 1)"),
            "-s0 + (s0 - 3) * ((s0 - 3) floordiv 2^62 + 1) + 3");
  EXPECT_EQ(normalize("(6 - s0 * 2) * ((6 - s0 * 2) floordiv 2^62 + 1)"),
            "s0 * -2 + ((s0 - 3) * ((s0 - 3) floordiv 2^62 + 1)) * 2 + 6");
  EXPECT_EQ(normalize("(s0 * 2 - 6) * ((s0 * 2 - 6) floordiv 2^62 + 1)"),
            "((s0 - 3) * ((s0 - 3) floordiv 2^62 + 1)) * 2");
  EXPECT_EQ(normalize("(s0 floordiv 4 - 8) * ((s0 floordiv 4 - 8) floordiv 2^62 + 1)"),
            "(s0 floordiv 4 - 8) * ((s0 floordiv 4 - 8) floordiv 2^62 + 1)");
  EXPECT_EQ(
      normalize("(s0) * ((s0) floordiv 2^62 + 1) * s1 + (s0) * ((s0) floordiv 2^62 + 1) * s1"),
      "(s1 * (s0 * (s0 floordiv 2^62 + 1))) * 2");
  EXPECT_EQ(normalize("((s0) * ((s0) floordiv 2^62 + 1)) floordiv 4"),
            "(s0 * (s0 floordiv 2^62 + 1)) floordiv 4");
  EXPECT_EQ(normalize("((s0 - s1) * ((s0 - s1) floordiv 2^62 + 1)) + s1 - s0 - ((s1 - s0) * ((s1 - "
                      "s0) floordiv 2^62 + 1))"),
            "0");
  EXPECT_EQ(normalize("(s1 + s0) * ((s1 + s0) floordiv 2^62 + 1)"),
            "(s0 + s1) * ((s0 + s1) floordiv 2^62 + 1)");
}

TEST_F(NormalFormsTest, PositivePartsOfFractions) {
  stateDivisor("s0", 4);
  EXPECT_EQ(normalize("(s0 floordiv 4 - s1 * 2) * ((s0 floordiv 4 - s1 * 2) floordiv 2^62 + 1)"),
            "(s0 floordiv 4 - s1 * 2) * ((s0 floordiv 4 - s1 * 2) floordiv 2^62 + 1)");
  EXPECT_EQ(normalize("(s1 * 2 - s0 floordiv 4) * ((s1 * 2 - s0 floordiv 4) floordiv 2^62 + 1)"),
            "(-s0) floordiv 4 + s1 * 2 + (s0 floordiv 4 - s1 * 2) * ((s0 floordiv 4 - s1 * 2) "
            "floordiv 2^62 + 1)");
  EXPECT_EQ(normalize("(s0 floordiv 2 - s1 * 2) * ((s0 floordiv 2 - s1 * 2) floordiv 2^62 + 1)"),
            "(s0 floordiv 2 - s1 * 2) * ((s0 floordiv 2 - s1 * 2) floordiv 2^62 + 1)");
  EXPECT_EQ(
      normalize("(s1 * 6 - s0 floordiv 4 * 6) * ((s1 * 6 - s0 floordiv 4 * 6) floordiv 2^62 + 1)"),
      "(s0 * -3) floordiv 2 + s1 * 6 + ((s0 * 3) floordiv 2 - s1 * 6) * (((s0 * 3) floordiv 2 - s1 "
      "* 6) floordiv 2^62 + 1)");
}
// 64 products are written out, more are not.
TEST_F(NormalFormsTest, LargeProductsStay) {
  const std::string eight = "s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7";
  const std::string other = "d0 + s1 + s2 + s3 + s4 + s5 + s6 + 1";
  std::string apart = "0";
  for (int i = 0; i < 8; ++i)
    apart += " + s" + std::to_string(i) + " * (" + other + ")";
  EXPECT_EQ(normalize("(" + eight + ") * (" + other + ")"), normalize(apart));
  EXPECT_EQ(normalize("(" + other + " + s7) * (" + eight + ")"),
            "(d0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + 1) * (" + eight + ")");
}

// Of equal products, normal forms have the one of fewer or of earlier symbols.
TEST_F(NormalFormsTest, EqualProducts) {
  facts.addEqualProducts(parse("s2 * s3"), parse("s0 * s1"));
  EXPECT_EQ(normalize("s2 * s3"), "s0 * s1");
  EXPECT_EQ(normalize("s3 * s4 * s2 * 6 + s3"), normalize("s0 * s1 * s4 * 6 + s3"));
  EXPECT_EQ(normalize("s2 * s2 * s3 * s3"), normalize("s0 * s1 * s0 * s1"));
  EXPECT_EQ(normalize("s2 + s3"), "s2 + s3");
  // What replaces a product may be a part of another one.
  facts.addEqualProducts(parse("s5"), parse("s0 * s1 * s6"));
  EXPECT_EQ(normalize("s2 * s6 * s3"), "s5");
  EXPECT_TRUE(facts.isEqual(parse("s5 * s7"), parse("s7 * s3 * s2 * s6")));
  // Sums are no products.
  facts.addEqualProducts(parse("s0 + s1"), parse("s4 * s4"));
  EXPECT_EQ(normalize("s4 * s4"), "s4 * s4");
}

TEST_F(NormalFormsTest, FactsAreSorted) {
  for (const char *text : {"s1", "s0 mod 4", "s0 * s1", "d0", "s0 + s2", "s0", "s0 + s1"})
    stateDivisor(text, 2);
  std::string known;
  for (const SymbolFacts::Known &fact : facts.getKnown())
    known += toShortString(fact.expr) + ", ";
  EXPECT_EQ(known, "s0, s1, d0, s0 mod 4, s0 * s1, s0 + s1, s0 + s2, ");
}

} // namespace
