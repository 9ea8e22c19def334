//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of numbers whose range is known from what computes them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BOUNDEDMATH_H
#define FUSER_LIB_LOWERING_BOUNDEDMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// x of x + 1 or 1 + x; null for other ops.
mlir::Value getAddedToOne(mlir::Operation *op);

/// The exponential of 1 + exp(x), which is at least 1, infinite or NaN; null for other values.
mlir::Value getExponentialAddedToOne(mlir::Value value);

/// x / (1 + exp(y)) as (x / 4) / (1/4 + exp(y) / 4), whose reciprocal is 0 only for an infinite
/// divisor, and never denormal. The value has an error of about 2 units in the last place.
struct Quotient {
  mlir::Value dividend, divisor, reciprocal, value;
};
Quotient approximateByAtLeastOne(mlir::OpBuilder &builder, mlir::arith::DivFOp op);

/// Rewrites f32 math of a function whose operands have a known range to shorter forms that are as
/// accurate: divisions by 1 + exp(x), which need no branch for small divisors, and log1p of
/// numbers from 0 to 1, which need no reduction of their range.
void useBoundedMath(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BOUNDEDMATH_H
