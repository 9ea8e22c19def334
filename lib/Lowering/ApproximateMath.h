//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_APPROXIMATEMATH_H
#define FUSER_LIB_LOWERING_APPROXIMATEMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Rewrites f32 functions and divisions of a kernel to the GPU's one-instruction approximations
/// (docs/approximate-math.md says which, and how far off they are). Only where it was asked for.
void useApproximateMath(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_APPROXIMATEMATH_H
