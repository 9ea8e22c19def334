//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Normal forms of integer expressions: sums of products in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "SymbolRanges.h"
#include "fuser/Ids/PositivePart.h"
#include "fuser/Ids/SymbolFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>

using namespace mlir;
using namespace fuser;

/// A limit above what extents need; a product with more terms is not expanded.
static constexpr size_t kMaxTerms = 64;

/// A total order that depends only on structure, never on addresses.
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

static bool isBefore(AffineExpr a, AffineExpr b) { return compare(a, b) < 0; }

namespace {
/// numerator / denominator * product of atoms (sorted); an atom is a symbol, or a division that
/// rounds. The term is an integer: a quotient without remainder keeps its dividend.
struct Term {
  SmallVector<AffineExpr, 2> atoms;
  int64_t numerator;
  int64_t denominator = 1;
};

/// A sum of terms with different atoms, sorted, without zero terms.
using Sum = SmallVector<Term, 4>;

/// Computes one normal form; `overflow` is set if there is none.
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

  /// a * b, or 1 with `overflow` set (the lowest number, which has no absolute value, included).
  int64_t times(int64_t a, int64_t b) {
    int64_t product;
    if (!llvm::MulOverflow(a, b, product) && product != IntegerRange::kUnboundedBelow)
      return product;
    overflow = true;
    return 1;
  }
  int64_t plus(int64_t a, int64_t b) {
    int64_t sum;
    if (!llvm::AddOverflow(a, b, sum) && sum != IntegerRange::kUnboundedBelow)
      return sum;
    overflow = true;
    return 1;
  }

  static void reduce(Term &term) {
    int64_t common = std::gcd(term.numerator, term.denominator);
    term.numerator /= common;
    term.denominator /= common;
  }

  void add(Sum &sum, ArrayRef<Term> terms) {
    for (const Term &term : terms) {
      auto *it =
          llvm::lower_bound(sum, term, [](auto &a, auto &b) { return compareTerms(a, b) < 0; });
      if (it == sum.end() || compareTerms(*it, term) != 0) {
        sum.insert(it, term);
        continue;
      }
      it->numerator =
          plus(times(it->numerator, term.denominator), times(term.numerator, it->denominator));
      it->denominator = times(it->denominator, term.denominator);
      if (it->numerator == 0)
        sum.erase(it);
      else
        reduce(*it);
    }
  }

  Sum multiply(const Sum &a, const Sum &b) {
    Sum product;
    for (const Term &x : a) {
      for (const Term &y : b) {
        Term term = x;
        term.atoms.append(y.atoms);
        llvm::sort(term.atoms, isBefore);
        facts.replaceProducts(term.atoms);
        term.numerator = times(x.numerator, y.numerator);
        term.denominator = times(x.denominator, y.denominator);
        reduce(term);
        addWithoutQuotients(product, std::move(term));
      }
    }
    return product;
  }

  /// The quotient X / c as an atom, if it is exact and X is a sum: facts can state that c divides
  /// the sum, though c does not divide its terms.
  std::optional<std::pair<AffineExpr, int64_t>> getExactQuotient(AffineExpr expr) {
    if (expr.getKind() != AffineExprKind::FloorDiv)
      return std::nullopt;
    auto division = cast<AffineBinaryOpExpr>(expr);
    auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
    if (!divisor || division.getLHS().getKind() != AffineExprKind::Add ||
        facts.getDivisor(division.getLHS()) % divisor.getValue() != 0)
      return std::nullopt;
    return std::pair(division.getLHS(), divisor.getValue());
  }

  /// Adds a term; the numerator cancels the divisors of exact quotients.
  void addWithoutQuotients(Sum &sum, Term term) {
    for (auto [position, expr] : llvm::enumerate(term.atoms)) {
      auto quotient = getExactQuotient(expr);
      int64_t common = quotient ? std::gcd(term.numerator, quotient->second) : 1;
      if (common == 1)
        continue;
      auto [dividend, divisor] = *quotient;
      term.atoms.erase(term.atoms.begin() + position);
      term.numerator /= common;
      add(sum, multiply({term}, getSum(dividend.floorDiv(divisor / common))));
      return;
    }
    add(sum, term);
  }

