//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of a kernel that run one index after the other.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_ITERATIONS_H
#define FUSER_DIALECT_LOOP_ITERATIONS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser::loop {

/// Those around an op, innermost first: all but hardware loops.
llvm::SmallVector<ForOp> getIterations(mlir::Operation *op);

} // namespace fuser::loop

#endif // FUSER_DIALECT_LOOP_ITERATIONS_H
