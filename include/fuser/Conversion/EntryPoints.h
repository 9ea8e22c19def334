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

/// Applies if `function` only calls one fusion, with distinct arguments of the function (and
/// constants, if `constants` is given) as operands, and returns its results. Gives the fusion the
/// function's arguments, results, name and callers, and erases the function. Constants become
/// arguments of the fusion after those of the function, and are appended to `constants`. Returns
/// the fusion, or null without a change if `function` has another form.
FusionOp replaceByFusion(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                         llvm::SmallVectorImpl<mlir::ElementsAttr> *constants = nullptr);

} // namespace fuser

#endif // FUSER_CONVERSION_ENTRYPOINTS_H
