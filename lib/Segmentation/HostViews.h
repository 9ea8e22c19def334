//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of a fusion that are parts of other values and need no kernel: `fuser.view` in the host
// function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_HOSTVIEWS_H
#define FUSER_LIB_SEGMENTATION_HOSTVIEWS_H

#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// The part of its operand that an op returns: a box, with every `steps[d]`-th element and permuted
/// dimensions; or all of it, reshaped.
struct HostView {
  mlir::Value base;
  /// By dimension of the base.
  llvm::SmallVector<mlir::AffineExpr> offsets, sizes;
  llvm::SmallVector<int64_t> steps;
  /// By dimension of the result: the corresponding dimension of the base, -1 for one of size 1 that
  /// the base lacks.
  llvm::SmallVector<int64_t> dims;
  /// For a reshape, which is not a box: the dimensions that are merged and split. It is a view only
  /// if the layout of the base permits it (`getViewLayout`).
  llvm::SmallVector<ReshapeGroup> groups;
  /// By dimension of the result of a reshape.
  llvm::SmallVector<mlir::AffineExpr> resultSizes;

  bool isReshape() const { return !groups.empty(); }
  /// The result has the dimensions of the base, in their order.
  bool keepsDims() const;
};

/// The layout of the dimensions of a value in memory.
struct ViewLayout {
  LayoutAttr layout;
  /// The stride of each dimension in elements; null if it is known only at run time.
  llvm::SmallVector<mlir::AffineExpr> strides;
  /// The distance of the first element from that of the root value, in elements; null if it has no
  /// expression.
  mlir::AffineExpr offset;
  /// No client uses a larger divisor of an address or a stride.
  static constexpr int64_t kMostDivisor = 16;
  /// Powers of two, up to that, which are known to divide each stride and the offset, with or
  /// without an expression.
  llvm::SmallVector<int64_t> strideDivisors = {};
  int64_t offsetDivisor = kMostDivisor;
};

/// The power of two, up to ViewLayout::kMostDivisor, that divides a number that `divisor` divides
/// (0: all numbers do).
int64_t getDividingPower(int64_t divisor);

/// The op's result as a view of its first operand, if the op only extracts a part of it, permutes
/// it or reshapes it, at offsets that the host can compute (S2.5, S2.7); nothing for other ops and
/// for scheduled ops.
std::optional<HostView> getHostView(mlir::Operation *op, const ExtentAnalysis &analysis);

/// The layout of a view whose base has the layout `base`; nothing if a reshape merges dimensions
/// that are not known to be adjacent and contiguous in memory.
std::optional<ViewLayout> getViewLayout(const HostView &view, const ViewLayout &base,
                                        const ExtentAnalysis &analysis);
/// The inverse view, for a reshape or a box that covers its base: the base as a view of the result
/// of `op`.
HostView getInverse(mlir::Operation *op, const HostView &view, const ExtentAnalysis &analysis);
/// The layout of a value, with strides computed from extents where `layout` states contiguity.
/// `memory` is the argument in which it lies, if it does.
ViewLayout getRootLayout(mlir::Value value, LayoutAttr layout, const ExtentAnalysis &analysis,
                         mlir::BlockArgument memory = {});

/// The layout of a value that is (a part of) an argument's memory: readers outside of the kernel
/// that could compute it, and the caller, get a view. Nothing for other values.
std::optional<ViewLayout> getArgumentView(FusionOp fusion, mlir::Value value,
                                          const ExtentAnalysis &analysis);
bool isArgumentView(FusionOp fusion, mlir::Value value, const ExtentAnalysis &analysis);
/// True if the caller gets an output that an op computes as a view of an argument.
bool isArgumentViewOutput(FusionOp fusion, unsigned position, const ExtentAnalysis &analysis);
/// True if the program has no requirement on the order of an output, or requires this order.
bool fitsOutput(FusionOp fusion, unsigned position, LayoutAttr layout);

/// True if the op permutes or reshapes its whole operand.
bool isWholeView(mlir::Operation *op);
/// True if all ops are of this kind, and one of them reshapes: they need a kernel only if the
/// layout of their operand does not permit a view.
bool areReshapes(llvm::ArrayRef<mlir::Operation *> ops);

/// True if an output is stored in the buffer of the argument.
bool isOverwritten(FusionOp fusion, unsigned argument);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTVIEWS_H
