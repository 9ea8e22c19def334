//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranges, divisors and normal forms against random evaluation.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/SymbolFacts.h"
#include "TestPrograms.h"
#include "fuser/Ids/PositivePart.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace mlir;
using namespace fuser;
using fuser::test::toString;

namespace {
/// Random expressions over symbols with random facts, and values that satisfy these.
class RandomFacts {
public:
  RandomFacts(MLIRContext *context, uint32_t seed) : context(context), random(seed) {
    for (unsigned k = 0; k < kSymbols; ++k) {
      AffineExpr symbol = getAffineSymbolExpr(k, context);
      int64_t divisor = std::array{1, 2, 3, 4, 8, 12}[pick(0, 5)];
      int64_t lower = pick(k == 0 ? -20 : 0, 5), upper = lower + pick(divisor, 60);
      facts.addRange(symbol, {lower, upper});
      facts.addDivisor(symbol, divisor);
      symbols.push_back({lower, upper, divisor});
    }
  }

  AffineExpr makeExpr(unsigned depth) {
    if (depth == 0 || pick(0, 5) == 0)
      return pick(0, 2) ? getAffineSymbolExpr(pick(0, kSymbols - 1), context)
                        : getAffineConstantExpr(pick(-9, 17), context);
    AffineExpr lhs = makeExpr(depth - 1);
    switch (pick(0, 6)) {
    case 6:
      return getPositivePart(lhs);
    case 0:
      return lhs + makeExpr(depth - 1);
    case 1:
      return lhs * makeExpr(depth - 1);
    case 2:
      return lhs * pick(1, 12);
    case 3:
      return lhs.floorDiv(pick(1, 12));
    case 4:
      return lhs.ceilDiv(pick(1, 12));
    default:
      return lhs % pick(1, 12);
    }
  }

  SmallVector<int64_t> makeValues() {
    SmallVector<int64_t> values;
    for (const Known &known : symbols) {
      int64_t first = llvm::divideCeilSigned(known.lower, known.divisor);
      int64_t last = llvm::divideFloorSigned(known.upper, known.divisor);
      values.push_back(known.divisor * pick(first, last));
    }
    return values;
  }

  SymbolFacts facts;

private:
  static constexpr unsigned kSymbols = 4;
  struct Known {
    int64_t lower, upper, divisor;
  };
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  MLIRContext *context;
  std::mt19937 random;
  SmallVector<Known> symbols;
};

/// Evaluates by definition, independent of the analysis.
int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> values) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return values[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), values), b = evaluate(binary.getRHS(), values);
  int64_t quotient = b ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::FloorDiv:
    return quotient;
  case AffineExprKind::CeilDiv:
    return quotient + (quotient * b != a);
  default:
    return a - quotient * b;
  }
}

TEST(SymbolFactsTest, HoldsOnRandomValues) {
  MLIRContext context;
  unsigned bounded = 0, divisible = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomFacts random(&context, seed);
    for (int i = 0; i < 20; ++i) {
      AffineExpr expr = random.makeExpr(4);
      IntegerRange range = random.facts.getRange(expr);
      int64_t divisor = random.facts.getDivisor(expr);
      AffineExpr normal = random.facts.normalize(expr);
      bounded += range.upper != IntegerRange::kUnboundedAbove;
      divisible += divisor > 1;
      for (int sample = 0; sample < 40; ++sample) {
        SmallVector<int64_t> values = random.makeValues();
        int64_t value = evaluate(expr, values);
        ASSERT_TRUE(range.contains(value))
            << toString(expr) << " = " << value << " outside of [" << range.lower << ", "
            << range.upper << "], seed " << seed;
        ASSERT_TRUE(divisor == 0 ? value == 0 : value % divisor == 0)
            << toString(expr) << " = " << value << " is no multiple of " << divisor << ", seed "
            << seed;
        ASSERT_EQ(evaluate(normal, values), value)
            << toString(expr) << " normalised to " << toString(normal) << ", seed " << seed;
      }
    }
  }
  // The facts say something: most expressions have bounds, many a divisor.
  EXPECT_GT(bounded, 7000u);
  EXPECT_GT(divisible, 2000u);
}

