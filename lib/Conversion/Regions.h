//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlines sequences of convertible ops into fusions and replaces them by calls.
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

/// The role of an op of a function in the conversion.
enum class Role {
  /// It may convert: linalg, tensor, arith and math on tensors.
  Candidate,
  /// Scalars, constants, tensor.empty: cloned into a fusion if needed, and may stay as well. Also
  /// assertions, which may follow a call.
  Neutral,
  Foreign,
};
Role getRole(mlir::Operation *op);

/// Ops that stay, with the reason.
using Refusals = llvm::MapVector<mlir::Operation *, std::string>;

/// Tries to convert every candidate of `block`, and does not change the block.
void findRefusals(mlir::Block &block, const LinalgToFuserOptions &options, Refusals &refusals);

/// Outlines the candidates of `block` that are not in `refusals` into fusions before `function`.
/// Ops that turn out not to convert are added to `refusals`. Returns the number of fusions.
unsigned outlineBlock(mlir::Block &block, mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                      const LinalgToFuserOptions &options, Refusals &refusals);

/// Makes the signed and unsigned integers of `function` signless, in its signature too, if it has
/// no caller and its ops only move them.
void dropSigns(mlir::func::FuncOp function);

/// Replaces the ops of `function` that only others express (the index dialect, ops with two
/// results, powers of integers) by those.
void normalizeOps(mlir::func::FuncOp function);

/// Removes the assertions of `block` that state facts of sizes, which a fusion that the block calls
/// gets instead; with `dropAsserts`, the other ones too, with a remark.
void absorbAsserts(mlir::Block &block, mlir::SymbolTable &symbols,
                   const LinalgToFuserOptions &options);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_REGIONS_H
