//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of the llvm and nvvm dialects that several patterns emit.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_TARGET_NVVM_EMITOPS_H
#define FUSER_LIB_TARGET_NVVM_EMITOPS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace fuser::nvvm {

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, int32_t value);

/// An index as i32.
mlir::Value truncateToI32(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index);

/// A pointer in another address space; the pointer itself if it is in that one.
mlir::Value castPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                        mlir::NVVM::NVVMMemorySpace space);

/// PTX with operands; `hasSideEffects`: it stays where it is.
mlir::LLVM::InlineAsmOp emitPTX(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::TypeRange results, mlir::ValueRange operands,
                                llvm::StringRef text, llvm::StringRef constraints,
                                bool hasSideEffects = true);

/// What threads wrote to shared memory is visible to copies and products of the asynchronous proxy.
void emitFenceAsync(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace fuser::nvvm

#endif // FUSER_LIB_TARGET_NVVM_EMITOPS_H
