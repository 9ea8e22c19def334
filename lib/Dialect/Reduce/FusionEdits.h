//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps that reduce a fusion. They do not check whether the result is valid or interesting.
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

/// Erases ops that no output needs. A later rewriter of the fusion (MLIR's pattern driver) then
/// finds no dead ops whose removal could change the tester's result.
void eraseDeadOps(FusionOp fusion);

/// All edits of this fusion, those that remove most first. They identify ops by position.
std::vector<FusionEdit> listEdits(FusionOp fusion);

} // namespace fuser::detail

#endif // FUSER_DIALECT_REDUCE_FUSIONEDITS_H
