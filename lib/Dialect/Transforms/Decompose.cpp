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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

bool fuser::isVariance(Operation *op) { return isa<VarMeanOp>(op); }

/// The product of the known sizes that a mean reduces; nothing where it is too large.
static std::optional<int64_t> countKnown(MeanOp mean) {
  const auto type = cast<RankedTensorType>(mean.getInput().getType());
  int64_t count = 1;
  for (int64_t dim : mean.getDims())
    if (!type.isDynamicDim(dim) && llvm::MulOverflow(count, type.getDimSize(dim), count))
      return std::nullopt;
  return count;
}

/// How many elements a mean adds, less `correction`, as a number of its type. Unknown sizes are
/// read of its operand.
static Value buildCount(OpBuilder &builder, MeanOp mean, int64_t correction = 0) {
  const Location loc = mean.getLoc();
  const auto type = cast<RankedTensorType>(mean.getInput().getType());
  const auto element = cast<FloatType>(type.getElementType());
  const int64_t known = *countKnown(mean);
  Value count;
  for (int64_t dim : mean.getDims()) {
    if (!type.isDynamicDim(dim))
      continue;
    Value size = tensor::DimOp::create(builder, loc, mean.getInput(), dim);
    count = count ? arith::MulIOp::create(builder, loc, count, size).getResult() : size;
  }
  if (!count)
    return arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(element, double(std::max<int64_t>(known - correction, 0))));
  if (known > 1)
    count = arith::MulIOp::create(builder, loc, count,
                                  arith::ConstantIndexOp::create(builder, loc, known));
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
  if (correction != 0) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    integer = arith::MaxSIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, integer, constant(correction)),
        constant(0));
  }
  return arith::SIToFPOp::create(builder, loc, element, integer);
}

/// The mean of squares, or their sum divided by the number of elements less the correction.
static Value buildVariance(OpBuilder &builder, Value square, MeanOp mean, int64_t correction) {
  const Location loc = mean.getLoc();
  if (correction == 0)
    return MeanOp::create(builder, loc, square, mean.getDims());
  Value divisor = buildCount(builder, mean, correction);
  Value sum = SumOp::create(builder, loc, square, mean.getDims());
  return DivOp::create(builder, loc, cast<RankedTensorType>(sum.getType()), sum, divisor, nullptr,
                       nullptr, nullptr);
}

void fuser::decomposeVariance(KernelOp kernel) {
  for (auto op : llvm::make_early_inc_range(kernel.getBody().getOps<VarMeanOp>())) {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    auto element = dyn_cast<FloatType>(type.getElementType());
    if (op->hasAttr("domains") || !element || element.getWidth() < 32)
      continue;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    ArrayRef<int64_t> dims = op.getDims();
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t dim : dims)
      shape[dim] = 1;
    auto mean = MeanOp::create(builder, loc, op.getInput(), dims);
    if (op.getCorrection() != 0 && !countKnown(mean)) {
      mean.erase();
      continue;
    }
    Value wide = BroadcastOp::create(builder, loc, RankedTensorType::get(shape, element), mean,
                                     dims, nullptr, nullptr, nullptr);
    Value centered =
        SubOp::create(builder, loc, type, op.getInput(), wide, nullptr, nullptr, nullptr);
    Value square = MulOp::create(builder, loc, type, centered, centered, nullptr, nullptr, nullptr);
    Value variance = buildVariance(builder, square, mean, op.getCorrection());
    for (Operation *part = mean; part != op; part = part->getNextNode())
      if (isa<TensorViewOpInterface>(part))
        copyOrigins(part, op.getOperation());
    op.getMean().replaceAllUsesWith(mean);
    op.getVariance().replaceAllUsesWith(variance);
    op.erase();
  }
}

bool fuser::isDecomposableMean(Operation *op) {
  auto mean = dyn_cast<MeanOp>(op);
  if (!mean || mean->hasAttr("domains"))
    return false;
  const Type element = cast<RankedTensorType>(mean.getInput().getType()).getElementType();
  return (element.isF32() || element.isF64()) && countKnown(mean).value_or(0) > 0;
}

void fuser::decomposeMean(Operation *op) {
  if (!isDecomposableMean(op))
    return;
  auto mean = cast<MeanOp>(op);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(mean.getResult().getType());
  Value divisor = buildCount(builder, mean);
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
