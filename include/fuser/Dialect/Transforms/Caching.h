//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Caches: copies of arguments and results of a kernel that a schedule can place on their own.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_CACHING_H
#define FUSER_DIALECT_TRANSFORMS_CACHING_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Inserts a `fuser.set` of a tensor argument at the start of the kernel, after earlier ones, and
/// lets all users read it, or (`reads`) those uses that it holds for. Returns the copy; the one
/// that exists where the argument has one already; null where nobody reads the argument so, or
/// where it is only returned as its own alias. Fails with a diagnostic where the argument is no
/// tensor.
llvm::FailureOr<mlir::Operation *>
cacheLoad(KernelOp kernel, unsigned argument,
          llvm::function_ref<bool(mlir::OpOperand &)> reads = {});

/// Returns output `output` through a new `fuser.set` in global memory; what was returned stays in
/// registers. Returns the copy; the one that exists where the output has one already; null where
/// the output is an argument that aliases it.
llvm::FailureOr<mlir::Operation *> cacheStore(KernelOp kernel, unsigned output);

/// Puts a `fuser.set` behind the op that defines `value`; all users read that instead. Returns it.
mlir::Operation *cacheValue(mlir::Value value);

/// Gives each use of a value of size-1 dimensions that a broadcast made its own broadcast op, so
/// that each can be scheduled with its consumer. (A broadcast computes nothing.)
void splitBroadcasts(KernelOp kernel);

/// Recomputes `value` for `users`: clones the ops that compute it from `available` values (or from
/// arguments) in front of the first of them, without schedules, and lets them read the clone. All
/// of the cloned ops must be pointwise; fails silently, changing nothing, where they are not.
mlir::LogicalResult recomputeFor(mlir::Value value, llvm::ArrayRef<mlir::Operation *> users,
                                 llvm::function_ref<bool(mlir::Value)> available);

/// Inserts a `fuser.set` of a tensor before the op that reads it, for this use alone. Returns the
/// copy.
mlir::Operation *cacheUse(mlir::OpOperand &use);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_CACHING_H
