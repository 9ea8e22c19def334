//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain primitives: the steps of a schedule, written by hand or by a scheduler. Each applies
// to all results of one op, which share a loop domain, and names loops by their position in the
// loop domain (outermost first). If its preconditions do not hold, a primitive does not change the
// op, emits a diagnostic at it and fails.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_DOMAINPRIMITIVES_H
#define FUSER_DIALECT_TRANSFORMS_DOMAINPRIMITIVES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Splits the loop at `position` by `factor` (at least 1); the two loops take its place. `inner`:
/// the factor is the extent of the inner one.
mlir::LogicalResult splitLoop(TensorViewOpInterface op, int64_t position, int64_t factor,
                              bool inner = true);

/// Merges the loops at `outer` and `inner` (two different positions) into one at the place of
/// `outer`.
mlir::LogicalResult mergeLoops(TensorViewOpInterface op, int64_t outer, int64_t inner);

/// Reorders the loops: `order[i]` is the old position of the loop at the new position i; a
/// permutation of all positions.
mlir::LogicalResult reorderLoops(TensorViewOpInterface op, llvm::ArrayRef<int64_t> order);

/// Xors the index of the loop at `inner` with the one at `outer` divided by `period` (at least 1).
/// Both reduce or neither does, and neither is a broadcast. If a split states the extent of
/// `inner`, it must be a power of two.
mlir::LogicalResult swizzleLoops(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                 int64_t period);

/// Widens the loop at `position` by `before` and `after` iterations; none may be negative.
mlir::LogicalResult resizeLoop(TensorViewOpInterface op, int64_t position, int64_t before,
                               int64_t after);

/// Binds the loop at `position` to a parallel type. A block, thread or vector type may be bound to
/// one loop of an op, and @vectorize only to the innermost.
mlir::LogicalResult parallelizeLoop(TensorViewOpInterface op, int64_t position, ParallelType type);

/// Sets the memory in which the kernel keeps the results. A copy with stages stays in shared
/// memory.
mlir::LogicalResult setMemory(TensorViewOpInterface op, MemoryType type);

/// Allocates the results densely with their dimensions in this order, slowest first: a permutation
/// of all of them.
mlir::LogicalResult orderAllocation(TensorViewOpInterface op, llvm::ArrayRef<int64_t> order);

/// Allocates the results densely in the order of the loops at `positions`, slowest first, as these
/// loops are derived from dimensions now: all loops that index the result and do not reduce, each
/// once. Later transforms of loops do not change the allocation.
mlir::LogicalResult allocateLoops(TensorViewOpInterface op, llvm::ArrayRef<int64_t> positions);

/// As swizzleLoops, but for two positions of the allocation, slowest first: it moves elements and
/// does not change loops.
mlir::LogicalResult swizzleAllocation(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                      int64_t period);

/// Shares the first `position` loops with the consumers; they may not hold a reduction.
mlir::LogicalResult inlineAt(TensorViewOpInterface op, int64_t position);

/// True if rfactor can split the reduction: a partial result can be reduced again.
bool canRFactor(mlir::Operation *op);

/// Splits a reduction in two. `position` names a loop that reduces: the new op reduces the other
/// reduction loops and keeps this one as a dimension of its result (innermost), which the old op
/// then reduces. The partial result keeps the loop domain; the old op gets the trivial one. Only
/// for sum, prod, min and max of an element type that accumulates in itself. Returns the op of the
/// partial result.
llvm::FailureOr<mlir::Operation *> rfactor(TensorViewOpInterface op, int64_t position);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_DOMAINPRIMITIVES_H
