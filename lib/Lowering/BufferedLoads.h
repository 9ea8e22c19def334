//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads from arguments that go through buffers of registers, as values.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BUFFEREDLOADS_H
#define FUSER_LIB_LOWERING_BUFFEREDLOADS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Replaces the elements of buffers in registers that only hold what is loaded from arguments by
/// the loaded values, if other loads have them too (`shareLoads`) or a constant may be in their
/// place (`selectBeforeLoads`). What a branch loads is a result of the branch, and poison where its
/// condition does not hold: a buffer has no element there that is used. Buffers whose elements
/// decide what is loaded or which branch is taken stay, and so do buffers with accesses at offsets
/// that are not constant or that overlap in part. The function has no loops.
void promoteLoadedBuffers(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BUFFEREDLOADS_H
