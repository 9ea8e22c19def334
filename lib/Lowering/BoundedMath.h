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

/// A quotient, as the product with the reciprocal of its divisor.
struct Quotient {
  mlir::Value dividend, divisor, reciprocal, value;
};

/// The quotient after one step of Newton's, which rounds as a division does, except where it is
/// halfway but for 2^-21 of a unit.
mlir::Value refineQuotient(mlir::OpBuilder &builder, mlir::Location loc, const Quotient &quotient);

/// x / (1 + exp(y)) as (x / 4) / (1/4 + exp(y) / 4), whose reciprocal is 0 only for an infinite
/// divisor, and never denormal. The value has an error of about 2 units in the last place.
Quotient approximateByAtLeastOne(mlir::OpBuilder &builder, mlir::arith::DivFOp op);

/// Rewrites f32 math of a function whose operands have a known range to shorter forms that are as
/// accurate: divisions by 1 + exp(x), which need no branch for small divisors (of a denormal
/// dividend the last two bits may be lost), and log1p of numbers from 0 to 1, which need no
/// reduction of their range.
void useBoundedMath(mlir::gpu::GPUFuncOp function);

/// Divides f32 elements that are often 0 (selections of 0, as gradients of rectified values have
/// them) as other numbers, and multiplies the quotients by them: the hardware's division branches
/// to a long sequence for 0. Results are the same.
void divideNonzeros(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BOUNDEDMATH_H
