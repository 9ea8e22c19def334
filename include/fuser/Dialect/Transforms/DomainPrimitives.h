//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The domain primitives: the steps from which a schedule is made, by hand or by a scheduler. Each
// works on all results of one op, whose loop domains are the same, and names loops by their
// position in the loop domain (outermost first). A primitive whose preconditions do not hold leaves
// the op as it was, emits a diagnostic at it and fails.
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
/// Where the extent of `inner` is known to be constant it must be a power of two.
mlir::LogicalResult swizzleLoops(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                 int64_t period);

/// Widens the loop at `position` by `before` and `after` iterations; none may be negative.
mlir::LogicalResult resizeLoop(TensorViewOpInterface op, int64_t position, int64_t before,
                               int64_t after);

/// Binds the loop at `position` to a parallel type. A block, thread or vector type may be bound to
/// one loop of an op, and @vectorize only to the innermost.
mlir::LogicalResult parallelizeLoop(TensorViewOpInterface op, int64_t position, ParallelType type);

/// Says where the results live inside the kernel.
mlir::LogicalResult setMemory(TensorViewOpInterface op, MemoryType type);

/// Lets the results lie densely with their dimensions in this order, slowest first: a permutation
/// of all of them.
mlir::LogicalResult orderAllocation(TensorViewOpInterface op, llvm::ArrayRef<int64_t> order);

/// Lets the results lie densely as the loops at `positions`, slowest first, are made of dimensions
/// now: all loops that index something and do not reduce, each once. Later transforms of loops
/// leave the allocation as it is.
mlir::LogicalResult allocateLoops(TensorViewOpInterface op, llvm::ArrayRef<int64_t> positions);

/// As swizzleLoops, but of two positions of the allocation, slowest first: elements move, loops
/// stay.
mlir::LogicalResult swizzleAllocation(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                      int64_t period);

/// Shares the first `position` loops with the consumers; they may not hold a reduction.
mlir::LogicalResult inlineAt(TensorViewOpInterface op, int64_t position);

/// True where rfactor can split the reduction: a partial result of it can be reduced again.
bool canRFactor(mlir::Operation *op);

/// Splits a reduction in two. `position` names a loop that reduces: the new op reduces the other
/// reduction loops and keeps this one as a dimension of its result (innermost), which the old op
/// then reduces. The partial result keeps the loop domain; the old op gets the trivial one. Only
/// for sum, prod, min and max of an element type that accumulates in itself. Returns the op of the
/// partial result.
llvm::FailureOr<mlir::Operation *> rfactor(TensorViewOpInterface op, int64_t position);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_DOMAINPRIMITIVES_H
