//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The passes of this room; Passes.td describes each.
//===----------------------------------------------------------------------===//
#ifndef FUSER_TARGET_HOST_PASSES_H
#define FUSER_TARGET_HOST_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace fuser {

#define GEN_PASS_DECL
#include "fuser/Target/Host/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuser/Target/Host/Passes.h.inc"

} // namespace fuser

#endif // FUSER_TARGET_HOST_PASSES_H
