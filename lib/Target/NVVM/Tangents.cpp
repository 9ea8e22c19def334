//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tanh of f32. That of libdevice has a case of great numbers, whose compare and select run at half
// rate and change no result.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using fuser::kernel_ir::ApproxFunction;
using fuser::kernel_ir::ApproxOp;

/// tanh(x) = 1 - 2 / (exp(2|x|) + 1) with the sign of x, and below 0.6 the polynomial of libdevice.
static Value buildTanh(OpBuilder &builder, math::TanhOp op) {
  static constexpr float twoLog2E = 0x1.715476p+1f, leastOuter = 0.6f;
  static constexpr float coefficients[] = {0x1.01e104p-6f, -0x1.ac795cp-5f, 0x1.10b282p-3f,
                                           -0x1.5553dap-2f};
  const Location loc = op.getLoc();
  Value x = op.getOperand();
  auto constant = [&](float number) -> Value {
    TypedAttr attr = builder.getF32FloatAttr(number);
    if (auto vector = dyn_cast<VectorType>(x.getType()))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  auto approximate = [&](ApproxFunction function, Value value) -> Value {
    return ApproxOp::create(builder, loc, value.getType(), function, value, /*ftz=*/true);
  };
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value power = approximate(ApproxFunction::Exp2,
                            arith::MulFOp::create(builder, loc, magnitude, constant(twoLog2E)));
  Value reciprocal =
      approximate(ApproxFunction::Rcp, arith::AddFOp::create(builder, loc, power, constant(1.0f)));
  Value outer = math::CopySignOp::create(
      builder, loc, math::FmaOp::create(builder, loc, reciprocal, constant(-2.0f), constant(1.0f)),
      x);
  Value square = arith::MulFOp::create(builder, loc, x, x), sum = constant(coefficients[0]);
  for (float coefficient : ArrayRef(coefficients).drop_front())
    sum = math::FmaOp::create(builder, loc, sum, square, constant(coefficient));
  Value inner =
      math::FmaOp::create(builder, loc, arith::MulFOp::create(builder, loc, sum, square), x, x);
  Value isOuter = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, magnitude,
                                        constant(leastOuter));
  return arith::SelectOp::create(builder, loc, isOuter, outer, inner);
}

void fuser::nvvm::expandTangents(Operation *root) {
  root->walk([](math::TanhOp op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    OpBuilder builder(op);
    op.replaceAllUsesWith(buildTanh(builder, op));
    op.erase();
  });
}
