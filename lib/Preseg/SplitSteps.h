//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions that may be done in two steps: those that fuser-share-reductions splits, and
// fuser-merge-reductions merges.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_SPLITSTEPS_H
#define FUSER_LIB_PRESEG_SPLITSTEPS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {

/// The dimensions of its operand that a reduction reduces.
llvm::ArrayRef<int64_t> getReducedDims(mlir::Operation *reduction);

/// True for a sum, mean, maximum or minimum for which two steps give what one gives: half types
/// would be rounded between them, and the result of a sum of integers may be wider than they are.
bool isExactInSteps(mlir::Operation *op);

/// `value`, and the values of its shape that pointwise ops compute it from; not all of very many.
llvm::SmallSetVector<mlir::Value, 16> getValuesOfShape(mlir::Value value);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_SPLITSTEPS_H
