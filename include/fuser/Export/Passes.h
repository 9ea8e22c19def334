//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; Passes.td describes each.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPORT_PASSES_H
#define FUSER_EXPORT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fuser {

/// Replaces every host function of `module`, whose launches name kernel IR, by a `func.func` of
/// upstream dialects; see `fuser-convert-host-to-gpu`. Fails after a diagnostic at an op that
/// cannot be expressed there.
mlir::LogicalResult convertHostToGPU(mlir::ModuleOp module);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fuser/Export/Passes.h.inc"

} // namespace fuser

#endif // FUSER_EXPORT_PASSES_H
