//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants of kernel IR, whose values are scalars or vectors of elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_CONSTANTS_H
#define FUSER_DIALECT_KERNEL_CONSTANTS_H

#include "mlir/IR/Value.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace fuser::kernel_ir {

/// A constant of a float type, or of vectors of one: each element is `number`, rounded to it.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                           double number);

/// The same of an integer type, of the width of `number`; of 64 bits for an index.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                           const llvm::APInt &number);

} // namespace fuser::kernel_ir

#endif // FUSER_DIALECT_KERNEL_CONSTANTS_H
