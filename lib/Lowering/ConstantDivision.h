//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_CONSTANTDIVISION_H
#define FUSER_LIB_LOWERING_CONSTANTDIVISION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <optional>

namespace fuser {

/// 1 / c as a sum: x / c is fma(x, high, x * low), with one rounding. `low` is 0, and the quotient
/// is x * high, where c is a power of two. Else `low` has the sign of `high`, so that quotients of
/// zeros and infinities have their sign.
struct SplitReciprocal {
  float high, low;
};

/// The sum for a divisor, if all quotients round correctly with it: of 2^-78 or more in magnitude;
/// the product with `low` may be subnormal below that, and the error at most half of the least
/// subnormal number more than half an ulp. nullopt for the other 7 % of divisors, and for those of
/// extreme magnitude.
std::optional<SplitReciprocal> splitReciprocal(float divisor);

/// The same of the divisor of an f32 division, if it is a constant, also a splat of one.
std::optional<SplitReciprocal> splitReciprocal(mlir::arith::DivFOp op);

/// Rewrites the f32 divisions of a function by such constants.
void divideByConstants(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_CONSTANTDIVISION_H
