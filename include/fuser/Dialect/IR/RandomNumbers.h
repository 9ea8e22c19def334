//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ops draw random numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_RANDOMNUMBERS_H
#define FUSER_DIALECT_IR_RANDOMNUMBERS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace fuser {

/// True if each element of the op's result is computed from a random number, by tens of
/// instructions and registers.
bool drawsRandomNumbers(mlir::Operation *op);

} // namespace fuser

#endif // FUSER_DIALECT_IR_RANDOMNUMBERS_H
