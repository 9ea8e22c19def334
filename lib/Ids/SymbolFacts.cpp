//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranges and divisors of integer expressions.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/SymbolFacts.h"
#include "SymbolRanges.h"
#include "fuser/Ids/PositivePart.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

static constexpr int64_t kMin = IntegerRange::kUnboundedBelow;
static constexpr int64_t kMax = IntegerRange::kUnboundedAbove;

//===----------------------------------------------------------------------===//
// Saturating arithmetic: kMin and kMax are infinities
//===----------------------------------------------------------------------===//

/// Sum of two lower or two upper ends; the infinity `unbounded` of that end is absorbing.
static int64_t addSaturated(int64_t a, int64_t b, int64_t unbounded) {
  if (a == unbounded || b == unbounded)
    return unbounded;
  if (a == kMin || a == kMax)
    return a;
  if (b == kMin || b == kMax)
    return b;
  int64_t sum;
  if (llvm::AddOverflow(a, b, sum))
    return a < 0 ? kMin : kMax;
  return sum;
}

/// Product where 0 times infinity is 0.
static int64_t mulSaturated(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  bool negative = (a < 0) != (b < 0);
  bool infinite = a == kMin || a == kMax || b == kMin || b == kMax;
  int64_t product;
  if (infinite || llvm::MulOverflow(a, b, product))
    return negative ? kMin : kMax;
  return product;
}

/// floor(a / b) or ceil(a / b) for b >= 1; b may be infinite.
static int64_t divSaturated(int64_t a, int64_t b, bool ceil) {
  if (a == kMin || a == kMax)
    return a;
  if (b == kMax)
    return ceil ? (a > 0 ? 1 : 0) : (a < 0 ? -1 : 0);
  return ceil ? llvm::divideCeilSigned(a, b) : llvm::divideFloorSigned(a, b);
}

static IntegerRange addRanges(IntegerRange a, IntegerRange b) {
  return {addSaturated(a.lower, b.lower, kMin), addSaturated(a.upper, b.upper, kMax)};
}

static IntegerRange mulRanges(IntegerRange a, IntegerRange b) {
  int64_t corners[] = {mulSaturated(a.lower, b.lower), mulSaturated(a.lower, b.upper),
                       mulSaturated(a.upper, b.lower), mulSaturated(a.upper, b.upper)};
  return {*std::min_element(std::begin(corners), std::end(corners)),
          *std::max_element(std::begin(corners), std::end(corners))};
}

/// Division by the positive part of `b`.
static IntegerRange divRanges(IntegerRange a, IntegerRange b, bool ceil) {
  b = b.intersect({1, kMax});
  if (b.lower > b.upper)
    return {};
  // A quotient is nearest to zero at the largest divisor.
  int64_t low = divSaturated(a.lower, a.lower >= 0 ? b.upper : b.lower, ceil);
  int64_t high = divSaturated(a.upper, a.upper >= 0 ? b.lower : b.upper, ceil);
  return {low, high};
}

static IntegerRange modRanges(IntegerRange a, IntegerRange b) {
  b = b.intersect({1, kMax});
  if (b.lower > b.upper)
    return {0, kMax};
  if (a.lower >= 0 && a.upper < b.lower)
    return a;
  int64_t high = b.upper == kMax ? kMax : b.upper - 1;
  return {0, a.lower >= 0 ? std::min(a.upper, high) : high};
}

//===----------------------------------------------------------------------===//
// SymbolFacts
//===----------------------------------------------------------------------===//

/// The least common multiple of two divisors of one number, or the larger one if it overflows.
static int64_t combineDivisors(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t product;
  if (llvm::MulOverflow(a / std::gcd(a, b), b, product))
    return std::max(a, b);
  return product;
}

void SymbolFacts::addRange(AffineExpr expr, IntegerRange range) {
  Fact &fact = facts[expr];
  fact.range = fact.range.intersect(range);
  normalForms.clear();
}

void SymbolFacts::addDivisor(AffineExpr expr, int64_t divisor) {
  assert(divisor >= 1 && "expected a positive divisor");
  Fact &fact = facts[expr];
  fact.divisor = combineDivisors(fact.divisor, divisor);
  normalForms.clear();
}

namespace {
/// Interval arithmetic over one expression.
class RangeFinder {
public:
  /// `getStated` returns what was stated of an expression.
  RangeFinder(const SymbolFacts &facts, function_ref<IntegerRange(AffineExpr)> getStated)
      : facts(facts), getStated(getStated) {}

  /// `cases` is the number of positive parts of which both values are tried.
  IntegerRange find(AffineExpr expr, unsigned cases) const;

private:
  IntegerRange compute(AffineExpr expr, unsigned cases) const;
  IntegerRange findOfBinary(AffineBinaryOpExpr expr) const;
  int64_t findLower(AffineExpr expr, AffineExpr part, unsigned cases) const;

