//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sizes of slices: queries of the dimensions that they are sizes of.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_SLICESIZES_H
#define FUSER_LIB_PRESEG_SLICESIZES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

class ExtentAnalysis;

/// The dimension of the result of `op` that is root id `id`, or -1: it is reduced.
int64_t getResultDim(mlir::Operation *op, unsigned id);

/// True if the slice has adjacent elements along all dimensions.
bool hasUnitSteps(SliceOp slice);

/// The size of a dimension, as the slice states it that it is a dimension of first, or queried of
/// the value that it is a dimension of first, so that it keeps no other value alive.
mlir::Value buildSize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      unsigned dim);

/// Makes the sizes of slices that have all elements of a dynamic dimension queries of that
/// dimension, so that `isWhole` recognizes them however the program states them. Fails with a
/// diagnostic of the extent analysis.
mlir::LogicalResult stateWholeSizes(FusionOp fusion);

/// True if the slice has all elements along a dimension: its size is static and equal, or it is
/// queried of the dimension, or is the size of the slice whose dimension it is.
bool isWhole(SliceOp slice, unsigned dim);

/// How many elements a value and all different slices of it have, without the dimensions that all
/// slices have whole.
struct SlicedElements {
  int64_t ofValue, ofSlices;
};

/// Nothing if other ops read the value, or if other dimensions are dynamic. As a bound, slices have
/// all elements of dimensions in which their size, or that of the value, is dynamic.
std::optional<SlicedElements> countSlicedElements(mlir::Value value, bool isBound = false);

/// Keeps what calls are checked for because of an op that is replaced.
void keepBounds(mlir::Operation *op, const ExtentAnalysis &extents, mlir::OpBuilder &builder);

/// True if only slices read the value, and together have at most one in `share` of its elements:
/// to compute each separately is no more work, even if they overlap.
bool isReadInParts(mlir::Value value, int64_t share = 1);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_SLICESIZES_H
