//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Calls of a lowered kernel into the scheduler.
//===----------------------------------------------------------------------===//
#ifndef FUSER_LIB_TARGET_HOST_HOSTCALLS_H
#define FUSER_LIB_TARGET_HOST_HOSTCALLS_H

#include "Stages.h"
#include "fuser/Artifact/HostABI.h"

namespace fuser::host {

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, uint32_t value);

/// Calls `function`(context, site), the wait that `op` lowers to.
void callWait(mlir::OpBuilder &builder, mlir::Operation *op, llvm::StringRef function,
              KernelFacts &facts);

/// The bits of a value, of any integer, float or one-dimensional vector type, in words of 64.
llvm::SmallVector<mlir::Value> splitPayload(mlir::OpBuilder &builder, mlir::Location loc,
                                            mlir::Value value);
/// The value of a type from its words.
mlir::Value joinPayload(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        llvm::ArrayRef<mlir::Value> chunks);

struct ShuffleResult {
  mlir::Value value; ///< of the type of the value that was sent
  mlir::Value valid; ///< i1: the source lane is in the segment
};

/// Sends `value`, of any integer, float or one-dimensional vector type of the llvm dialect, between
/// lanes. `mode` is one of FUSER_HOST_SHUFFLE_*; `offset` and `width` are i32.
ShuffleResult callShuffle(mlir::OpBuilder &builder, mlir::Operation *op, uint32_t mode,
                          mlir::Value value, mlir::Value offset, mlir::Value width,
                          KernelFacts &facts);

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_HOSTCALLS_H
