//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reduces a fusion: patterns for MLIR's reduction tree (fuser-reduce).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H
#define FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H

#include "mlir/IR/DialectRegistry.h"

namespace fuser {

/// Attaches to the fuser dialect the patterns of `reduction-tree`. Each applies one step to one
/// fusion, keeps the result if it verifies and the tester still finds it interesting, and repeats
/// until no step succeeds:
///
/// - an output less;
/// - an op less, whose result becomes an argument or another value of its type;
/// - an argument less that nothing reads;
/// - an inherent attribute less;
/// - a static extent, wherever it occurs in the fusion, halved or made 1.
///
/// Attributes by position (layouts, required orders, aliases, facts, ids, domains of arguments) are
/// removed with their positions.
void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace fuser

#endif // FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H
