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
  /// The part as a box of the joined value, and its layout.
  HostView box;
  ViewLayout layout;
};

/// The form of a join of tensors in the host function.
struct HostJoin {
  mlir::Operation *op;
  mlir::Value result;
  /// The argument whose buffer is that of the result, or the value into whose buffer the parts are
  /// written after it; none: a new buffer, which the parts fill.
  mlir::Value into;
  /// The layout of the result.
  ViewLayout lies;
  std::vector<JoinPart> parts;
};

/// The join that `op` represents, if each part is computed (is neither an argument nor a part of
/// one), has no other reader, and is a contiguous block of the result: operands joined along the
/// slowest dimension, or a box at an offset computed by the host that is inserted into a computed
/// value, or into an argument that has no other reader and in which the result is stored. Insertion
/// into a fill is padding, which one kernel computes.
std::optional<HostJoin> getHostJoin(FusionOp fusion, mlir::Operation *op,
                                    const ExtentAnalysis &analysis);

/// The joins whose results are only outputs: these are in memory in any case, so that segmentation
/// does not include the joins. Joins that write parts into the buffer of a value are included only
/// if the value and the part have no op in common.
llvm::SmallVector<mlir::Operation *> findOutputJoins(FusionOp fusion,
                                                     const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTJOINS_H
