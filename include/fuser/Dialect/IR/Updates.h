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

/// On a scheduled update that combines elements (`UpdateOpInterface`), a unit attribute: each block
/// combines its elements in shared memory, in a copy of the part of the buffer that it updates, and
/// the copy with the buffer at its end. A schedule without it computes the same.
inline constexpr llvm::StringLiteral kPrivatizedName = "fuser.privatized";

/// True if the op stores its result in the buffer of this operand, and reads nothing else of it.
bool isUpdated(mlir::OpOperand &use);
/// True if no op reads the argument of a kernel: it is only the place of outputs.
bool isOnlyPlace(mlir::BlockArgument argument);
/// The value in whose buffer an op stores `value`, its result; null: it has a buffer of its own.
mlir::Value getUpdatedValue(mlir::Value value);
/// The result that is stored in the buffer of `value`; null: none.
mlir::Value getUpdateOf(mlir::Value value);

/// The scalar that, combined with an element by an op that combines, is the element.
mlir::Value createIdentity(mlir::OpBuilder &builder, UpdateOpInterface update);
/// An op without dimensions that is a scalar, as an element of what `update` combines.
mlir::Value createElement(mlir::OpBuilder &builder, UpdateOpInterface update, mlir::Value scalar);

} // namespace fuser

#endif // FUSER_DIALECT_IR_UPDATES_H
