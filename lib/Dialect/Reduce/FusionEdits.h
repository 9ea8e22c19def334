//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps that make a fusion smaller. None asks whether the result is valid or
// of use to anybody.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_REDUCE_FUSIONEDITS_H
#define FUSER_DIALECT_REDUCE_FUSIONEDITS_H

#include "fuser/Dialect/IR/Fuser.h"
#include <functional>
#include <vector>

namespace fuser::detail {

/// Changes a copy of the fusion that the edit was made for.
using FusionEdit = std::function<void(FusionOp)>;

/// Erases what no output needs. Whoever rewrites the fusion later (MLIR's driver of patterns does)
/// then finds nothing to erase that was thought to matter.
void eraseDeadOps(FusionOp fusion);

/// All steps from here, those that take away most first. They find their place by position.
std::vector<FusionEdit> listEdits(FusionOp fusion);

} // namespace fuser::detail

#endif // FUSER_DIALECT_REDUCE_FUSIONEDITS_H
