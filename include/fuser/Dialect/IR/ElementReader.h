//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The operand access for ops that read whole dimensions (`DimMap::Kind::Whole`), with which they
// build their elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ELEMENTREADER_H
#define FUSER_DIALECT_IR_ELEMENTREADER_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser {

/// Reads operands at one element of an op's iteration space, and builds loops. All values are
/// scalars; code is inserted at the insertion point of the op's builder, which `loop` moves into
/// and out of its body.
class ElementReader {
public:
  struct Element {
    /// In the operand's element type; 0 if the read is out of bounds.
    mlir::Value value;
    /// i1: all indices are in bounds of the operand, and the condition holds; null: certain.
    mlir::Value inside;
  };

  virtual ~ElementReader() = default;

  /// The index of a root id (`index`).
  virtual mlir::Value getRootIndex(unsigned root) = 0;
  /// The size of a dimension of a tensor operand (`index`).
  virtual mlir::Value getExtent(unsigned operandNumber, unsigned dim) = 0;
  /// The element of a tensor operand at the mapped index, with one index of `whole` for each
  /// dimension that is read whole, in order. Memory is accessed only if the element exists and
  /// `condition` (i1; null: always) holds.
  virtual Element read(unsigned operandNumber, mlir::ValueRange whole,
                       mlir::Value condition = {}) = 0;

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index,
                                                                 mlir::ValueRange carried)>;
  /// Builds `body` for each index from 0 to `extent` - 1, in order; returns the values of the last
  /// iteration, or `initial` if the trip count is 0.
  virtual llvm::SmallVector<mlir::Value> loop(mlir::Value extent, mlir::ValueRange initial,
                                              Body body) = 0;
};

} // namespace fuser

#endif // FUSER_DIALECT_IR_ELEMENTREADER_H
