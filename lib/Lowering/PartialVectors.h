//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vectors of which some lanes may be out of bounds.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_PARTIALVECTORS_H
#define FUSER_LIB_LOWERING_PARTIALVECTORS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser {

/// Puts accesses of memory that only the guard keeps from being vectors into a branch of two
/// versions: in the first one all lanes are in bounds, so that `isImpliedByBranches` holds for the
/// guard. What computes with the elements stays one version.
void versionPartialVectors(loop::KernelOp kernel);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_PARTIALVECTORS_H
