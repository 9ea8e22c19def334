//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites a maximum and a sum of exponentials as one reduction.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

using namespace mlir;
using namespace fuser;

namespace {
/// sum(exp(x - m)) with m = max(x), over the same dimensions.
struct SoftmaxSum {
  SumOp sum;
  MaxOp max;
  /// x and m as the difference reads them: maybe converted to a wider type.
  Value element, maximum;
  /// True if the difference reads 0 in place of an infinite m (logsumexp).
  bool isGuarded = false;
};
} // namespace

/// The value that conversions which keep every value convert.
static Value getConverted(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>()) {
    Type from = getElementTypeOrSelf(cast.getInput().getType());
    if (!isa<FloatType>(from) ||
        !isValuePreservingCast(from, getElementTypeOrSelf(value.getType())))
      break;
    value = cast.getInput();
  }
  return value;
}

/// m of `where(|m| == inf, 0, m)`; null for other values.
static Value getGuarded(Value value) {
  auto guard = value.getDefiningOp<WhereOp>();
  auto isInfinite = guard ? guard.getCondition().getDefiningOp<EqOp>() : EqOp();
  auto magnitude = isInfinite ? isInfinite->getOperand(0).getDefiningOp<AbsOp>() : AbsOp();
  APFloat infinity(0.0f);
  return magnitude && magnitude->getOperand(0) == guard.getOnFalse() &&
                 matchPattern(isInfinite->getOperand(1), m_ConstantFloat(&infinity)) &&
                 infinity.isPosInfinity() && matchPattern(guard.getOnTrue(), m_PosZeroFloat())
             ? guard.getOnFalse()
             : Value();
}

/// The sum of exp(x - m) where the difference reads 0 in place of an infinite m. If the greatest x
/// is infinite, so is the sum; if all are -inf, each exponential is 0.
static Value guardSum(OpBuilder &builder, MaxSumExpOp both) {
  const Location loc = both.getLoc();
  Value infinity = arith::ConstantOp::create(
      builder, loc, builder.getF64FloatAttr(std::numeric_limits<double>::infinity()));
  Value isInfinite = EqOp::create(
      builder, loc, AbsOp::create(builder, loc, both.getMaximum()).getResult(), infinity);
  Value ofInfinite = ExpOp::create(builder, loc, both.getMaximum());
  return WhereOp::create(builder, loc, isInfinite, ofInfinite, both.getSum());
}

static std::optional<SoftmaxSum> match(SumOp sum) {
  auto type = cast<RankedTensorType>(sum.getResult().getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  auto exp = sum.getInput().getDefiningOp<ExpOp>();
  auto difference = exp ? exp->getOperand(0).getDefiningOp<SubOp>() : SubOp();
  if (sum->hasAttr("domains") || !element || element.getWidth() < 32 || !difference ||
      exp->getResult(0).getType() != difference->getResult(0).getType() ||
      getElementTypeOrSelf(exp->getResult(0).getType()) != element)
    return std::nullopt;
  Value x = difference->getOperand(0);
  Value guarded = getGuarded(difference->getOperand(1));
  auto wide = (guarded ? guarded : difference->getOperand(1)).getDefiningOp<BroadcastOp>();
  if (!wide || wide.getDims() != sum.getDims() || x.getType() != difference->getResult(0).getType())
    return std::nullopt;
  auto max = getConverted(wide.getInput()).getDefiningOp<MaxOp>();
  if (!max || max->hasAttr("domains") || max.getDims() != sum.getDims() ||
      getConverted(max.getInput()) != getConverted(x))
    return std::nullopt;
  return SoftmaxSum{sum, max, x, wide.getInput(), bool(guarded)};
}

/// Erases the op, and its producers, if nothing uses them. A producer may be reached twice.
static void eraseUnused(Operation *op) {
  llvm::SmallSetVector<Operation *, 8> work;
  work.insert(op);
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!next || !next->use_empty() || !isa<TensorViewOpInterface>(next))
      continue;
    for (Value operand : next->getOperands())
      work.insert(operand.getDefiningOp());
    next->erase();
  }
}

bool fuser::hasSoftmaxSum(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().getOps<SumOp>(),
                      [](SumOp sum) { return match(sum).has_value(); });
}

void fuser::composeSoftmaxSums(KernelOp kernel) {
  for (SumOp sum : llvm::make_early_inc_range(kernel.getBody().getOps<SumOp>())) {
    std::optional<SoftmaxSum> found = match(sum);
    if (!found)
      continue;
    OpBuilder builder(found->max);
    Value element = found->element;
    Operation *producer = element.getDefiningOp();
    // The maximum may be that of the values before they are converted.
    if (producer && !producer->isBeforeInBlock(found->max)) {
      auto cast = dyn_cast<CastOp>(producer);
      Operation *source = cast ? cast.getInput().getDefiningOp() : nullptr;
      if (!cast || (source && !source->isBeforeInBlock(found->max)))
        continue;
      element = builder.clone(*cast)->getResult(0);
    }
    auto both = MaxSumExpOp::create(builder, sum.getLoc(), element, sum.getDims());
    copyOrigins(both, {found->max.getOperation(), sum.getOperation()});
    found->maximum.replaceAllUsesWith(both.getMaximum());
    Operation *exp = sum.getInput().getDefiningOp();
    Value result = both.getSum();
    if (found->isGuarded) {
      builder.setInsertionPoint(sum);
      result = guardSum(builder, both);
    }
    sum.getResult().replaceAllUsesWith(result);
    sum.erase();
    eraseUnused(exp);
    eraseUnused(found->maximum.getDefiningOp());
  }
}
