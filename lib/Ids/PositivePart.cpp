//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/PositivePart.h"

using namespace mlir;
using namespace fuser;

/// No extent, offset or amount reaches it.
static constexpr int64_t kBeyond = int64_t(1) << 62;

AffineExpr fuser::getSign(AffineExpr expr) { return expr.floorDiv(kBeyond); }

bool fuser::hasSign(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary && ((expr.getKind() == AffineExprKind::FloorDiv && binary.getRHS() == kBeyond) ||
                    hasSign(binary.getLHS()) || hasSign(binary.getRHS()));
}

AffineExpr fuser::getPositivePart(AffineExpr expr) {
  // Products move a constant factor to their end.
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  auto factor = product && expr.getKind() == AffineExprKind::Mul
                    ? dyn_cast<AffineConstantExpr>(product.getRHS())
                    : AffineConstantExpr();
  if (!factor)
    return expr * (getSign(expr) + 1);
  const AffineExpr positive = getPositivePart(product.getLHS());
  return factor.getValue() < 0 ? (product.getLHS() - positive) * factor : positive * factor;
}

AffineExpr fuser::getLarger(AffineExpr lhs, AffineExpr rhs) {
  // The constant is the term without an operation.
  if (isa<AffineConstantExpr>(lhs))
    std::swap(lhs, rhs);
  return rhs == 0 ? getPositivePart(lhs) : rhs + getPositivePart(lhs - rhs);
}

AffineExpr fuser::getSmaller(AffineExpr lhs, AffineExpr rhs) {
  if (isa<AffineConstantExpr>(rhs))
    std::swap(lhs, rhs);
  return rhs - getPositivePart(rhs - lhs);
}

AffineExpr fuser::matchPositivePart(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || expr.getKind() != AffineExprKind::Mul)
    return {};
  auto match = [](AffineExpr value, AffineExpr other) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(other);
    if (!sum || other.getKind() != AffineExprKind::Add || sum.getRHS() != 1)
      return false;
    auto quotient = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
    return quotient && quotient.getKind() == AffineExprKind::FloorDiv &&
           quotient.getRHS() == kBeyond && quotient.getLHS() == value;
  };
  if (match(product.getLHS(), product.getRHS()))
    return product.getLHS();
  return match(product.getRHS(), product.getLHS()) ? product.getRHS() : AffineExpr();
}

bool fuser::hasPositivePart(AffineExpr expr) {
  if (matchPositivePart(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary && (hasPositivePart(binary.getLHS()) || hasPositivePart(binary.getRHS()));
}

unsigned fuser::getPositiveDepth(AffineExpr expr, llvm::DenseMap<AffineExpr, unsigned> &known) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  if (auto it = known.find(expr); it != known.end())
    return it->second;
  const AffineExpr operand = matchPositivePart(expr);
  const unsigned depth = operand ? 1 + getPositiveDepth(operand, known)
                                 : std::max(getPositiveDepth(binary.getLHS(), known),
                                            getPositiveDepth(binary.getRHS(), known));
  known[expr] = depth;
  return depth;
}
