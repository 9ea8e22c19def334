//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values that are put together from parts which kernels write where they belong: no kernel copies
// them (S2.2).
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
  /// The part as a box of the joined value, and how that lies.
  HostView box;
  ViewLayout layout;
};

/// What a join of tensors becomes in the host function.
struct HostJoin {
  mlir::Operation *op;
  mlir::Value result;
  /// The argument whose buffer the result is, or the value in whose buffer the parts are written
  /// after it; none: a new buffer, which the parts fill.
  mlir::Value into;
  /// How the result lies.
  ViewLayout lies;
  std::vector<JoinPart> parts;
};

/// The join that `op` is, where each part is computed (is no argument, and no part of one), read by
/// nobody else, and one block of the memory of the result: operands joined along the slowest
/// dimension, or a box at an offset of the host that is inserted into a computed value, or into an
/// argument that nobody else reads and that the result is stored in. Insertion into a fill is
/// padding, which one kernel does.
std::optional<HostJoin> getHostJoin(FusionOp fusion, mlir::Operation *op,
                                    const ExtentAnalysis &analysis);

/// The joins whose results are outputs and nothing else: in memory they must be anyway, so that
/// segmentation leaves them out. Those with a value in whose buffer parts are written where the
/// value and the part have no op in common.
llvm::SmallVector<mlir::Operation *> findOutputJoins(FusionOp fusion,
                                                     const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_HOSTJOINS_H
