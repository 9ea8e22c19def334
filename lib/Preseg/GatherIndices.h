//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns of fuser-hoist-gathers that compute other indices.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_GATHERINDICES_H
#define FUSER_LIB_PRESEG_GATHERINDICES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// Adds the pattern that gathers rows of a tensor instead of rows of what a reshape makes of a
/// permutation of it. Each rewrite adds 1 to `count`.
void addGatherIndexPatterns(mlir::RewritePatternSet &patterns, unsigned &count);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_GATHERINDICES_H
