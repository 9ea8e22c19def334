//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops whose best loops are not those of what reads their results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_OWNLOOPS_H
#define FUSER_DIALECT_IR_OWNLOOPS_H

#include "mlir/IR/Value.h"

namespace fuser {

/// True if the op does not compute its elements one by one in the order of its operand, so that
/// other loops than those over its result are best for it.
bool hasOwnLoops(mlir::Operation *op);
/// True if the value depends on such an op. It is stored in its box of what it is padded to
/// (docs/adr/0072-joins-are-stored-in-boxes.md).
bool isAfterOwnLoops(mlir::Value value);

} // namespace fuser

#endif // FUSER_DIALECT_IR_OWNLOOPS_H
