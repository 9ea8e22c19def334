//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs of ops that convert, made into fusions with a call in their place.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_REGIONS_H
#define FUSER_LIB_CONVERSION_REGIONS_H

#include "fuser/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace fuser::conversion {

/// What an op of a function is to the conversion.
enum class Role {
  /// It may convert: linalg, tensor, arith and math on tensors.
  Candidate,
  /// Scalars, constants, tensor.empty: it comes along where something needs it, and may stay too.
  Neutral,
  Foreign,
};
Role getRole(mlir::Operation *op);

/// Ops that stay, with the reason.
using Refusals = llvm::MapVector<mlir::Operation *, std::string>;

/// Tries every candidate of `block` and leaves the block as it is.
void findRefusals(mlir::Block &block, const LinalgToFuserOptions &options, Refusals &refusals);

/// Moves the candidates of `block` that are not among `refusals` into fusions, which are put before
/// `function`. What turns out not to convert is added to `refusals`. Returns the number of fusions.
unsigned outlineBlock(mlir::Block &block, mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                      const LinalgToFuserOptions &options, Refusals &refusals);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_REGIONS_H
