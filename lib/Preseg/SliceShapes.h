//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns of fuser-hoist-slices for ops whose result consists of other elements than the operand
// at the same index.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_SLICESHAPES_H
#define FUSER_LIB_PRESEG_SLICESHAPES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser {

/// Adds patterns that move a slice above
/// - an expand that only the slice reads: the result has fewer copies;
/// - a reshape of which only slices read parts, along the slowest dimension of a group, if the box
///   is one of the operand too;
/// - a reshape that splits dimensions, if it reads one column of what is split: every n-th element;
/// - such a reshape, if it reads one row of what is split, and only slices read it;
/// - a concatenation, if it reads one of the parts;
/// - a pad, which becomes a pad of the slice if it reads some of the border and only slices read
///   the padded value;
/// - another slice, where one of the two has all of each dynamic dimension.
/// Slices of all elements are removed.
/// Each rewrite adds 1 to `count`.
void addSliceShapePatterns(mlir::RewritePatternSet &patterns, unsigned &count);

/// Adds patterns that make a slice of an iota another iota, and a selection by an index that is on
/// one side of a bound everywhere one of the operands. Each rewrite adds 1 to `count`.
void addSliceIndexPatterns(mlir::RewritePatternSet &patterns, unsigned &count);

/// Adds the pattern that makes a slice of a pad that crops a reduction, a scan or
/// what is computed from one. Each rewrite adds 1 to `count`.
void addSplitCropPattern(mlir::RewritePatternSet &patterns, unsigned &count);

/// Rewrites pads whose amounts may be negative at run time, of values of which kernels that have
/// loops of their own compute the elements, as pads by amounts that never are, of slices. Returns
/// the number of rewrites; fails with the diagnostic of an analysis.
mlir::FailureOr<unsigned> splitAmounts(FusionOp fusion);

/// A slice with steps of 1, and a pad. `type` is the type of the result; null: the sizes are static
/// where `sizes` are.
SliceOp createSlice(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                    mlir::Value input, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// The slice of one index along `dim`.
SliceOp createSliceAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input, int64_t dim,
                      int64_t index);
PadOp createPad(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                mlir::Value input, llvm::ArrayRef<mlir::OpFoldResult> low,
                llvm::ArrayRef<mlir::OpFoldResult> high, mlir::Value value);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_SLICESHAPES_H
