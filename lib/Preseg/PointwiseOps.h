//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What rewrites ask of pointwise ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_POINTWISEOPS_H
#define FUSER_LIB_PRESEG_POINTWISEOPS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// True where each element of the one result is made of the operands' elements at its own index
/// (at 0 of an operand's dimension of size 1) and of nothing else, so that the op may be computed
/// before or after elements are moved. A boundary, a request for an order and an op with a schedule
/// are not.
bool isPointwise(mlir::Operation *op);

/// As `isPointwise`, and no operand is broadcast: result and tensor operands have one shape.
bool isPointwiseOnEqualShapes(mlir::Operation *op);

/// The operand that is a tensor, where there is one and the other operands are scalars; else null.
mlir::Value getOnlyTensorOperand(mlir::Operation *op);

/// A copy of a pointwise op that computes `shape` from `operands`. It has no hint.
mlir::Value clonePointwise(mlir::RewriterBase &rewriter, mlir::Operation *op,
                           mlir::ValueRange operands, llvm::ArrayRef<int64_t> shape);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_POINTWISEOPS_H
