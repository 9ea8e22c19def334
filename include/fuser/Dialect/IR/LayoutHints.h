//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layout hints: advice about the order of a value in memory, as a discardable attribute of its op.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_LAYOUTHINTS_H
#define FUSER_DIALECT_IR_LAYOUTHINTS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// The discardable attribute with the hints of an op: an array with one #fuser.layout_hint, or
/// unit, for each result.
inline constexpr llvm::StringLiteral kLayoutHintsName = "fuser.layout_hints";

/// The hint on the op of a value, or null. Arguments have facts, never a hint.
LayoutHintAttr getLayoutHint(mlir::Value value);

/// Sets or (null) removes the hint of one result; the other results keep theirs.
void setLayoutHint(mlir::OpResult result, LayoutHintAttr hint);

/// True where `order` lists each dimension of a tensor of `rank` dimensions once.
bool isStrideOrder(llvm::ArrayRef<int64_t> order, int64_t rank);

namespace detail {
/// HT1, HT2: the value of `fuser.layout_hints` fits the results of `op`.
mlir::LogicalResult verifyLayoutHints(mlir::Operation *op, mlir::Attribute hints);
} // namespace detail

} // namespace fuser

#endif // FUSER_DIALECT_IR_LAYOUTHINTS_H
