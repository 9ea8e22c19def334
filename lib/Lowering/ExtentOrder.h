//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which of two extents is the larger one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXTENTORDER_H
#define FUSER_LIB_LOWERING_EXTENTORDER_H

#include "mlir/IR/AffineExpr.h"

namespace fuser {

using GetLowerBound = llvm::function_ref<int64_t(mlir::AffineExpr)>;

/// True where `a` is provably no smaller than `b`: rounded quotients keep the order of what is
/// divided and are no larger than it, and products keep the order of their factors, where nothing
/// is negative.
bool isAtLeast(mlir::AffineExpr a, mlir::AffineExpr b, GetLowerBound getLowerBound);

/// The extent that is provably no smaller than the other; null where neither is.
mlir::AffineExpr getLarger(mlir::AffineExpr a, mlir::AffineExpr b, GetLowerBound getLowerBound);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXTENTORDER_H
