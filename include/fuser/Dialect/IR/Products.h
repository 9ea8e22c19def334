//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combiners that matrix instructions can do.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_PRODUCTS_H
#define FUSER_DIALECT_IR_PRODUCTS_H

#include "mlir/IR/OpDefinition.h"

#include <optional>
#include <utility>

#include "fuser/Dialect/IR/ProductInterface.h.inc"

namespace fuser::detail {
/// Attaches the interface to the ops of the dialect that have it.
void attachProductModels(mlir::MLIRContext *context);
} // namespace fuser::detail

#endif // FUSER_DIALECT_IR_PRODUCTS_H
