//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Caches: copies of arguments and results of a kernel that a schedule can place independently.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_CACHING_H
#define FUSER_DIALECT_TRANSFORMS_CACHING_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Inserts a `fuser.set` of a tensor argument at the start of the kernel, after existing ones, and
/// replaces all uses of the argument, or the uses for which `reads` holds, by it. Returns the copy,
/// or the existing copy of the argument; null if there is no such use, or if the argument is only
/// returned as its own alias. Fails with a diagnostic if the argument is not a tensor.
llvm::FailureOr<mlir::Operation *>
cacheLoad(KernelOp kernel, unsigned argument,
          llvm::function_ref<bool(mlir::OpOperand &)> reads = {});

/// Returns output `output` through a new `fuser.set` in global memory; the original value stays in
/// registers. Returns the copy, or the existing copy of the output; null if the output is an
/// argument that aliases it.
llvm::FailureOr<mlir::Operation *> cacheStore(KernelOp kernel, unsigned output);

/// Inserts a `fuser.set` after the op that defines `value` and replaces all other uses by it.
/// Returns it.
mlir::Operation *cacheValue(mlir::Value value);

/// Gives each use of a value of size-1 dimensions that a broadcast made its own broadcast op, so
/// that each can be scheduled with its consumer. (A broadcast computes nothing.)
void splitBroadcasts(KernelOp kernel);

/// Recomputes `value` for `users`: clones the ops that compute it from `available` values (or from
/// arguments) before the first user, without schedules, and replaces the uses by the clone. All
/// cloned ops must be pointwise; otherwise it fails without a diagnostic and changes nothing.
mlir::LogicalResult recomputeFor(mlir::Value value, llvm::ArrayRef<mlir::Operation *> users,
                                 llvm::function_ref<bool(mlir::Value)> available);

/// Inserts a `fuser.set` of a tensor before the op that reads it, for this use only. Returns the
/// copy.
mlir::Operation *cacheUse(mlir::OpOperand &use);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_CACHING_H
