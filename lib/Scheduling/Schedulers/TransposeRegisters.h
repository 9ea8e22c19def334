//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transpositions in the registers of threads.
//
// If the fastest dimensions of the tensors on one side are few elements (`short`: the 2 x 2 results
// of a pixel), and the next slower dimension is the fastest one on the other side (`long`), a
// thread has a vector along the long side for each of these elements. In the order of the short
// side these are adjacent: they are moved by vectors over both dimensions. No tile in shared memory
// and no barrier is needed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEREGISTERS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEREGISTERS_H

#include "TransposePlan.h"
#include "TransposeTile.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

namespace fuser {

/// Code of the refusal of parameters none of whose sides is all of a few adjacent elements.
inline constexpr llvm::StringLiteral kNoShortSide = "no-short-side";

/// Finds `shortOut` and `shortIn` of the plan.
void findShortSides(const KernelView &kernel, TransposePlan &plan);

/// What the tile of a thread depends on; nullopt if neither side of the plan is short.
std::optional<ThreadTileShape> getThreadTileShape(const KernelView &kernel,
                                                  const TransposePlan &plan,
                                                  const Requirements &requirements);

/// Collects what makes the parameters legal, or refuses them.
std::optional<Refusal> requireRegisters(const KernelView &kernel, const TransposePlan &plan,
                                        TransposeParamsAttr params, Requirements &requirements);

/// The resources of a launch.
ResourceUse getRegistersUse(const KernelView &kernel, const TransposePlan &plan,
                            TransposeParamsAttr params, const Requirements &requirements);

/// Applies parameters that `requirements` have accepted.
mlir::LogicalResult applyRegisters(const KernelView &view, const TransposePlan &plan,
                                   TransposeParamsAttr params, const Requirements &requirements);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEREGISTERS_H