  /// The exact quotient of a sum whose terms are not all multiples of c; none if no fact states
  /// that it is exact.
  std::optional<Sum> divideExactly(const Sum &sum, int64_t c) {
    AffineExpr dividend;
    int64_t factor = 1;
    if (sum.size() == 1 && sum[0].atoms.size() == 1 && sum[0].numerator == 1 &&
        sum[0].denominator == 1) {
      auto quotient = getExactQuotient(sum[0].atoms[0]);
      if (!quotient || llvm::MulOverflow(quotient->second, c, c))
        return std::nullopt;
      dividend = quotient->first;
    } else if (sum.size() > 1 &&
               !llvm::all_of(sum, [&](const Term &term) { return isMultiple(term, c); })) {
      dividend = build(sum);
      // One quotient has one form: without the common factor, if the facts cover it, or without
      // the part of it that c has as well.
      int64_t common = 0;
      for (const Term &term : sum)
        common = term.denominator == 1 ? std::gcd(common, term.numerator) : 1;
      for (int64_t left : {common, std::gcd(common, c)}) {
        Sum reduced = sum;
        for (Term &term : reduced)
          term.numerator /= left;
        const AffineExpr shorter = build(reduced);
        const int64_t ofDivisor = std::gcd(left, c);
        if (shorter.getKind() != AffineExprKind::Add ||
            facts.getDivisor(shorter) % (c / ofDivisor) != 0)
          continue;
        dividend = shorter;
        c /= ofDivisor;
        factor = left / ofDivisor;
        break;
      }
    }
    if (!dividend || dividend.getKind() != AffineExprKind::Add ||
        facts.getDivisor(dividend) % c != 0)
      return std::nullopt;
    // Creating the expression divides its terms if c divides one of them.
    AffineExpr quotient = dividend.floorDiv(c);
    if (!getExactQuotient(quotient))
      return std::nullopt;
    return multiply(atom(quotient), constant(factor));
  }

  /// True if every value of the term is a multiple of `c`.
  bool isMultiple(const Term &term, int64_t c) {
    // The part of (denominator * c) without the factors of the numerator and of the atoms.
    int64_t rest;
    if (llvm::MulOverflow(term.denominator, c, rest))
      return false;
    rest /= std::gcd(rest, term.numerator);
    int64_t apart = rest;
    for (AffineExpr expr : term.atoms)
      apart /= std::gcd(apart, facts.getDivisor(expr));
    if (apart == 1 || term.atoms.size() < 2)
      return apart == 1;
    // The product of all atoms may have a larger known divisor.
    AffineExpr product = term.atoms[0];
    for (AffineExpr expr : ArrayRef(term.atoms).drop_front())
      product = product * expr;
    return facts.getDivisor(product) % rest == 0;
  }

  /// floor or ceil of sum / c: terms divisible by c are moved out of the division.
  Sum divide(const Sum &sum, int64_t c, bool ceil) {
    if (c == 1)
      return sum;
    if (std::optional<Sum> quotient = divideExactly(sum, c))
      return *quotient;
    Sum result, rest;
    int64_t remainder = 0;
    for (const Term &term : sum) {
      if (term.atoms.empty()) {
        remainder = llvm::mod(term.numerator, c);
        add(result, constant(llvm::divideFloorSigned(term.numerator, c)));
      } else if (isMultiple(term, c)) {
        Term quotient = term;
        quotient.denominator = times(term.denominator, c);
        reduce(quotient);
        add(result, quotient);
      } else {
        rest.push_back(term);
      }
    }
    // Of equivalent forms whose constants differ by less than one step, use the one with the
    // smallest constant: ceil((x + r) / c) = floor((x + r - 1) / c) + 1 and floor((x + c - 1) / c)
    // = ceil(x / c).
    if (ceil && remainder > 0) {
      add(result, constant(1));
      --remainder;
      ceil = false;
    }
    if (rest.empty())
      return result;
    // Of an exact quotient, also the rest without the multiples is one.
    if (std::optional<Sum> quotient =
            remainder == 0 && !result.empty() ? divideExactly(rest, c) : std::nullopt) {
      add(result, *quotient);
      return result;
    }
    if (!ceil && remainder == c - 1) {
      remainder = 0;
      ceil = true;
    }
    add(result, roundedQuotient(std::move(rest), remainder, c, ceil));
    return result;
  }

