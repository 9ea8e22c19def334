//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ops of a fusion an op of a kernel was made of.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ORIGINS_H
#define FUSER_DIALECT_IR_ORIGINS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// A discardable attribute, `array<i64>`: the numbers of the ops of the fusion that an op was made
/// of, ascending. Kernels get it with the ops that they copy, where the fusion has it. Whatever
/// makes ops of others (caches, clones, parts of a reduction) passes it on; nothing depends on it
/// for correctness.
inline constexpr llvm::StringLiteral kOriginName = "fuser.origin";

/// Numbers the ops of a fusion from `first` on; returns the number after the last.
int64_t numberOrigins(FusionOp fusion, int64_t first = 0);

/// The numbers of an op; empty where it has none.
llvm::ArrayRef<int64_t> getOrigins(mlir::Operation *op);

/// Gives `op` the origins of all of `sources`, where these have any.
void copyOrigins(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> sources);

} // namespace fuser

#endif // FUSER_DIALECT_IR_ORIGINS_H
