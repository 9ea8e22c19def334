//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads of what a thread has loaded before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SHAREDLOADS_H
#define FUSER_LIB_LOWERING_SHAREDLOADS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Replaces loads from arguments that the kernel does not write by what an earlier load has at the
/// same place, or by an element of a vector that it has: neighbors of the elements of a thread
/// that filters and differences read for each of them. Indices are compared as sums of multiples of
/// values, and the earlier load is made wherever the later one is: under conditions which are all
/// among those of the later one. Conditions are equal if they are the same value
/// (`shareEqualValues`). The function has no loops.
void shareLoads(mlir::gpu::GPUFuncOp function);

/// The loads from arguments that the kernel does not write of which another one has the same
/// place, or a vector around it, under whatever conditions.
llvm::SmallPtrSet<mlir::Operation *, 16> getRepeatedLoads(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SHAREDLOADS_H
