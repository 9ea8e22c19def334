//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Normal forms of integer expressions: sums of products in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/SymbolFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

/// More terms than any extent needs; beyond, a product stays a product.
static constexpr size_t kMaxTerms = 64;

/// A total order that depends on structure only, never on addresses.
static int compare(AffineExpr a, AffineExpr b) {
  if (a == b)
    return 0;
  auto order = [](int64_t x, int64_t y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (int kind = order(static_cast<int>(a.getKind()), static_cast<int>(b.getKind())))
    return -kind;
  if (auto constant = dyn_cast<AffineConstantExpr>(a))
    return order(constant.getValue(), cast<AffineConstantExpr>(b).getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(a))
    return order(symbol.getPosition(), cast<AffineSymbolExpr>(b).getPosition());
  if (auto dim = dyn_cast<AffineDimExpr>(a))
    return order(dim.getPosition(), cast<AffineDimExpr>(b).getPosition());
  auto x = cast<AffineBinaryOpExpr>(a), y = cast<AffineBinaryOpExpr>(b);
  int lhs = compare(x.getLHS(), y.getLHS());
  return lhs ? lhs : compare(x.getRHS(), y.getRHS());
}

namespace {
/// coefficient * product of atoms (sorted); an atom is a symbol or a division.
struct Term {
  SmallVector<AffineExpr, 2> atoms;
  int64_t coefficient;
};

/// A sum of terms with different atoms, sorted, without zero coefficients.
using Sum = SmallVector<Term, 4>;

/// Computes one normal form; `overflow` is set where it has none.
class Normalizer {
public:
  Normalizer(const SymbolFacts &facts, MLIRContext *context) : facts(facts), context(context) {}

  AffineExpr run(AffineExpr expr) {
    AffineExpr result = build(getSum(expr));
    return overflow ? expr : result;
  }

private:
  static int compareTerms(const Term &a, const Term &b) {
    for (auto [x, y] : llvm::zip(a.atoms, b.atoms))
      if (int order = compare(x, y))
        return order;
    return int(a.atoms.size()) - int(b.atoms.size());
  }

  Sum constant(int64_t value) { return value ? Sum{Term{{}, value}} : Sum{}; }
  Sum atom(AffineExpr expr) { return Sum{Term{{expr}, 1}}; }

  /// The lowest number has no absolute value: it counts as overflow.
  void checkOverflow(bool overflowed, int64_t value) {
    overflow |= overflowed || value == IntegerRange::kUnboundedBelow;
  }

  void add(Sum &sum, ArrayRef<Term> terms) {
    for (const Term &term : terms) {
      auto *it =
          llvm::lower_bound(sum, term, [](auto &a, auto &b) { return compareTerms(a, b) < 0; });
      if (it == sum.end() || compareTerms(*it, term) != 0) {
        sum.insert(it, term);
        continue;
      }
      checkOverflow(llvm::AddOverflow(it->coefficient, term.coefficient, it->coefficient),
                    it->coefficient);
      if (it->coefficient == 0)
        sum.erase(it);
    }
  }

  Sum multiply(const Sum &a, const Sum &b) {
    Sum product;
    for (const Term &x : a)
      for (const Term &y : b)
        add(product, multiply(x, y));
    return product;
  }

  Sum multiply(const Term &x, const Term &y) {
    Term term = x;
    term.atoms.append(y.atoms);
    llvm::sort(term.atoms, [](AffineExpr a, AffineExpr b) { return compare(a, b) < 0; });
    checkOverflow(llvm::MulOverflow(x.coefficient, y.coefficient, term.coefficient),
                  term.coefficient);
    return overflow ? Sum{} : cancelDivision(std::move(term));
  }

  /// k * (x floordiv c) where c divides x: with g = gcd(k, c) it is (k / g) * (x floordiv (c / g)).
  Sum cancelDivision(Term term) {
    for (auto [index, expr] : llvm::enumerate(term.atoms)) {
      auto division = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!division || expr.getKind() != AffineExprKind::FloorDiv)
        continue;
      auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
      if (!divisor || facts.getDivisor(division.getLHS()) % divisor.getValue() != 0)
        continue;
      int64_t common = std::gcd(term.coefficient, divisor.getValue());
      if (common == 1)
        continue;
      Term rest = term;
      rest.atoms.erase(rest.atoms.begin() + index);
      rest.coefficient /= common;
      return multiply(Sum{rest},
                      divide(getSum(division.getLHS()), divisor.getValue() / common, false));
    }
    return Sum{term};
  }

  /// term / c without remainder: through the coefficient and one atom that the rest of c divides.
  std::optional<Sum> divideExactly(const Term &term, int64_t c) {
    int64_t common = std::gcd(term.coefficient, c);
    Term quotient = term;
    quotient.coefficient /= common;
    c /= common;
    if (c == 1)
      return Sum{quotient};
    for (auto [index, expr] : llvm::enumerate(term.atoms)) {
      if (facts.getDivisor(expr) % c != 0)
        continue;
      quotient.atoms.erase(quotient.atoms.begin() + index);
      return multiply(Sum{quotient}, quotientAtom(expr, c, false));
    }
    return std::nullopt;
  }

  /// floor or ceil of sum / c: terms that c divides leave the division.
  Sum divide(const Sum &sum, int64_t c, bool ceil) {
    if (c == 1)
      return sum;
    Sum result, rest;
    int64_t remainder = 0;
    for (const Term &term : sum) {
      if (term.atoms.empty()) {
        remainder = llvm::mod(term.coefficient, c);
        add(result, constant(llvm::divideFloorSigned(term.coefficient, c)));
      } else if (std::optional<Sum> quotient = divideExactly(term, c)) {
        add(result, *quotient);
      } else {
        rest.push_back(term);
      }
    }
    // Of the forms that differ by less than one step, take the one with the smallest constant:
    // ceil((x + r) / c) = floor((x + r - 1) / c) + 1 and floor((x + c - 1) / c) = ceil(x / c).
    if (ceil && remainder > 0) {
      add(result, constant(1));
      --remainder;
      ceil = false;
    }
    if (rest.empty())
      return result;
    if (!ceil && remainder == c - 1) {
      remainder = 0;
      ceil = true;
    }
    add(rest, constant(remainder));
    add(result, quotientAtom(build(rest), c, ceil));
    return result;
  }

  /// expr / c as one atom, or a constant where the range leaves one value. Exact quotients are
  /// written with floordiv; nested divisions that round in one direction are one division.
  Sum quotientAtom(AffineExpr expr, int64_t c, bool ceil) {
    bool exact = facts.getDivisor(expr) % c == 0;
    if (auto inner = dyn_cast<AffineBinaryOpExpr>(expr)) {
      auto divisor = dyn_cast<AffineConstantExpr>(inner.getRHS());
      bool isCeil = expr.getKind() == AffineExprKind::CeilDiv;
      bool isFloor = expr.getKind() == AffineExprKind::FloorDiv;
      int64_t product;
      if (divisor && (isCeil || isFloor) && !llvm::MulOverflow(divisor.getValue(), c, product)) {
        bool innerExact = facts.getDivisor(inner.getLHS()) % divisor.getValue() == 0;
        if (innerExact || exact || isCeil == ceil)
          // With an exact outer division either direction works: the inner one's is kept.
          return divide(getSum(inner.getLHS()), product, innerExact ? ceil : isCeil);
      }
    }
    AffineExpr quotient = ceil && !exact ? expr.ceilDiv(c) : expr.floorDiv(c);
    IntegerRange range = facts.getRange(quotient);
    return range.isConstant() ? constant(range.lower) : atom(quotient);
  }

  Sum getDivision(AffineBinaryOpExpr expr) {
    bool isMod = expr.getKind() == AffineExprKind::Mod;
    Sum lhs = getSum(expr.getLHS());
    auto divisor = dyn_cast<AffineConstantExpr>(build(getSum(expr.getRHS())));
    if (!divisor || divisor.getValue() < 1)
      return atom(getAffineBinaryOpExpr(expr.getKind(), build(lhs), build(getSum(expr.getRHS()))));
    int64_t c = divisor.getValue();
    if (!isMod)
      return divide(lhs, c, expr.getKind() == AffineExprKind::CeilDiv);
    Sum rest;
    for (const Term &term : lhs) {
      if (term.atoms.empty())
        add(rest, constant(llvm::mod(term.coefficient, c)));
      else if (!divideExactly(term, c))
        add(rest, term);
    }
    AffineExpr value = build(rest);
    IntegerRange range = facts.getRange(value);
    if (range.lower >= 0 && range.upper < c)
      return rest;
    return facts.getDivisor(value) % c == 0 ? Sum{} : atom(value % c);
  }

  Sum getSum(AffineExpr expr) {
    if (auto value = dyn_cast<AffineConstantExpr>(expr))
      return constant(value.getValue());
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary) {
      IntegerRange range = facts.getRange(expr);
      return range.isConstant() ? constant(range.lower) : atom(expr);
    }
    if (expr.getKind() == AffineExprKind::Add) {
      Sum sum = getSum(binary.getLHS());
      add(sum, getSum(binary.getRHS()));
      return sum;
    }
    if (expr.getKind() != AffineExprKind::Mul)
      return getDivision(binary);
    Sum lhs = getSum(binary.getLHS()), rhs = getSum(binary.getRHS());
    if (lhs.size() * rhs.size() > kMaxTerms)
      return atom(build(lhs) * build(rhs));
    return multiply(lhs, rhs);
  }

  AffineExpr build(ArrayRef<Term> sum) {
    AffineExpr result = getAffineConstantExpr(0, context);
    for (const Term &term : sum) {
      AffineExpr product = getAffineConstantExpr(1, context);
      for (AffineExpr expr : term.atoms)
        product = product * expr;
      result = result + product * term.coefficient;
    }
    return result;
  }

  const SymbolFacts &facts;
  MLIRContext *context;
  bool overflow = false;
};
} // namespace

AffineExpr SymbolFacts::normalize(AffineExpr expr) const {
  return Normalizer(*this, expr.getContext()).run(expr);
}
