//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites var_mean as two means.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/IR/Origins.h"

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
