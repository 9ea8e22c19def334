//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers kernel IR to the llvm and nvvm dialects.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TARGET_NVVM_LOWERTONVVM_H
#define FUSER_TARGET_NVVM_LOWERTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"

namespace fuser::nvvm {

/// Adds the dialects that the lowering creates and the interfaces that turn
/// them into LLVM IR. A context that lowers or emits kernels needs them.
void registerDialects(mlir::DialectRegistry &registry);

/// Loads the dialects that kernel IR is lowered to, where the context has them registered. Threads
/// that emit kernels of one context at the same time rely on them.
void loadDialects(mlir::MLIRContext &context);

/// Turns the kernels of `module` (docs/kernel-ir.md) into llvm.func of the llvm
/// and nvvm dialects, in place. The result translates to LLVM IR and is legal
/// input of upstream's gpu-module-to-binary. Attributes of fuser_gpu on
/// functions and arguments are consumed.
///
/// `chip` (sm_90a, ...) permits the instructions that it has but older ones lack; empty: none of
/// them.
///
/// A module that is already lowered is not changed. An op without a lowering is a diagnostic at the
/// op, and the module is then in an unspecified state.
mlir::LogicalResult lowerToNVVM(mlir::gpu::GPUModuleOp module, llvm::StringRef chip = {});

/// Adds the functions of the libdevice at `path` that a lowered module calls, as internal functions
/// of the llvm dialect; `path` is not read if there are none. Fails after a diagnostic.
mlir::LogicalResult linkLibdevice(mlir::gpu::GPUModuleOp module, llvm::StringRef path);

/// Turns the intrinsics for which upstream's convert-gpu-to-nvvm would call libdevice into
/// llvm.call_intrinsic, which it leaves alone.
void callIntrinsicsByName(mlir::gpu::GPUModuleOp module);

} // namespace fuser::nvvm

#endif // FUSER_TARGET_NVVM_LOWERTONVVM_H
