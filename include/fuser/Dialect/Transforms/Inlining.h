//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inline positions: which loops a value shares with its consumers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_INLINING_H
#define FUSER_DIALECT_TRANSFORMS_INLINING_H

#include "fuser/Dialect/Transforms/DimClasses.h"

namespace fuser {

/// Upper limits of inline positions by op.
using InlineLimits = llvm::DenseMap<mlir::Operation *, int64_t>;

/// How many of the outermost loops of `producer` and `consumer` stand for each other, position by
/// position: equal transforms of the same dimensions and equal parallel types (a broadcast of the
/// producer stands for anything), no reduction of the producer.
int64_t getCommonLoops(TensorViewOpInterface producer, TensorViewOpInterface consumer,
                       const DimClasses &classes);

/// Sets the inline position of every op of the kernel as high as its consumers, `limits` and the
/// order of loop nests allow: a loop is shared only where everything that must be complete before a
/// consumer can run outside of it. Deterministic; a value of a kernel's result keeps position 0.
void inlineMost(KernelOp kernel, const DimClasses &classes,
                const InlineLimits &limits = InlineLimits());

/// As inlineMost, but no op of `ops` shares more than `position` loops; the others keep what they
/// have, where it is still legal.
void inlineUpTo(KernelOp kernel, llvm::ArrayRef<mlir::Operation *> ops, int64_t position,
                const DimClasses &classes);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_INLINING_H
