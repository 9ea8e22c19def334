//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The stride orders that suit the loops of a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_BOUNDARYPREFERENCES_H
#define FUSER_SCHEDULING_BOUNDARYPREFERENCES_H

#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// The preferred orders of arguments and outputs if loops run over `loops` (loop classes, slowest
/// first), which are the dimensions of `leader` in memory and possibly more.
///
/// - A tensor whose dimensions the leader has prefers the order of the loops. One that has other
///   dimensions prefers none: the leader does not determine how they are interleaved. So a
///   contraction that is written as broadcast, multiply and sum prefers none for its result.
/// - The leader prefers the order that all other arguments with as many dimensions have, if they
///   agree.
///
/// Dimensions of size 1 are the slowest ones, in logical order. Tensors with fewer than two other
/// dimensions, and dimensions that reshapes relate to several loops, give no preference.
llvm::SmallVector<BoundaryPreference> getBoundaryPreferences(const KernelView &kernel,
                                                             const GlobalTensor &leader,
                                                             llvm::ArrayRef<unsigned> loops);

/// As above, for loops in the order in which the first tensor with most of the dimensions is stored
/// (getMemoryOrder); none if no tensor has two of them.
llvm::SmallVector<BoundaryPreference> getBoundaryPreferences(const KernelView &kernel,
                                                             llvm::ArrayRef<unsigned> loops);

} // namespace fuser

#endif // FUSER_SCHEDULING_BOUNDARYPREFERENCES_H
