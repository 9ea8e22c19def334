//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect `fuser_loop`: kernels between a schedule and kernel IR (docs/lowering.md).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_LOOPDIALECT_H
#define FUSER_DIALECT_LOOP_LOOPDIALECT_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace fuser::loop {
/// Bytes of the widest access, to which buffers in shared memory are aligned.
inline constexpr int64_t kSharedAlignment = 16;
} // namespace fuser::loop

#include "fuser/Dialect/Loop/LoopDialect.h.inc"
#include "fuser/Dialect/Loop/LoopEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/Loop/LoopAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fuser/Dialect/Loop/LoopTypes.h.inc"

#define GET_OP_CLASSES
#include "fuser/Dialect/Loop/LoopOps.h.inc"

#endif // FUSER_DIALECT_LOOP_LOOPDIALECT_H
