//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of a fusion that are parts of other values and need no kernel: the host function names
// them with `fuser.view`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_HOSTVIEWS_H
#define FUSER_LIB_SEGMENTATION_HOSTVIEWS_H

#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// What an op takes of its operand: a box, of which every `steps[d]`-th element, with its
/// dimensions in another order; or all of it, under other dimensions.
struct HostView {
  mlir::Value base;
  /// By dimension of the base.
  llvm::SmallVector<mlir::AffineExpr> offsets, sizes;
  llvm::SmallVector<int64_t> steps;
  /// By dimension of the result: the dimension of the base that it is, -1 for one of size 1 that
  /// the base lacks.
  llvm::SmallVector<int64_t> dims;
  /// Of a reshape, which is no box: how dimensions are merged and split. It is a view only where
  /// the memory of the base allows it (`getViewLayout`).
  llvm::SmallVector<ReshapeGroup> groups;
  /// By dimension of the result of a reshape.
  llvm::SmallVector<mlir::AffineExpr> resultSizes;

  bool isReshape() const { return !groups.empty(); }
  /// The result has the dimensions of the base, in their order.
  bool keepsDims() const;
};

/// How the dimensions of a value lie in memory.
struct ViewLayout {
  LayoutAttr layout;
  /// What each dimension's stride is in elements; null where only run time knows.
  llvm::SmallVector<mlir::AffineExpr> strides;
  /// How far the first element is behind that of the value at the root, in elements; null where no
  /// expression says it.
  mlir::AffineExpr offset;
};

/// The view of its first operand that the op's result is, where the op only takes a part of it,
/// reorders it or reshapes it, at offsets that the host can compute (S2.5, S2.7); nothing for
/// another op, and for one that has a schedule.
std::optional<HostView> getHostView(mlir::Operation *op, const ExtentAnalysis &analysis);

/// The layout of a view whose base lies like `base`; nothing where a reshape merges dimensions that
/// are not known to be neighbours in memory.
std::optional<ViewLayout> getViewLayout(const HostView &view, const ViewLayout &base,
                                        const ExtentAnalysis &analysis);
/// The view in the other direction, of a reshape or of a box that is all of its base: the base as
/// a view of the result of `op`.
HostView getInverse(mlir::Operation *op, const HostView &view, const ExtentAnalysis &analysis);
/// The layout of a value whose extents tell its strides where `layout` says so.
ViewLayout getRootLayout(mlir::Value value, LayoutAttr layout, const ExtentAnalysis &analysis);

/// How a value lies that is an argument's memory, or part of it: whoever reads it outside of the
/// kernel that could compute it, and the caller, gets a view. Nothing for other values.
std::optional<ViewLayout> getArgumentView(FusionOp fusion, mlir::Value value,
                                          const ExtentAnalysis &analysis);
bool isArgumentView(FusionOp fusion, mlir::Value value, const ExtentAnalysis &analysis);

/// True where the op reorders or reshapes all of its operand.
bool isWholeView(mlir::Operation *op);
/// True where the ops do nothing else, and one of them reshapes: they need a kernel only where the
/// memory of what they read does not allow a view.
bool areReshapes(llvm::ArrayRef<mlir::Operation *> ops);

/// True where an output is stored in the buffer of the argument.
bool isOverwritten(FusionOp fusion, unsigned argument);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTVIEWS_H
