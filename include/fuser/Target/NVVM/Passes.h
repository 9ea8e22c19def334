//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of the NVVM target.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TARGET_NVVM_PASSES_H
#define FUSER_TARGET_NVVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <string>

namespace fuser::nvvm {

#define GEN_PASS_DECL
#include "fuser/Target/NVVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fuser/Target/NVVM/Passes.h.inc"

} // namespace fuser::nvvm

#endif // FUSER_TARGET_NVVM_PASSES_H
