//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMOPS_PASSES_H
#define FUSER_DIALECT_TRANSFORMOPS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fuser {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fuser/Dialect/TransformOps/Passes.h.inc"

/// Interprets the schedule script of `module`, if it has one, on it, and erases the script. Fails
/// with the diagnostic of the op that failed.
mlir::LogicalResult interpretSchedules(mlir::ModuleOp module);

/// Erases the named sequences in `module`, and nested modules for named sequences that become
/// empty.
void eraseScheduleScripts(mlir::ModuleOp module);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMOPS_PASSES_H
