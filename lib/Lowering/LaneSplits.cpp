//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaneSplits.h"
#include "KernelOperands.h"

using namespace mlir;
using namespace fuser;

LaneSplits::LaneSplits(LoopFacts &facts) : facts(facts) {
  for (unsigned log = 0; log < 5; ++log)
    first[log] = facts.addDim({0, 16}, int64_t(1) << log);
}

void LaneSplits::setPerLane(AffineExpr dim) {
  const unsigned number = cast<AffineDimExpr>(dim).getPosition();
  if (perLane.size() <= number)
    perLane.resize(number + 1);
  perLane.set(number);
}

bool LaneSplits::isFixed(AffineExpr expr) const {
  return !expr.isFunctionOfDim(cast<AffineDimExpr>(variable).getPosition()) &&
         llvm::none_of(perLane.set_bits(), [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
}

std::optional<LaneSplit> LaneSplits::split(AffineExpr expr, int64_t chunk) const {
  if (isFixed(expr))
    return LaneSplit{expr, false};
  if (expr == variable)
    return LaneSplit{chunk == width ? getAffineConstantExpr(0, expr.getContext())
                                    : first[llvm::Log2_64(chunk)],
                     true};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<LaneSplit> lhs = split(binary.getLHS(), chunk), rhs = split(binary.getRHS(), chunk);
  if (!lhs || !rhs)
    return std::nullopt;
  const AffineExpr a = lhs->base, b = rhs->base;
  auto divides = [&](AffineExpr value) { return facts.getDivisor(value) % chunk == 0; };
  const bool isWithin = !rhs->hasLane && divides(a) && divides(b);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (lhs->hasLane && rhs->hasLane)
      return std::nullopt;
    return LaneSplit{a + b, lhs->hasLane || rhs->hasLane};
  case AffineExprKind::Mul:
    // Lanes that are all equal may still differ between chunks.
    if (lhs->hasLane || rhs->hasLane)
      return std::nullopt;
    return LaneSplit{a * b, false};
  case AffineExprKind::FloorDiv:
    if (!lhs->hasLane && !rhs->hasLane)
      return LaneSplit{a.floorDiv(b), false};
    return isWithin ? std::optional(LaneSplit{a.floorDiv(b), false}) : std::nullopt;
  case AffineExprKind::Mod:
    if (!lhs->hasLane && !rhs->hasLane)
      return LaneSplit{a % b, false};
    return isWithin ? std::optional(LaneSplit{a % b, true}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool LaneSplits::isContiguous(AffineExpr offset, int64_t chunk) const {
  std::optional<LaneSplit> lanes = split(offset, chunk);
  return lanes && (!lanes->hasLane || facts.getDivisor(lanes->base) % chunk == 0);
}

bool LaneSplits::isVector(const LaneSplit &parts, int64_t chunk, int64_t bytes,
                          int64_t alignment) const {
  return parts.hasLane && facts.getDivisor(parts.base) % chunk == 0 &&
         alignment % std::min(kWidestAccess, chunk * bytes) == 0;
}

/// The constraint without a quotient of its left side: a + x floordiv d < b if and only if
/// a * d + x < b * d. nullopt without one.
static std::optional<Constraint> multiplyOut(const Constraint &constraint) {
  AffineExpr rest = getAffineConstantExpr(0, constraint.lhs.getContext()), term = constraint.lhs;
  while (term.getKind() == AffineExprKind::Add) {
    auto sum = cast<AffineBinaryOpExpr>(term);
    const bool isFirst = sum.getLHS().getKind() == AffineExprKind::FloorDiv;
    rest = rest + (isFirst ? sum.getRHS() : sum.getLHS());
    term = isFirst ? sum.getLHS() : sum.getRHS();
  }
  auto quotient = dyn_cast<AffineBinaryOpExpr>(term);
  auto divisor = quotient && quotient.getKind() == AffineExprKind::FloorDiv
                     ? dyn_cast<AffineConstantExpr>(quotient.getRHS())
                     : AffineConstantExpr();
  if (constraint.kind != loop::ConstraintKind::Less || !divisor || divisor.getValue() < 1)
    return std::nullopt;
  return Constraint::less(rest * divisor + quotient.getLHS(), constraint.rhs * divisor);
}

bool LaneSplits::isUniform(const Constraint &constraint, int64_t chunk) const {
  std::optional<LaneSplit> lhs = split(constraint.lhs, chunk);
  std::optional<LaneSplit> rhs = split(constraint.rhs, chunk);
  if (rhs && rhs->hasLane)
    return false;
  if (lhs && rhs && !lhs->hasLane)
    return true;
  if (lhs && rhs && constraint.kind == loop::ConstraintKind::Less &&
      facts.getDivisor(lhs->base) % chunk == 0 && facts.getDivisor(rhs->base) % chunk == 0)
    return true;
  std::optional<Constraint> product = multiplyOut(constraint);
  return product && isUniform(*product, chunk);
}

bool LaneSplits::isUniform(const Constraints &guard, int64_t chunk) const {
  return llvm::all_of(guard,
                      [&](const Constraint &constraint) { return isUniform(constraint, chunk); });
}
