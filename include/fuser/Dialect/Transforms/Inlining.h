//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inline positions: the number of loops that a value shares with its consumers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_INLINING_H
#define FUSER_DIALECT_TRANSFORMS_INLINING_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// Upper limits of inline positions by op.
using InlineLimits = llvm::DenseMap<mlir::Operation *, int64_t>;

/// Sets the inline position of every op of the kernel to the maximum that its consumers, `limits`
/// and the order of loop nests allow: a loop is shared only if everything that must be complete
/// before a consumer can run outside of it. Deterministic; a value that the kernel returns keeps
/// position 0.
void inlineMost(KernelOp kernel, const InlineLimits &limits = InlineLimits());

/// As inlineMost, but no op of `ops` shares more than `position` loops; the others keep their
/// positions if these are still legal.
void inlineUpTo(KernelOp kernel, llvm::ArrayRef<mlir::Operation *> ops, int64_t position);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_INLINING_H
