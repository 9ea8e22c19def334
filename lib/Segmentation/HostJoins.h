//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Joined values whose parts are written directly by kernels, without a kernel that copies them
// (S2.2).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_HOSTJOINS_H
#define FUSER_LIB_SEGMENTATION_HOSTJOINS_H

#include "HostViews.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace fuser {

/// One part of a joined value.
struct JoinPart {
  mlir::Value value;
  /// The slice of the value that the part is; null: all of it.
  SliceOp slice;
  /// The part as a box of the joined value, and its layout.
  HostView box;
  ViewLayout layout;
};

/// The form of a join of tensors in the host function: a buffer, and the kernels that write the
/// boxes of it.
struct HostJoin {
  mlir::Operation *op;
  mlir::Value result;
  /// Ops that need no kernel because of it: `op`, insertions into its result, and a fill.
  llvm::SmallVector<mlir::Operation *> absorbed;
  /// The argument whose buffer is that of the result, or the value that is written first, to all of
  /// the buffer; none: a new buffer.
  mlir::Value into;
  /// The argument whose elements are copied into the new buffer first; none: the parts and the
  /// border cover the buffer.
  mlir::Value copied;
  /// The scalar of all elements outside of the boxes (the border), which the first kernel that
  /// writes a part stores as well; none: there is no border.
  mlir::Value fill;
  /// The layout of the result.
  ViewLayout lies;
  std::vector<JoinPart> parts;
  /// Boxes may overlap: the kernels of the parts run in order, so that the later part wins.
  bool mayOverlap = false;

  /// True if each part is a contiguous block of the result.
  bool isContiguous() const;
};

/// The join that `op` represents, if each part is computed (is neither an argument nor a part of
/// one): operands joined along any dimension, a pad that adds elements, or boxes at offsets
/// computed by the host that are inserted into a fill, into a computed value or into an argument.
/// A slice of a value that a kernel computes whole is a join of one part, and may be a part.
/// `lies` is the layout of the result where it is itself a part of another join; null: that of the
/// output or of a separate buffer.
std::optional<HostJoin> getHostJoin(FusionOp fusion, mlir::Operation *op,
                                    const ExtentAnalysis &analysis,
                                    const ViewLayout *lies = nullptr);

/// True if no element is in both boxes, for any sizes.
bool areDisjoint(const HostView &a, const HostView &b, const ExtentAnalysis &analysis);

/// A join, and the number of a part of it; none: the value that the parts are written into.
struct PartOfJoin {
  unsigned join;
  std::optional<unsigned> part;
};

/// The joins of a partitioned fusion.
struct JoinPlan {
  std::vector<HostJoin> joins;
  /// By value: the joins that it is a part of, or that are written into it.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<PartOfJoin, 1>> joinsOf;
  /// Ops that need no kernel because of a join.
  llvm::DenseSet<mlir::Operation *> absorbed;

  llvm::ArrayRef<PartOfJoin> findJoins(mlir::Value value) const;
  bool isJoined(mlir::Value value) const;
  /// True if all ops of the segment are part of joins: it has no kernel.
  bool isAbsorbed(const Segment &segment) const;
};

/// Finds the segments that only join results of other ones. Outer joins determine the layout of
/// joins that are parts of them.
JoinPlan planJoins(FusionOp fusion, const ExtentAnalysis &analysis,
                   llvm::ArrayRef<Segment> segments);

/// The ops of joins that segmentation does not include, in order. Their results are only outputs,
/// so that they are in memory in any case, and
/// - each part is a contiguous block that is computed for this use only. If the parts are written
///   into the buffer of a value, the value and the part have no op in common; or
/// - not all of what the parts are computed from is element by element in one order, so that the
///   kernel that computes a part could not compute the join as well.
llvm::SmallVector<mlir::Operation *> findOutputJoins(FusionOp fusion,
                                                     const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTJOINS_H
