//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The larger and the smaller of two integer expressions, as affine expressions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_POSITIVEPART_H
#define FUSER_IDS_POSITIVEPART_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// -1 of a negative number, 0 of others, as `expr floordiv 2^62`: nothing else divides by it. Exact
/// for all values of extents.
mlir::AffineExpr getSign(mlir::AffineExpr expr);
/// True if a part of `expr` is a sign: parts of it may be negative.
bool hasSign(mlir::AffineExpr expr);

/// max(expr, 0), as `expr * (sign + 1)`. The form is exact
/// for all values of extents, so that code that does not recognize it evaluates it correctly. Of a
/// multiple, it is the multiple of such a form.
mlir::AffineExpr getPositivePart(mlir::AffineExpr expr);
mlir::AffineExpr getLarger(mlir::AffineExpr lhs, mlir::AffineExpr rhs);
mlir::AffineExpr getSmaller(mlir::AffineExpr lhs, mlir::AffineExpr rhs);

/// The operand if `expr` itself is a positive part; else null.
mlir::AffineExpr matchPositivePart(mlir::AffineExpr expr);
/// True if a part of `expr` is a positive part.
bool hasPositivePart(mlir::AffineExpr expr);
/// How deeply positive parts are nested in each other in `expr`. `known` keeps the results for its
/// parts.
unsigned getPositiveDepth(mlir::AffineExpr expr, llvm::DenseMap<mlir::AffineExpr, unsigned> &known);

} // namespace fuser

#endif // FUSER_IDS_POSITIVEPART_H
