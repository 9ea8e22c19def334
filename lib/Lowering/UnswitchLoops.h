//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two versions of a loop: one without guards, where no guard can fail, and one with them. A part of
// fuser-place-guards.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_UNSWITCHLOOPS_H
#define FUSER_LIB_LOWERING_UNSWITCHLOOPS_H

#include "LoopExprs.h"

namespace fuser {

/// True if `constraint` holds for a tile because of branches around it.
bool isImpliedByBranches(const Constraint &constraint, loop::TileOp tile, LoopFacts &facts);

/// True if the op is in the second version of a loop.
bool isInSecondVersion(mlir::Operation *op);

/// Puts two versions of an unswitched loop in the regions of a branch, on the condition that no
/// guard of the first one fails; in that one, `isImpliedByBranches` holds for these guards. If the
/// second one would do nothing, there is none. Where the loop computes much from what it loads
/// first, a loop around the loads is marked instead: what is computed keeps its guards. Returns
/// false if the loop stays one loop: because nothing has to be checked, or because threads execute
/// something in it together. Either way, the loop is no longer marked.
///
/// `getGuard` returns the constraints of a tile that nothing proves. `facts` has no ranges of the
/// second version's loops.
bool unswitchLoop(loop::ForOp loop, LoopFacts &facts,
                  llvm::function_ref<Constraints(loop::TileOp)> getGuard);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_UNSWITCHLOOPS_H
