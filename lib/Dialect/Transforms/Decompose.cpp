//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites var_mean as two means, and a mean as a sum.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/IR/Origins.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

bool fuser::isVariance(Operation *op) { return isa<VarMeanOp>(op); }

void fuser::decomposeVariance(KernelOp kernel) {
  for (auto op : llvm::make_early_inc_range(kernel.getBody().getOps<VarMeanOp>())) {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    auto element = dyn_cast<FloatType>(type.getElementType());
    if (op.getCorrection() != 0 || op->hasAttr("domains") || !element || element.getWidth() < 32)
      continue;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    ArrayRef<int64_t> dims = op.getDims();
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t dim : dims)
      shape[dim] = 1;
    Value mean = MeanOp::create(builder, loc, op.getInput(), dims);
    Value wide = BroadcastOp::create(builder, loc, RankedTensorType::get(shape, element), mean,
                                     dims, nullptr, nullptr, nullptr);
    Value centered =
        SubOp::create(builder, loc, type, op.getInput(), wide, nullptr, nullptr, nullptr);
    Value square = MulOp::create(builder, loc, type, centered, centered, nullptr, nullptr, nullptr);
    Value variance = MeanOp::create(builder, loc, square, dims);
    for (Value part : {mean, wide, centered, square, variance})
      copyOrigins(part.getDefiningOp(), op.getOperation());
    op.getMean().replaceAllUsesWith(mean);
    op.getVariance().replaceAllUsesWith(variance);
    op.erase();
  }
}

/// The elements that a mean of f32 or f64 has; 0 for other ops, and unknown numbers.
static int64_t countMeanElements(Operation *op) {
  auto mean = dyn_cast<MeanOp>(op);
  if (!mean || mean->hasAttr("domains"))
    return 0;
  auto type = cast<RankedTensorType>(mean.getInput().getType());
  if (!type.getElementType().isF32() && !type.getElementType().isF64())
    return 0;
  int64_t count = 1;
  for (int64_t dim : mean.getDims())
    if (type.isDynamicDim(dim) || llvm::MulOverflow(count, type.getDimSize(dim), count))
      return 0;
  return count;
}

bool fuser::isMeanOfKnownCount(Operation *op) { return countMeanElements(op) > 0; }

void fuser::decomposeMean(Operation *op) {
  const int64_t count = countMeanElements(op);
  if (count == 0)
    return;
  auto mean = cast<MeanOp>(op);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(mean.getResult().getType());
  Value divisor = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type.getElementType(), double(count)));
  Value sum = SumOp::create(builder, loc, mean.getInput(), mean.getDims());
  Value quotient = DivOp::create(builder, loc, type, sum, divisor, nullptr, nullptr, nullptr);
  for (Value part : {sum, quotient})
    copyOrigins(part.getDefiningOp(), op);
  op->replaceAllUsesWith(ValueRange(quotient));
  op->erase();
}

void fuser::decomposeMeans(KernelOp kernel) {
  for (MeanOp op : llvm::make_early_inc_range(kernel.getBody().getOps<MeanOp>()))
    decomposeMean(op);
}
