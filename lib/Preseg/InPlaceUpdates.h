//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments that a fusion overwrites in parts.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_INPLACEUPDATES_H
#define FUSER_LIB_PRESEG_INPLACEUPDATES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Insertions, scatters and pushes that replace parts of an argument, one after the other, whose
/// last result, or a copy of it, is the output that is stored in the argument.
struct InPlaceUpdates {
  mlir::BlockArgument argument;
  unsigned output;
  /// In program order. Only the last result may have several readers.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// All of arguments that are not small, in the order of the aliases of the fusion. No op has a
/// schedule.
llvm::SmallVector<InPlaceUpdates> findInPlaceUpdates(FusionOp fusion);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_INPLACEUPDATES_H
