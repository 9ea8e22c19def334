//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How a fusion is made smaller: patterns for MLIR's reduction tree (fuser-reduce).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H
#define FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H

#include "mlir/IR/DialectRegistry.h"

namespace fuser {

/// Attaches to the fuser dialect the patterns of `reduction-tree`. Each makes one step of one
/// fusion, keeps it if the result verifies and the tester still finds it interesting, and goes on
/// until no step helps:
///
/// - an output less;
/// - an op less, whose result becomes an argument or another value of its type;
/// - an argument less that nothing reads;
/// - an inherent attribute less;
/// - a static extent, wherever it occurs in the fusion, halved or made 1.
///
/// Attributes by position (layouts, required orders, aliases, facts, ids, domains of arguments) go
/// with the positions that go.
void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace fuser

#endif // FUSER_DIALECT_REDUCE_REDUCTIONPATTERNS_H