  const SymbolFacts &facts;
  function_ref<IntegerRange(AffineExpr)> getStated;
  /// By expression and cases, of expressions with positive parts: many cases lead to the same one.
  mutable llvm::DenseMap<std::pair<AffineExpr, unsigned>, IntegerRange> known;
};
} // namespace

IntegerRange RangeFinder::findOfBinary(AffineBinaryOpExpr expr) const {
  IntegerRange lhs = find(expr.getLHS(), 0), rhs = find(expr.getRHS(), 0);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return addRanges(lhs, rhs);
  case AffineExprKind::Mul:
    return mulRanges(lhs, rhs);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return divRanges(lhs, rhs, expr.getKind() == AffineExprKind::CeilDiv);
  case AffineExprKind::Mod:
    return modRanges(lhs, rhs);
  default:
    return {};
  }
}

/// The positive part that contains most others: facts of sums may contain the inner ones. Null if
/// there is none.
static AffineExpr findPositivePart(AffineExpr expr) {
  llvm::DenseMap<AffineExpr, unsigned> depths;
  if (getPositiveDepth(expr, depths) == 0)
    return {};
  while (!matchPositivePart(expr)) {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    expr = getPositiveDepth(binary.getLHS(), depths) >= getPositiveDepth(binary.getRHS(), depths)
               ? binary.getLHS()
               : binary.getRHS();
  }
  return expr;
}

/// The lower bound of a sum from the two values of its part max(e, 0): e, and then e >= 0, or 0,
/// and then e <= 0.
int64_t RangeFinder::findLower(AffineExpr expr, AffineExpr part, unsigned cases) const {
  auto findCase = [&](AffineExpr value, AffineExpr notNegative) {
    const AffineExpr given = expr.replace(part, value);
    const int64_t lower = find(facts.normalize(given), cases).lower;
    if (lower >= 0)
      return lower;
    return std::max(lower, find(facts.normalize(given - notNegative), cases).lower);
  };
  const AffineExpr operand = matchPositivePart(part);
  const int64_t positive = findCase(operand, operand);
  if (positive == kMin)
    return kMin;
  return std::min(positive, findCase(getAffineConstantExpr(0, expr.getContext()), -operand));
}

IntegerRange RangeFinder::find(AffineExpr expr, unsigned cases) const {
  if (cases == 0)
    return compute(expr, cases);
  if (auto it = known.find({expr, cases}); it != known.end())
    return it->second;
  const IntegerRange range = compute(expr, cases);
  known[{expr, cases}] = range;
  return range;
}

IntegerRange RangeFinder::compute(AffineExpr expr, unsigned cases) const {
  IntegerRange range;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IntegerRange::exactly(constant.getValue());
  if (AffineExpr operand = matchPositivePart(expr)) {
    range = find(operand, cases);
    range = {std::max<int64_t>(range.lower, 0), std::max<int64_t>(range.upper, 0)};
  } else if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    range = findOfBinary(binary);
    if (AffineExpr part = cases > 0 && range.lower < 0 ? findPositivePart(expr) : AffineExpr())
      range.lower = std::max(range.lower, findLower(expr, part, cases - 1));
  }
  return range.intersect(getStated(expr));
}

/// More than a pad has of them.
static constexpr unsigned kMaxCases = 4;

IntegerRange fuser::getIntervalOf(const SymbolFacts &facts, AffineExpr expr) {
  if (!hasPositivePart(expr))
    return facts.getRange(expr);
  auto getStated = [&](AffineExpr part) {
    return hasPositivePart(part) ? IntegerRange() : facts.getRange(part);
  };
  return RangeFinder(facts, getStated).find(expr, 0);
}

IntegerRange SymbolFacts::getRange(AffineExpr expr) const {
  auto getStated = [&](AffineExpr part) {
    auto it = facts.find(part);
    return it == facts.end() ? IntegerRange() : it->second.range;
  };
  return RangeFinder(*this, getStated).find(expr, kMaxCases);
}

int64_t SymbolFacts::getDivisor(AffineExpr expr) const {
  int64_t divisor = 1;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == kMin ? 1 : std::abs(constant.getValue());
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    int64_t lhs = getDivisor(binary.getLHS()), rhs = getDivisor(binary.getRHS());
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    switch (expr.getKind()) {
    case AffineExprKind::Add:
    case AffineExprKind::Mod: // a mod b = a - k * b
      divisor = std::gcd(lhs, rhs);
      break;
    case AffineExprKind::Mul:
      if (llvm::MulOverflow(lhs, rhs, divisor))
        divisor = std::max(lhs, rhs);
      break;
    case AffineExprKind::FloorDiv:
    case AffineExprKind::CeilDiv:
      if (constant && constant.getValue() >= 1 && lhs % constant.getValue() == 0)
        divisor = lhs / constant.getValue();
      break;
    default:
      break;
    }
  }
  auto it = facts.find(expr);
  return it == facts.end() ? divisor : combineDivisors(divisor, it->second.divisor);
}

bool SymbolFacts::isEqual(AffineExpr lhs, AffineExpr rhs) const {
  return lhs == rhs || normalize(lhs) == normalize(rhs);
}
