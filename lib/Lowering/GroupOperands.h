//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the operands of a warp group's product lie in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_GROUPOPERANDS_H
#define FUSER_LIB_LOWERING_GROUPOPERANDS_H

#include "LoopExprs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

namespace fuser {

/// Places of elements, as expressions over loops. What is asked for is the same in all of their
/// iterations.
struct GroupOperand {
  /// In elements, from the begin of the buffer.
  mlir::AffineExpr offset;
  /// Rows (columns) of the product, and steps of the sum.
  int64_t extent, steps;
  /// The indices of a row and of a step. The rows of the left operand are those of 4 warps.
  mlir::AffineExpr row, step, warp;
  /// The number of rows that a warp has; 0: all warps read the same.
  int64_t rowsOfWarp;
};

/// The rows in which the operand lies; null if the instruction has none like these.
kernel_ir::RowsAttr findRows(const GroupOperand &operand, LoopFacts &facts);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_GROUPOPERANDS_H
