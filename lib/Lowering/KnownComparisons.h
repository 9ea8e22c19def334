//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparisons of kernel IR whose outcome the ranges of their operands decide.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_KNOWNCOMPARISONS_H
#define FUSER_LIB_LOWERING_KNOWNCOMPARISONS_H

#include "ValueRanges.h"

namespace fuser {

/// Replaces comparisons of elements by constants where the ranges of the operands decide them, and
/// selections by what they choose (branches are left to canonicalization): the checks of an index
/// that is computed from the place of an element and limited to the size of what it reads. Indices
/// of loops and blocks are in their ranges, and in those of the conditions around.
void foldKnownComparisons(mlir::gpu::GPUFuncOp function, const LaunchSizes &launch);

/// Replaces comparisons of indices, selections between indices and least indices that the ranges
/// decide: neighbors of an element are in its row unless it is the first or the last one of a
/// group, whose place in the row is a multiple of the group's size.
void foldKnownIndices(mlir::gpu::GPUFuncOp function, const LaunchSizes &launch);

/// The outcome of a comparison, or of several that all have to hold, if ranges decide it.
std::optional<bool> getKnownOutcome(mlir::Value condition, ValueRanges &ranges);

/// Folds ops and eliminates common ones: conditions and what they are about become one value.
void shareEqualValues(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_KNOWNCOMPARISONS_H
