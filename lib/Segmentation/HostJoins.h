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

/// A join, and the number of a part of it; none: the value that the parts are written into.
struct PartOfJoin {
  unsigned join;
  std::optional<unsigned> part;
};

/// Where the result of a join is stored. A result that is returned several times, that is a part of
/// several joins, or that has other readers has several destinations.
struct JoinDestination {
  /// The output; none: no output.
  std::optional<unsigned> position = std::nullopt;
  /// The place in another join, and the layout of it; none: a separate buffer.
  std::optional<PartOfJoin> outer = std::nullopt;
  ViewLayout lies = {};
};

/// The form of a join of tensors in the host function, for one destination of its result: a buffer,
/// and the kernels that write the boxes of it.
struct HostJoin {
  mlir::Operation *op;
  mlir::Value result;
  JoinDestination destination;
  /// Ops that need no kernel because of it: `op`, insertions into its result, a fill, and slices
  /// that are parts.
  llvm::SmallVector<mlir::Operation *> absorbed;
  /// The argument whose buffer is that of the result, or the value that is written first, to all of
  /// the buffer; none: a new buffer.
  mlir::Value into;
  /// The argument whose elements are copied into the buffer first; none: the parts and the border
  /// cover the buffer.
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
/// Without a destination, for the first output that returns the result, if any.
std::optional<HostJoin> getHostJoin(FusionOp fusion, mlir::Operation *op,
                                    const ExtentAnalysis &analysis,
                                    const JoinDestination &destination);
std::optional<HostJoin> getHostJoin(FusionOp fusion, mlir::Operation *op,
                                    const ExtentAnalysis &analysis);

/// The positions at which the program returns the value, in order.
llvm::SmallVector<unsigned, 1> getPositions(mlir::Value value);

/// True if no element is in both boxes, for any sizes.
bool areDisjoint(const HostView &a, const HostView &b, const ExtentAnalysis &analysis);

/// True if an op with loops of its own reads the value, or what is computed from it at the same
/// indices.
bool isReadByOwnLoops(mlir::Value value);

/// The ops that `isJoin` accepts whose results are only outputs, as they are or reshaped, or
/// operands of other such ops; later ones first.
llvm::SmallVector<mlir::Operation *>
findJoinEnds(FusionOp fusion, llvm::function_ref<bool(mlir::Operation *)> isJoin);

/// The ops of joins that segmentation does not include, in order. Their results, or reshapes of
/// them, are only outputs, so that they are in memory in any case, boxes that may overlap can be
/// written in order, and
/// - each part is a contiguous block that is computed for this use only. If the parts are written
///   into the buffer of a value, the value and the part have no op in common; or
/// - not all of what the parts are computed from is element by element in one order, so that the
///   kernel that computes a part could not compute the join as well; or
/// - parts share work.
llvm::SmallVector<mlir::Operation *> findOutputJoins(FusionOp fusion,
                                                     const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTJOINS_H
