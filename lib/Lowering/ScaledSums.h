//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sums with a product by a power of two.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SCALEDSUMS_H
#define FUSER_LIB_LOWERING_SCALEDSUMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Rewrites the sums and differences of a function with a product by a power of two, which is used
/// there only, to one multiply-add: `2 x y + z` to `fma(x y, 2, z)`. Products by powers of two are
/// not rounded, so that results are the same bits, except where the product overflows or is
/// subnormal: there, the multiply-add has no rounded product, and factors are multiplied before the
/// scale, which is 1/4 to 4 where there are several. Only in kernels that instructions limit.
void fuseScaledSums(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SCALEDSUMS_H
