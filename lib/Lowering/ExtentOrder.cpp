//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExtentOrder.h"

using namespace mlir;
using namespace fuser;

bool fuser::isAtLeast(AffineExpr a, AffineExpr b, GetLowerBound getLowerBound) {
  if (getLowerBound(a - b) >= 0)
    return true;
  auto x = dyn_cast<AffineBinaryOpExpr>(a), y = dyn_cast<AffineBinaryOpExpr>(b);
  auto isOf = [](AffineBinaryOpExpr expr, AffineExprKind kind) {
    return expr && expr.getKind() == kind;
  };
  auto isNatural = [&](AffineExpr expr) { return getLowerBound(expr) >= 0; };
  if (isOf(y, AffineExprKind::CeilDiv)) {
    if (isOf(x, AffineExprKind::CeilDiv) && x.getRHS() == y.getRHS() &&
        isAtLeast(x.getLHS(), y.getLHS(), getLowerBound))
      return true;
    return getLowerBound(y.getRHS()) >= 1 && isNatural(y.getLHS()) &&
           isAtLeast(a, y.getLHS(), getLowerBound);
  }
  return isOf(x, AffineExprKind::Mul) && isOf(y, AffineExprKind::Mul) && isNatural(x.getRHS()) &&
         isNatural(y.getLHS()) && isAtLeast(x.getLHS(), y.getLHS(), getLowerBound) &&
         isAtLeast(x.getRHS(), y.getRHS(), getLowerBound);
}

AffineExpr fuser::getLarger(AffineExpr a, AffineExpr b, GetLowerBound getLowerBound) {
  if (isAtLeast(a, b, getLowerBound))
    return a;
  return isAtLeast(b, a, getLowerBound) ? b : AffineExpr();
}
