//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of a model that an op belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_REGIONNAMES_H
#define FUSER_DIALECT_IR_REGIONNAMES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace fuser {

/// Discardable attribute of an op: the path of the module or region of the front end that it comes
/// from, "encoder.layers.0.attention". Without it, the name of its location is the path.
inline constexpr llvm::StringLiteral kRegionName = "fuser.region";

/// The path of an op; empty if it has none.
llvm::StringRef getRegionPath(mlir::Operation *op);

/// True if `path` is the region `name` or one inside of it.
bool isInRegion(llvm::StringRef path, llvm::StringRef name);

} // namespace fuser

#endif // FUSER_DIALECT_IR_REGIONNAMES_H