  /// floor or ceil of (terms + remainder) / c, if the division is not exact.
  Sum roundedQuotient(Sum terms, int64_t remainder, int64_t c, bool ceil) {
    // A single fraction: integer coefficients whose greatest common divisor with c is 1.
    int64_t scale = 1;
    for (const Term &term : terms)
      scale = times(scale, term.denominator / std::gcd(scale, term.denominator));
    c = times(c, scale);
    remainder = times(remainder, scale);
    int64_t common = c;
    for (Term &term : terms) {
      term.numerator = times(term.numerator, scale / term.denominator);
      term.denominator = 1;
      common = std::gcd(common, term.numerator);
    }
    for (Term &term : terms)
      term.numerator /= common;
    c /= common;
    remainder = ceil ? llvm::divideCeilSigned(remainder, common)
                     : llvm::divideFloorSigned(remainder, common);
    add(terms, constant(remainder));
    if (terms.size() == 1 && terms[0].numerator == 1 && terms[0].atoms.size() == 1)
      if (std::optional<Sum> merged = mergeDivisions(terms[0].atoms[0], c, ceil))
        return *merged;
    AffineExpr dividend = build(terms);
    AffineExpr quotient = ceil ? dividend.ceilDiv(c) : dividend.floorDiv(c);
    IntegerRange range = getIntervalOf(facts, quotient);
    return range.isConstant() ? constant(range.lower) : atom(quotient);
  }

  /// Nested divisions with the same rounding direction are combined.
  std::optional<Sum> mergeDivisions(AffineExpr expr, int64_t c, bool ceil) {
    if (expr.getKind() != (ceil ? AffineExprKind::CeilDiv : AffineExprKind::FloorDiv))
      return std::nullopt;
    auto inner = cast<AffineBinaryOpExpr>(expr);
    auto divisor = dyn_cast<AffineConstantExpr>(inner.getRHS());
    int64_t product;
    if (!divisor || llvm::MulOverflow(divisor.getValue(), c, product))
      return std::nullopt;
    return divide(getSum(inner.getLHS()), product, ceil);
  }

  Sum getDivision(AffineBinaryOpExpr expr) {
    Sum lhs = getSum(expr.getLHS());
    AffineExpr rhs = build(getSum(expr.getRHS()));
    auto divisor = dyn_cast<AffineConstantExpr>(rhs);
    if (!divisor || divisor.getValue() < 1)
      return atom(getAffineBinaryOpExpr(expr.getKind(), build(lhs), rhs));
    int64_t c = divisor.getValue();
    if (expr.getKind() != AffineExprKind::Mod)
      return divide(lhs, c, expr.getKind() == AffineExprKind::CeilDiv);
    Sum rest;
    for (const Term &term : lhs) {
      if (term.atoms.empty())
        add(rest, constant(llvm::mod(term.numerator, c)));
      else if (!isMultiple(term, c))
        add(rest, term);
    }
    AffineExpr value = build(rest);
    IntegerRange range = getIntervalOf(facts, value);
    if (rest.empty() || (range.lower >= 0 && range.upper < c))
      return rest;
    return atom(value % c);
  }

  /// max(sum, 0). Of e, -e and multiples of both there is one atom: max(-e, 0) = max(e, 0) - e.
  Sum getPositivePartOf(Sum sum) {
    const AffineExpr whole = build(sum);
    const IntegerRange range = getIntervalOf(facts, whole);
    if (range.lower >= 0)
      return sum;
    if (range.upper <= 0)
      return {};
    int64_t common = 0;
    for (const Term &term : sum)
      common = term.denominator == 1 ? std::gcd(common, term.numerator) : 1;
    const Term *first = llvm::find_if(sum, [](const Term &term) { return !term.atoms.empty(); });
    const bool isNegated = first->numerator < 0;
    for (Term &term : sum)
      term.numerator = times(term.numerator / common, isNegated ? -1 : 1);
    Sum result = multiply(atom(getPositivePart(build(sum))), constant(common));
    if (isNegated)
      add(result, multiply(sum, constant(times(common, -1))));
    return result;
  }

