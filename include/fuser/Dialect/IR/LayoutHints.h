//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Advice about the order of a value in memory, as discardable attributes: hints, and the permission
// to change an order that is only a default.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_LAYOUTHINTS_H
#define FUSER_DIALECT_IR_LAYOUTHINTS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// The discardable attribute with the hints of an op: an array with one #fuser.layout_hint, or
/// unit, for each result.
inline constexpr llvm::StringLiteral kLayoutHintsName = "fuser.layout_hints";

/// The discardable attribute of a `fuser.alloc` whose order is only a default: it may be changed
/// until boundaries are settled. Without it, and without a hint, the order is frozen.
inline constexpr llvm::StringLiteral kDefaultOrderName = "fuser.default_order";

/// The hint on the op of a value, or null. Arguments have facts, never a hint.
LayoutHintAttr getLayoutHint(mlir::Value value);

/// Sets or (null) removes the hint of one result; the other results keep theirs.
void setLayoutHint(mlir::OpResult result, LayoutHintAttr hint);

/// Removes the hint of a result of a TensorViewOpInterface, and the allocation domain that follows
/// it: the result has the default order.
void dropLayoutHint(mlir::OpResult result);

/// True where `order` lists each dimension of a tensor of `rank` dimensions once.
bool isStrideOrder(llvm::ArrayRef<int64_t> order, int64_t rank);

namespace detail {
/// HT1, HT2: the value of `fuser.layout_hints` fits the results of `op`.
mlir::LogicalResult verifyLayoutHints(mlir::Operation *op, mlir::Attribute hints);
/// DO1: `fuser.default_order` is a unit attribute of a `fuser.alloc`.
mlir::LogicalResult verifyDefaultOrder(mlir::Operation *op, mlir::Attribute attribute);
} // namespace detail

} // namespace fuser

#endif // FUSER_DIALECT_IR_LAYOUTHINTS_H