TEST(SymbolFactsTest, NormalFormsAreStable) {
  MLIRContext context;
  for (uint32_t seed = 1000; seed < 1400; ++seed) {
    RandomFacts random(&context, seed);
    for (int i = 0; i < 20; ++i) {
      AffineExpr expr = random.makeExpr(3), other = random.makeExpr(3);
      EXPECT_EQ(random.facts.normalize(expr + other), random.facts.normalize(other + expr));
      EXPECT_EQ(random.facts.normalize(expr * other), random.facts.normalize(other * expr))
          << toString(expr) << " and " << toString(other);
    }
  }
}

class EqualityTest : public ::testing::Test {
protected:
  EqualityTest() { bindSymbols(&context, a, b, c); }
  MLIRContext context;
  SymbolFacts facts;
  AffineExpr a, b, c;
};

TEST_F(EqualityTest, SumsAndProducts) {
  EXPECT_TRUE(facts.isEqual(a * b, b * a));
  EXPECT_TRUE(facts.isEqual((a * b) * c, a * (b * c)));
  EXPECT_TRUE(facts.isEqual(a * (b + 1), a + b * a));
  EXPECT_TRUE(facts.isEqual(a * 2 - a, a));
  EXPECT_FALSE(facts.isEqual(a * b, a * c));
  EXPECT_FALSE(facts.isEqual(a, b));
}

TEST_F(EqualityTest, NestedSplits) {
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(8).ceilDiv(4), a.ceilDiv(32)));
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(8).ceilDiv(4), a.ceilDiv(4).ceilDiv(8)));
  EXPECT_TRUE(facts.isEqual((a + 7).floorDiv(8), a.ceilDiv(8)));
  EXPECT_TRUE(facts.isEqual((a * 8 + 3).ceilDiv(8), a + 1));
  EXPECT_FALSE(facts.isEqual(a.ceilDiv(8).floorDiv(4), a.ceilDiv(32)));
  EXPECT_FALSE(facts.isEqual(a.ceilDiv(8) * 8, a));
}

TEST_F(EqualityTest, DivisibilityRemovesRounding) {
  facts.addDivisor(a, 16);
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(8) * 8, a));
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(16) * 4, a.floorDiv(4)));
  EXPECT_TRUE(facts.isEqual((a * b).ceilDiv(16), b * a.floorDiv(16)));
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(8).ceilDiv(4), a.ceilDiv(32)));
  EXPECT_FALSE(facts.isEqual(a.ceilDiv(32) * 32, a));
  EXPECT_EQ(facts.getDivisor(a * 3 + 8), 8);
  EXPECT_EQ(facts.getDivisor(a.ceilDiv(4)), 4);
  EXPECT_EQ(facts.getDivisor(b * a), 16);
}

TEST_F(EqualityTest, ExactQuotientsOfSums) {
  // Neither term is a multiple.
  AffineExpr sum = a + 7;
  facts.addDivisor(sum, 20);
  EXPECT_TRUE(facts.isEqual(sum.ceilDiv(20) * 20, sum));
  EXPECT_TRUE(facts.isEqual(sum.ceilDiv(4).ceilDiv(5) * 20, sum));
  EXPECT_TRUE(facts.isEqual(sum.ceilDiv(20) * 4, sum.ceilDiv(5)));
  EXPECT_TRUE(facts.isEqual((sum.ceilDiv(20) * b) * 20, sum * b));
  EXPECT_FALSE(facts.isEqual(sum.ceilDiv(8) * 8, sum));
  // Without the common factor, both are one quotient.
  facts.addDivisor(sum * 2, 40);
  EXPECT_TRUE(facts.isEqual((sum * 2).ceilDiv(40), sum.ceilDiv(20)));
  EXPECT_FALSE(facts.isEqual((sum * 2).ceilDiv(80), sum.ceilDiv(20)));
  EXPECT_FALSE(facts.isEqual((a + 8).ceilDiv(20) * 20, a + 8));
}

