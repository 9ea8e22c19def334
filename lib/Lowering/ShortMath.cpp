//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShortMath.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuser;

bool fuser::hasShortOutputs(KernelOp kernel) {
  return llvm::all_of(kernel.getResultTypes(), [](Type type) {
    auto element = dyn_cast<FloatType>(cast<RankedTensorType>(type).getElementType());
    return element && element.getWidth() <= 16;
  });
}

/// A constant like `value`, scalar or splat.
static Value constantLike(OpBuilder &builder, Location loc, Value value, float number) {
  TypedAttr scalar = builder.getF32FloatAttr(number);
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(builder, loc, scalar);
}

/// exp(x) = exp2(x * log2(e)). The product's rounding shows as |x| * 2^-24 relative: at most 2^-17,
/// where exp still is a normal number.
static void shortenExp(math::ExpOp op) {
  OpBuilder builder(op);
  constexpr float kLog2E = 1.44269504088896340736f;
  Value scaled = arith::MulFOp::create(builder, op.getLoc(), op.getOperand(),
                                       constantLike(builder, op.getLoc(), op.getOperand(), kLog2E));
  op.replaceAllUsesWith(kernel_ir::ApproxOp::create(builder, op.getLoc(), scaled.getType(),
                                                    kernel_ir::ApproxFunction::Exp2, scaled,
                                                    /*ftz=*/false)
                            .getResult());
  op.erase();
}

/// x / y = (x * s) * (1 / (y * s)) for one y and many x. The scale s is 1, or 2^64 for a y so small
/// that its reciprocal is infinite; a product x * s overflows only where the quotient does.
static void shortenDivision(arith::DivFOp op) {
  auto splat = op.getRhs().getDefiningOp<vector::BroadcastOp>();
  if (!splat || !splat.getSource().getType().isF32())
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value divisor = splat.getSource();
  Value one = constantLike(builder, loc, divisor, 1.0f);
  Value magnitude = math::AbsFOp::create(builder, loc, divisor);
  Value tiny = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, magnitude,
                                     constantLike(builder, loc, divisor, 0x1p-100f));
  Value scale = arith::SelectOp::create(builder, loc, tiny,
                                        constantLike(builder, loc, divisor, 0x1p64f), one);
  Value scaledDivisor = arith::MulFOp::create(builder, loc, divisor, scale);
  Value reciprocal =
      kernel_ir::ApproxOp::create(builder, loc, scaledDivisor.getType(),
                                  kernel_ir::ApproxFunction::Rcp, scaledDivisor, /*ftz=*/false);
  auto spread = [&](Value scalar) -> Value {
    return vector::BroadcastOp::create(builder, loc, op.getType(), scalar);
  };
  Value scaled = arith::MulFOp::create(builder, loc, op.getLhs(), spread(scale));
  op.replaceAllUsesWith(
      arith::MulFOp::create(builder, loc, scaled, spread(reciprocal)).getResult());
  op.erase();
}

void fuser::useShortMath(gpu::GPUFuncOp function) {
  SmallVector<math::ExpOp> exponentials;
  SmallVector<arith::DivFOp> divisions;
  function.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      return;
    if (auto exp = dyn_cast<math::ExpOp>(op))
      exponentials.push_back(exp);
    if (auto division = dyn_cast<arith::DivFOp>(op))
      divisions.push_back(division);
  });
  llvm::for_each(exponentials, shortenExp);
  llvm::for_each(divisions, shortenDivision);
}
