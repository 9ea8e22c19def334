//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Queries on pointwise ops that the rewrites share, and such ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_POINTWISEOPS_H
#define FUSER_LIB_PRESEG_POINTWISEOPS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// True if each element of the only result depends only on the operands' elements at its own index
/// (at 0 in an operand's dimension of size 1), so that the op commutes with data movement. False
/// for boundaries, stride orders and ops with a schedule.
bool isPointwise(mlir::Operation *op);

/// As `isPointwise`, and no operand is broadcast: the result and all tensor operands have one
/// shape.
bool isPointwiseOnEqualShapes(mlir::Operation *op);

/// The only tensor operand, if all other operands are scalars; else null.
mlir::Value getOnlyTensorOperand(mlir::Operation *op);

/// Clones a pointwise op so that it computes `shape` from `operands`, without hints.
mlir::Value clonePointwise(mlir::RewriterBase &rewriter, mlir::Operation *op,
                           mlir::ValueRange operands, llvm::ArrayRef<int64_t> shape);

/// The value, cast to elements of `type` if it has others.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         mlir::Type type);

/// `start`, `start` + 1, ... along dimension `dim` of `rank` dimensions, with size 1 in the others.
/// `type` is that of the numbers alone; `length` is their number if it is dynamic.
mlir::Value buildIndices(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                         mlir::Value start, mlir::Value length, int64_t dim, int64_t rank);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_POINTWISEOPS_H