TEST_F(EqualityTest, RangesDecideQuotients) {
  facts.addRange(a, {1, 128});
  EXPECT_TRUE(facts.isEqual(a.ceilDiv(128), getAffineConstantExpr(1, &context)));
  EXPECT_TRUE(facts.isEqual(a % 129, a));
  EXPECT_FALSE(facts.isEqual(a % 128, a));
}

TEST_F(EqualityTest, PositiveParts) {
  // Of opposite amounts there is one form, and of multiples as well.
  EXPECT_TRUE(facts.isEqual(getPositivePart(-a) + a, getPositivePart(a)));
  EXPECT_TRUE(facts.isEqual(getPositivePart(b * 6 - a * 4), getPositivePart(b * 3 - a * 2) * 2));
  EXPECT_TRUE(facts.isEqual(getLarger(a, b) + getSmaller(a, b), a + b));
  EXPECT_EQ(matchPositivePart(getPositivePart(a + b * 3)), a + b * 3);
  EXPECT_EQ(matchPositivePart(a * b), AffineExpr());
  for (AffineExpr with : {getPositivePart(a), getPositivePart(a - b) + c, c - getPositivePart(b),
                          getPositivePart(a).floorDiv(4), (c * getPositivePart(b)) % 8})
    EXPECT_TRUE(hasPositivePart(with));
  for (AffineExpr without : {a, a + b * 3, a.floorDiv(4) - b % 8, getSign(a), getSign(a) + 1,
                             getAffineConstantExpr(7, &context)})
    EXPECT_FALSE(hasPositivePart(without));
  // Facts decide.
  facts.addRange(c, {1, 8});
  EXPECT_TRUE(facts.isEqual(getLarger(c, getAffineConstantExpr(0, &context)), c));
  EXPECT_TRUE(facts.isEqual(getSmaller(c, getAffineConstantExpr(9, &context)), c));
}

/// The box of a pad by amounts of unknown sign.
TEST_F(EqualityTest, BoxesOfAmounts) {
  const AffineExpr size = a, low = b, high = c, whole = size + low + high;
  facts.addRange(size, {0, IntegerRange::kUnboundedAbove});
  facts.addRange(facts.normalize(whole), {0, IntegerRange::kUnboundedAbove});
  const AffineExpr added = getPositivePart(low), left = getPositivePart(size + low - added),
                   behind = getPositivePart(whole - added), after = getPositivePart(behind - left),
                   stored = behind - after, before = whole - behind, offset = size - left;
  EXPECT_TRUE(facts.isEqual(before + stored + after, whole));
  for (AffineExpr amount : {offset, stored, before, after, size - offset - stored})
    EXPECT_GE(facts.getRange(facts.normalize(amount)).lower, 0) << toString(amount);
  EXPECT_LT(facts.getRange(facts.normalize(low)).lower, 0);
}

TEST_F(EqualityTest, ArithmeticSaturates) {
  constexpr int64_t big = int64_t(1) << 40;
  facts.addRange(a, {1, big});
  facts.addRange(b, {1, big});
  facts.addDivisor(a, big);
  facts.addDivisor(b, big);
  EXPECT_EQ(facts.getRange(a * b).upper, IntegerRange::kUnboundedAbove);
  EXPECT_EQ(facts.getRange(a * b - a).lower, 1 - big);
  EXPECT_EQ(facts.getDivisor(a * b), big);
  EXPECT_EQ(facts.getRange((a * b).floorDiv(4)).upper, IntegerRange::kUnboundedAbove);
  // No normal form: 2^63 is no coefficient. The expression itself is its own.
  AffineExpr huge = (a * (int64_t(1) << 62) + b) * 4;
  EXPECT_TRUE(facts.isEqual(huge, huge));
}
} // namespace
