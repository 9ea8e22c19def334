//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an equality of two expressions says about one symbol.
//
//===----------------------------------------------------------------------===//

#include "SolveEquality.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {
/// numerator / denominator * factor, which is an integer; a constant has no factor.
struct LinearTerm {
  AffineExpr factor;
  int64_t numerator = 1, denominator = 1;
};
} // namespace

/// Reads a term of a normal form.
static LinearTerm getTerm(AffineExpr expr, const SymbolFacts &facts) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {AffineExpr(), constant.getValue()};
  LinearTerm term{expr};
  auto getConstant = [&](AffineExprKind kind) -> AffineConstantExpr {
    auto binary = dyn_cast<AffineBinaryOpExpr>(term.factor);
    return binary && term.factor.getKind() == kind ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                                                   : AffineConstantExpr();
  };
  auto dropConstant = [&] { term.factor = cast<AffineBinaryOpExpr>(term.factor).getLHS(); };
  if (AffineConstantExpr divisor = getConstant(AffineExprKind::FloorDiv)) {
    AffineExpr dividend = cast<AffineBinaryOpExpr>(expr).getLHS();
    if (divisor.getValue() < 1 || facts.getDivisor(dividend) % divisor.getValue() != 0)
      return term;
    term.denominator = divisor.getValue();
    dropConstant();
  }
  if (AffineConstantExpr scale = getConstant(AffineExprKind::Mul)) {
    term.numerator = scale.getValue();
    dropConstant();
  }
  return term;
}

static void collectTerms(AffineExpr sum, const SymbolFacts &facts,
                         SmallVectorImpl<LinearTerm> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (!binary || sum.getKind() != AffineExprKind::Add) {
    terms.push_back(getTerm(sum, facts));
    return;
  }
  collectTerms(binary.getLHS(), facts, terms);
  collectTerms(binary.getRHS(), facts, terms);
}

/// The solution for the symbol of term `position`; null if it is no integer expression.
static AffineExpr solveFor(AffineExpr sum, ArrayRef<LinearTerm> terms, unsigned position,
                           const SymbolFacts &facts) {
  const LinearTerm &term = terms[position];
  auto symbol = cast<AffineSymbolExpr>(term.factor);
  MLIRContext *context = sum.getContext();
  if (terms.size() == 1)
    return getAffineConstantExpr(0, context);
  if (terms.size() == 2 && !terms[1 - position].factor) {
    // n / d * symbol + c = 0.
    int64_t product;
    if (llvm::MulOverflow(terms[1 - position].numerator, term.denominator, product) ||
        product == IntegerRange::kUnboundedBelow || product % term.numerator != 0)
      return {};
    return getAffineConstantExpr(-(product / term.numerator), context);
  }
  if (term.numerator != 1 && term.numerator != -1)
    return {};
  const AffineExpr own = term.denominator == 1
                             ? symbol * term.numerator
                             : (symbol * term.numerator).floorDiv(term.denominator);
  const AffineExpr rest = facts.normalize(sum - own);
  if (rest.isFunctionOfSymbol(symbol.getPosition()))
    return {};
  return facts.normalize(rest * term.denominator * -term.numerator);
}

/// True if the solution for the symbol of `term` has no negative coefficient: all other terms have
/// the other sign.
static bool isSumWithout(const LinearTerm &term, ArrayRef<LinearTerm> terms) {
  return llvm::all_of(terms, [&](const LinearTerm &other) {
    return !other.factor || &other == &term || (other.numerator < 0) != (term.numerator < 0);
  });
}

std::optional<SymbolSolution> fuser::solveEquality(AffineExpr lhs, AffineExpr rhs,
                                                   const SymbolFacts &facts) {
  const AffineExpr sum = facts.normalize(lhs - rhs);
  SmallVector<LinearTerm> terms;
  collectTerms(sum, facts, terms);
  std::optional<SymbolSolution> best;
  std::pair<bool, unsigned> bestRank;
  for (const LinearTerm &term : terms) {
    if (!term.factor || !isa<AffineSymbolExpr>(term.factor))
      continue;
    const AffineExpr value = solveFor(sum, terms, &term - terms.begin(), facts);
    if (!value)
      continue;
    if (auto constant = dyn_cast<AffineConstantExpr>(value);
        constant && !facts.getRange(term.factor).contains(constant.getValue()))
      continue;
    const std::pair<bool, unsigned> rank(isSumWithout(term, terms),
                                         cast<AffineSymbolExpr>(term.factor).getPosition());
    if (best && rank < bestRank)
      continue;
    best = SymbolSolution{term.factor, value};
    bestRank = rank;
  }
  return best;
}
