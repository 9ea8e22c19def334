//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The types of the buffers that a call of a fusion takes and returns.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_CALLBUFFERS_H
#define FUSER_DIALECT_IR_CALLBUFFERS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fuser {

/// The type of the buffer of a tensor argument: row-major without a layout unless the fusion has a
/// layout fact for it; else with the strides of that fact, dynamic where they are unknown.
mlir::MemRefType getArgumentBufferType(FusionOp fusion, unsigned argument);

/// The type of the buffer of an output: dense in the required order. Without a requirement the
/// order is the compiler's choice, and the strides are dynamic. An output that aliases an argument
/// has that argument's type.
mlir::MemRefType getOutputBufferType(FusionOp fusion, unsigned output);

} // namespace fuser

#endif // FUSER_DIALECT_IR_CALLBUFFERS_H
