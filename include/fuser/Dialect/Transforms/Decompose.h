//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites of ops into equivalent ones that suit a schedule better.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_DECOMPOSE_H
#define FUSER_DIALECT_TRANSFORMS_DECOMPOSE_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// True where the op is one that decomposeVariance may rewrite.
bool isVariance(mlir::Operation *op);

/// Rewrites each unscheduled `fuser.var_mean` of f32 or f64 as the mean m of x and the mean of
/// (x - m)^2, or, with a correction, the sum of these divided by the number of elements less the
/// correction. Where the elements stay on chip, a second pass over them is cheaper than the
/// division per element of Welford's algorithm, and as accurate.
void decomposeVariance(KernelOp kernel);

/// True for a mean that decomposeMean rewrites.
bool isDecomposableMean(mlir::Operation *op);

/// Rewrites an unscheduled mean of f32 or f64 as a sum that is divided: sums are combined from
/// partial sums. A number of elements that is not known is converted in the kernel.
void decomposeMean(mlir::Operation *op);

/// The same for each such mean of a kernel.
void decomposeMeans(KernelOp kernel);

/// True where composeSoftmaxSums may rewrite something.
bool hasSoftmaxSum(KernelOp kernel);

/// Rewrites unscheduled pairs max(x) and sum(exp(x - max(x))) of f32 or f64 as one
/// `fuser.max_sum_exp`, which reads x once. The maximum may be that of x before it is converted to
/// a wider type, and 0 may be subtracted in place of an infinite one (logsumexp).
void composeSoftmaxSums(KernelOp kernel);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_DECOMPOSE_H