  Sum getSum(AffineExpr expr) {
    if (auto value = dyn_cast<AffineConstantExpr>(expr))
      return constant(value.getValue());
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary) {
      IntegerRange range = getIntervalOf(facts, expr);
      return range.isConstant() ? constant(range.lower) : atom(expr);
    }
    if (expr.getKind() == AffineExprKind::Add) {
      Sum sum = getSum(binary.getLHS());
      add(sum, getSum(binary.getRHS()));
      return sum;
    }
    if (expr.getKind() != AffineExprKind::Mul)
      return getDivision(binary);
    if (AffineExpr operand = matchPositivePart(expr))
      return getPositivePartOf(getSum(facts.normalize(operand)));
    Sum lhs = getSum(binary.getLHS()), rhs = getSum(binary.getRHS());
    if (lhs.size() * rhs.size() > kMaxTerms)
      return atom(build(lhs) * build(rhs));
    return multiply(lhs, rhs);
  }

  AffineExpr build(ArrayRef<Term> sum) {
    AffineExpr result;
    for (const Term &term : sum) {
      AffineExpr product;
      for (AffineExpr expr : term.atoms)
        product = product ? product * expr : expr;
      if (!product)
        product = getAffineConstantExpr(term.numerator, context);
      else if (term.numerator != 1)
        product = product * term.numerator;
      if (term.denominator != 1)
        product = product.floorDiv(term.denominator);
      result = result ? result + product : product;
    }
    return result ? result : getAffineConstantExpr(0, context);
  }

  const SymbolFacts &facts;
  MLIRContext *context;
  bool overflow = false;
};
} // namespace

AffineExpr SymbolFacts::normalize(AffineExpr expr) const {
  // Most extents are constants or symbols.
  if (isa<AffineConstantExpr>(expr))
    return expr;
  if (!isa<AffineBinaryOpExpr>(expr)) {
    IntegerRange range = getRange(expr);
    return range.isConstant() ? getAffineConstantExpr(range.lower, expr.getContext()) : expr;
  }
  if (auto it = normalForms.find(expr); it != normalForms.end())
    return it->second;
  // The range of a part may need other normal forms.
  const AffineExpr normal = Normalizer(*this, expr.getContext()).run(expr);
  normalForms[expr] = normal;
  return normal;
}

/// Collects the symbols of a product; false for other expressions.
static bool collectFactors(AffineExpr expr, SmallVectorImpl<AffineExpr> &factors) {
  if (isa<AffineSymbolExpr>(expr)) {
    factors.push_back(expr);
    return true;
  }
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  return product && expr.getKind() == AffineExprKind::Mul &&
         collectFactors(product.getLHS(), factors) && collectFactors(product.getRHS(), factors);
}

void SymbolFacts::addEqualProducts(AffineExpr lhs, AffineExpr rhs) {
  EqualProducts equal;
  if (!collectFactors(normalize(lhs), equal.from) || !collectFactors(normalize(rhs), equal.to))
    return;
  llvm::sort(equal.from, isBefore);
  llvm::sort(equal.to, isBefore);
  if (equal.from == equal.to)
    return;
  // An order that products keep, so that replacing ends.
  const bool isLess =
      equal.from.size() != equal.to.size()
          ? equal.from.size() < equal.to.size()
          : std::lexicographical_compare(equal.from.begin(), equal.from.end(), equal.to.begin(),
                                         equal.to.end(), isBefore);
  if (isLess)
    std::swap(equal.from, equal.to);
  products.push_back(std::move(equal));
  normalForms.clear();
}

void SymbolFacts::replaceProducts(SmallVectorImpl<AffineExpr> &atoms) const {
  for (size_t i = 0; i < products.size(); ++i) {
    const EqualProducts &equal = products[i];
    if (!std::includes(atoms.begin(), atoms.end(), equal.from.begin(), equal.from.end(), isBefore))
      continue;
    SmallVector<AffineExpr> rest;
    std::set_difference(atoms.begin(), atoms.end(), equal.from.begin(), equal.from.end(),
                        std::back_inserter(rest), isBefore);
    rest.append(equal.to.begin(), equal.to.end());
    llvm::sort(rest, isBefore);
    atoms.assign(rest.begin(), rest.end());
    // What replaces it may complete another product.
    i = size_t(-1);
  }
}

SmallVector<SymbolFacts::Known> SymbolFacts::getKnown() const {
  SmallVector<Known> known;
  for (const auto &[expr, fact] : facts)
    known.push_back({expr, fact.range, fact.divisor});
  llvm::sort(known, [](const Known &a, const Known &b) { return compare(a.expr, b.expr) < 0; });
  return known;
}
