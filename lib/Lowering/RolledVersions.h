//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Less code for versions of loops that few iterations take.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_ROLLEDVERSIONS_H
#define FUSER_LIB_LOWERING_ROLLEDVERSIONS_H

#include "LoopExprs.h"

namespace fuser {

/// Clones a loop. Copies that differ in addresses alone become the iterations of a serial loop.
void cloneRolled(loop::ForOp loop, LoopFacts &facts, mlir::OpBuilder &builder);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_ROLLEDVERSIONS_H
