//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SHORTMATH_H
#define FUSER_LIB_LOWERING_SHORTMATH_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// True where every output of the kernel has at most 16 bits: then f32 results that are off by a
/// few ulp are as good as exact ones (docs/adr: math behind 16-bit outputs).
bool hasShortOutputs(KernelOp kernel);

/// Rewrites f32 math of a kernel with short outputs to cheaper forms of a few ulp: exponentials to
/// the hardware's exp2, divisions of vectors by one number to multiplications with its reciprocal.
void useShortMath(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SHORTMATH_H
