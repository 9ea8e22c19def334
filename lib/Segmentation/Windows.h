//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slices that are stored by a kernel that computes the sliced value whole (`fuser.window`).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_WINDOWS_H
#define FUSER_LIB_SEGMENTATION_WINDOWS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// The slice that computes the value if its operand has loops of its own: the kernel that computes
/// the operand stores the part. Null for constant parts of an operand without other readers, which
/// loops of the part compute.
SliceOp findWindow(mlir::Value value, const ExtentAnalysis &analysis);

/// The offset of a slice along a dimension.
mlir::AffineExpr getOffset(SliceOp slice, unsigned dim, const ExtentAnalysis &analysis);
/// The dimensions along which a slice may not have all elements.
llvm::SmallVector<int64_t> getWindowDims(SliceOp slice, const ExtentAnalysis &analysis);
/// The type of the part in the kernel that stores it: sizes along these dimensions are dynamic.
mlir::RankedTensorType getWindowType(SliceOp slice, const ExtentAnalysis &analysis);
/// The layout of the part in this kernel, whose loops have the sizes of the whole: no stride is a
/// product of these.
LayoutAttr getWindowLayout(LayoutAttr layout);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_WINDOWS_H
