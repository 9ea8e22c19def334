//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names of arguments. A location keeps the name that the source gives an argument, so that messages
// and dumps of every later state can use it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_ARGUMENTNAMES_H
#define FUSER_DIALECT_IR_ARGUMENTNAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

namespace fuser {

/// `loc` with the name of an argument. Names that the printer would invent for it (a number, `argN`
/// for argument N) are no names.
mlir::Location nameArgument(mlir::Location loc, llvm::StringRef name, unsigned argument);

/// The name of the argument; empty if it has none.
llvm::StringRef getArgumentName(mlir::BlockArgument argument);

} // namespace fuser

#endif // FUSER_DIALECT_IR_ARGUMENTNAMES_H
