//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Selections between two elements of one argument, as one load at a selected index.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SELECTEDLOADS_H
#define FUSER_LIB_LOWERING_SELECTEDLOADS_H

#include "ValueRanges.h"

namespace fuser {

/// Replaces selections of single elements, both of which are loaded from one argument that the
/// kernel does not write, by a load at the selected index: next to the last column of a roll is the
/// first one. Each of the two may be loaded in a branch of its own, and be one number where it is
/// not; the branch of the result has the guard that is selected, unless ranges prove that it holds.
/// The loads are left to canonicalization.
void loadAtSelectedIndices(mlir::gpu::GPUFuncOp function, const LaunchSizes &launch);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SELECTEDLOADS_H
