//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an op that reads whole dimensions (`DimMap::Kind::Whole`) is given to build its elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ELEMENTREADER_H
#define FUSER_DIALECT_IR_ELEMENTREADER_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser {

/// Reads operands at one element of an op's iteration space, and loops. All values are scalars;
/// code is inserted where the op's builder stands, which `loop` moves into and out of its body.
class ElementReader {
public:
  struct Element {
    /// In the operand's element type; 0 where nothing is there.
    mlir::Value value;
    /// i1: all indices lie inside of the operand, and the condition holds; null: certain.
    mlir::Value inside;
  };

  virtual ~ElementReader() = default;

  /// The index of a root id (`index`).
  virtual mlir::Value getRootIndex(unsigned root) = 0;
  /// The size of a dimension of a tensor operand (`index`).
  virtual mlir::Value getExtent(unsigned operandNumber, unsigned dim) = 0;
  /// The element of a tensor operand at the mapped index, with one index of `whole` for each
  /// dimension that is read whole, in order. Memory is touched only where the element exists and
  /// `condition` (i1; null: always) holds.
  virtual Element read(unsigned operandNumber, mlir::ValueRange whole,
                       mlir::Value condition = {}) = 0;

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index,
                                                                 mlir::ValueRange carried)>;
  /// Builds `body` for each index from 0 to `extent` - 1, in order; returns what the last one
  /// returned, or `initial` where there is none.
  virtual llvm::SmallVector<mlir::Value> loop(mlir::Value extent, mlir::ValueRange initial,
                                              Body body) = 0;
};

} // namespace fuser

#endif // FUSER_DIALECT_IR_ELEMENTREADER_H
