//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values that an op updates in their buffer (UpdateOpInterface).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_UPDATES_H
#define FUSER_DIALECT_IR_UPDATES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// True if the op stores its result in the buffer of this operand, and reads nothing else of it.
bool isUpdated(mlir::OpOperand &use);
/// True if no op reads the argument of a kernel: it is only the place of outputs.
bool isOnlyPlace(mlir::BlockArgument argument);
/// The value in whose buffer an op stores `value`, its result; null: it has a buffer of its own.
mlir::Value getUpdatedValue(mlir::Value value);
/// The result that is stored in the buffer of `value`; null: none.
mlir::Value getUpdateOf(mlir::Value value);

} // namespace fuser

#endif // FUSER_DIALECT_IR_UPDATES_H
