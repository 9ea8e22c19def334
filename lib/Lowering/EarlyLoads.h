//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads before computations over which the assembler moves none.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EARLYLOADS_H
#define FUSER_LIB_LOWERING_EARLYLOADS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Moves loads from arguments that the kernel does not write, with what their indices need, before
/// the first op of their block that is a branch on a GPU: an exact division or square root. Its
/// rare results are computed by a call, over which ptxas moves nothing: each load after it would be
/// waited for alone. Loads that would keep too many registers stay.
void loadBeforeBranches(mlir::gpu::GPUFuncOp function);

/// Of branches in a row that load from arguments which the kernel does not write, compute little
/// and store (what a thread does for each of its elements, under the guard of each), moves the
/// loads before the first one, in branches of their own: each branch would wait for its loads
/// before the next one begins. Loads whose indices depend on other loads stay. Does nothing where
/// they would keep too many registers, and in kernels with loops or exchanges between threads,
/// which keep other values meanwhile.
void loadBeforeGuardedParts(mlir::gpu::GPUFuncOp function);

/// True for a kernel whose threads load, compute, store and end, without loops or exchanges between
/// threads.
bool isStraight(mlir::gpu::GPUFuncOp function);

/// True for an op that takes several instructions: a function of math, a division of floats.
bool isFunctionOfFloats(mlir::Operation &op);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EARLYLOADS_H
