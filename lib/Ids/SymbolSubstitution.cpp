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

/// Divides two equal multiples by the common part of their constant factors.
static void cancelScale(AffineExpr &lhs, AffineExpr &rhs) {
  auto getScale = [](AffineExpr expr) -> int64_t {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() != AffineExprKind::Mul)
      return 1;
    auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return scale && scale.getValue() > 0 ? scale.getValue() : 1;
  };
  const int64_t common = std::gcd(getScale(lhs), getScale(rhs));
  if (common == 1)
    return;
  for (AffineExpr *expr : {&lhs, &rhs})
    *expr = cast<AffineBinaryOpExpr>(*expr).getLHS() * (getScale(*expr) / common);
}

LogicalResult SymbolSubstitution::unify(AffineExpr lhs, AffineExpr rhs) {
  lhs = apply(lhs);
  rhs = apply(rhs);
  if (lhs == rhs)
    return success();
  if (isa<AffineConstantExpr>(lhs) && isa<AffineConstantExpr>(rhs))
    return failure();
  cancelScale(lhs, rhs);
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
