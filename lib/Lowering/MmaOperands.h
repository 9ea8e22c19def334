//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operands of matrix instructions in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_MMAOPERANDS_H
#define FUSER_LIB_LOWERING_MMAOPERANDS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser {

/// True for a buffer in shared memory that a tile in loops on mma reads.
bool isOperandOfMma(mlir::Value buffer);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_MMAOPERANDS_H
