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

using namespace mlir;
using namespace fuser;

namespace {
/// sum(exp(x - m)) with m = max(x), over the same dimensions.
struct SoftmaxSum {
  SumOp sum;
  MaxOp max;
  /// x and m as the difference reads them: maybe converted to a wider type.
  Value element, maximum;
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
  auto wide = difference->getOperand(1).getDefiningOp<BroadcastOp>();
  if (!wide || wide.getDims() != sum.getDims() || x.getType() != difference->getResult(0).getType())
    return std::nullopt;
  auto max = getConverted(wide.getInput()).getDefiningOp<MaxOp>();
  if (!max || max->hasAttr("domains") || max.getDims() != sum.getDims() ||
      getConverted(max.getInput()) != getConverted(x))
    return std::nullopt;
  return SoftmaxSum{sum, max, x, wide.getInput()};
}

/// Erases the op, and its producers, if nothing uses them.
static void eraseUnused(Operation *op) {
  if (!op || !op->use_empty() || !isa<TensorViewOpInterface>(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand.getDefiningOp());
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
    sum.getResult().replaceAllUsesWith(both.getSum());
    sum.erase();
    eraseUnused(exp);
    eraseUnused(found->maximum.getDefiningOp());
  }
}
