//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions that only call a fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CONVERSION_ENTRYPOINTS_H
#define FUSER_CONVERSION_ENTRYPOINTS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace fuser {

/// Where `function` is nothing but one call of a fusion, whose operands are distinct arguments of
/// the function (and constants, if `constants` is given) and whose results it returns: gives the
/// fusion the function's arguments, results, name and callers, and erases the function. Constants
/// become arguments of the fusion behind the function's, and are appended to `constants`. Returns
/// the fusion; null, without a change, where the function is anything else.
FusionOp replaceByFusion(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                         llvm::SmallVectorImpl<mlir::ElementsAttr> *constants = nullptr);

} // namespace fuser

#endif // FUSER_CONVERSION_ENTRYPOINTS_H
