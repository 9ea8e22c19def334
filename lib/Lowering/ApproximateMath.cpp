//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fuser;
using kernel_ir::ApproxFunction;

namespace {
/// Makes the approximate form of one op in front of it.
struct Approximation {
  explicit Approximation(Operation *op)
      : builder(op), loc(op->getLoc()), operands(op->getOperands()) {}

  Value apply(ApproxFunction function, Value x) {
    return kernel_ir::ApproxOp::create(builder, loc, x.getType(), function, x, /*ftz=*/false);
  }
  Value times(Value x, Value y) { return arith::MulFOp::create(builder, loc, x, y); }
  Value times(Value x, double factor) {
    return times(x, kernel_ir::createConstant(builder, loc, x.getType(), factor));
  }
  Value log2() { return apply(ApproxFunction::Log2, operands[0]); }
  Value divide(Value x, Value y) { return times(x, apply(ApproxFunction::Rcp, y)); }

  /// Null for an op that has none: those that are there to be exact (expm1, log1p, fma), and those
  /// without an instruction.
  Value build(Operation *op) {
    Value x = operands.empty() ? Value() : operands[0];
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](math::ExpOp) { return apply(ApproxFunction::Exp2, times(x, 1 / std::log(2.0))); })
        .Case([&](math::Exp2Op) { return apply(ApproxFunction::Exp2, x); })
        .Case([&](math::LogOp) { return times(log2(), std::log(2.0)); })
        .Case([&](math::Log2Op) { return log2(); })
        .Case([&](math::Log10Op) { return times(log2(), std::log10(2.0)); })
        .Case([&](math::SqrtOp) { return apply(ApproxFunction::Sqrt, x); })
        .Case([&](math::RsqrtOp) { return apply(ApproxFunction::Rsqrt, x); })
        .Case([&](math::SinOp) { return apply(ApproxFunction::Sin, x); })
        .Case([&](math::CosOp) { return apply(ApproxFunction::Cos, x); })
        .Case([&](math::TanOp) {
          return divide(apply(ApproxFunction::Sin, x), apply(ApproxFunction::Cos, x));
        })
        .Case([&](math::TanhOp) { return apply(ApproxFunction::Tanh, x); })
        .Case([&](arith::DivFOp) { return divide(x, operands[1]); })
        .Default([](Operation *) { return Value(); });
  }

  OpBuilder builder;
  Location loc;
  OperandRange operands;
};
} // namespace

void fuser::useApproximateMath(gpu::GPUFuncOp function) {
  SmallVector<Operation *> candidates;
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      candidates.push_back(op);
  });
  for (Operation *op : candidates) {
    Value approximate = Approximation(op).build(op);
    if (!approximate)
      continue;
    op->getResult(0).replaceAllUsesWith(approximate);
    op->erase();
  }
}
