//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Defines integer division and shifts of data for every operand. Both targets run it, so that a
// kernel has the same result everywhere and an optimizer cannot draw conclusions from a division by
// zero.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_TOTALINTEGEROPS_H
#define FUSER_DIALECT_KERNEL_TOTALINTEGEROPS_H

#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace fuser::kernel_ir {

/// Guards every arith division, remainder and shift below `root` whose second
/// operand is not a harmless constant:
///
/// - x / 0 is -1 (all bits set) and x rem 0 is x;
/// - the smallest integer / -1 wraps, and its remainder is 0;
/// - a shift by the width or more gives 0; `shrsi` gives the sign.
///
/// Index arithmetic divides by extents; if an extent is zero, the result is not used. A GPU returns
/// some number then; a CPU would trap, so that the host target passes `indexBits`, the width of an
/// index in bits, to guard index arithmetic as well.
void makeIntegerOpsTotal(mlir::Operation *root, std::optional<unsigned> indexBits = std::nullopt);

} // namespace fuser::kernel_ir

#endif // FUSER_DIALECT_KERNEL_TOTALINTEGEROPS_H
