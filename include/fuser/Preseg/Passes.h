//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRESEG_PASSES_H
#define FUSER_PRESEG_PASSES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace fuser {

#define GEN_PASS_DECL
#include "fuser/Preseg/Passes.h.inc"

/// Removes the layout hints of `root` and of every op in it; returns how many there were. See
/// `fuser-strip-hints`.
unsigned stripHints(mlir::Operation *root);

#define GEN_PASS_REGISTRATION
#include "fuser/Preseg/Passes.h.inc"

} // namespace fuser

#endif // FUSER_PRESEG_PASSES_H
