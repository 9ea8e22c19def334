//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equalities between symbols and expressions, as a substitution.
//
//===----------------------------------------------------------------------===//

#include "SymbolSubstitution.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

/// `expr` with every symbol replaced; unchanged parts are not rebuilt.
static AffineExpr replace(AffineExpr expr, function_ref<AffineExpr(AffineSymbolExpr)> find) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return find(symbol);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = replace(binary.getLHS(), find), rhs = replace(binary.getRHS(), find);
  if (lhs == binary.getLHS() && rhs == binary.getRHS())
    return expr;
  return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
}

AffineExpr fuser::substituteSymbols(AffineExpr expr, ArrayRef<AffineExpr> replacements) {
  return replace(expr, [&](AffineSymbolExpr symbol) { return replacements[symbol.getPosition()]; });
}

AffineExpr SymbolSubstitution::addSymbol(MLIRContext *context) {
  representatives.push_back(getAffineSymbolExpr(representatives.size(), context));
  return representatives.back();
}

AffineExpr SymbolSubstitution::find(unsigned symbol) {
  AffineExpr expr = representatives[symbol];
  auto self = dyn_cast<AffineSymbolExpr>(expr);
  if (self && self.getPosition() == symbol)
    return expr;
  return representatives[symbol] = apply(expr);
}

AffineExpr SymbolSubstitution::apply(AffineExpr expr) {
  return replace(expr, [this](AffineSymbolExpr symbol) { return find(symbol.getPosition()); });
}

/// The positive constant operand of a sum or a product, or `neutral`.
static int64_t getConstantOperand(AffineExpr expr, AffineExprKind kind, int64_t neutral) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != kind)
    return neutral;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return constant && constant.getValue() > neutral ? constant.getValue() : neutral;
}

/// Cancels what two equal expressions have in common: constant terms and factors. Extents stay
/// sums and products of what is not negative.
static void cancel(AffineExpr &lhs, AffineExpr &rhs) {
  for (;;) {
    auto getTerm = [](AffineExpr expr) {
      return getConstantOperand(expr, AffineExprKind::Add, /*neutral=*/0);
    };
    auto getFactor = [](AffineExpr expr) {
      return getConstantOperand(expr, AffineExprKind::Mul, /*neutral=*/1);
    };
    if (int64_t term = std::min(getTerm(lhs), getTerm(rhs)); term > 0) {
      lhs = lhs - term;
      rhs = rhs - term;
      continue;
    }
    const int64_t factor = std::gcd(getFactor(lhs), getFactor(rhs));
    if (factor == 1)
      return;
    for (AffineExpr *expr : {&lhs, &rhs})
      *expr = cast<AffineBinaryOpExpr>(*expr).getLHS() * (getFactor(*expr) / factor);
  }
}

LogicalResult SymbolSubstitution::unify(AffineExpr lhs, AffineExpr rhs) {
  lhs = apply(lhs);
  rhs = apply(rhs);
  if (lhs == rhs)
    return success();
  if (isa<AffineConstantExpr>(lhs) && isa<AffineConstantExpr>(rhs))
    return failure();
  cancel(lhs, rhs);
  auto left = dyn_cast<AffineSymbolExpr>(lhs), right = dyn_cast<AffineSymbolExpr>(rhs);
  // Of two symbols the later one is replaced.
  if (right && (!left || left.getPosition() < right.getPosition())) {
    std::swap(left, right);
    std::swap(lhs, rhs);
  }
  if (left && !rhs.isFunctionOfSymbol(left.getPosition()))
    representatives[left.getPosition()] = rhs;
  return success();
}
