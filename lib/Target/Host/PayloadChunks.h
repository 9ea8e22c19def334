//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The scheduler moves 64 bits at a time between threads. These take a value of any
// integer, float or one-dimensional vector type apart, and put it together again.
//===----------------------------------------------------------------------===//
#ifndef FUSER_LIB_TARGET_HOST_PAYLOADCHUNKS_H
#define FUSER_LIB_TARGET_HOST_PAYLOADCHUNKS_H

#include "mlir/IR/Builders.h"

namespace fuser::host {

/// The bits of `value`, lowest first, in as many i64 as they need.
llvm::SmallVector<mlir::Value> splitPayload(mlir::OpBuilder &builder, mlir::Location loc,
                                            mlir::Value value);

/// The inverse: a value of `type` from the chunks of splitPayload.
mlir::Value joinPayload(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        llvm::ArrayRef<mlir::Value> chunks);

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_PAYLOADCHUNKS_H
