//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replays the loop transforms of one op on the others of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_PROPAGATE_H
#define FUSER_DIALECT_TRANSFORMS_PROPAGATE_H

#include "fuser/Ids/IdRelations.h"

namespace fuser {

/// Dimensions of class `from`, with `before` indices added in front and `after` behind (negative:
/// taken away), are those of class `to`: how an op that reads `from` at an offset sees it.
struct ClassResize {
  unsigned from, to;
  int64_t before, after;
};

/// Gives each op of `selected` the loop domain of `reference`, transforms and parallel types, over
/// its own ids:
///   - an id of the same dimension takes the place of the reference's; reductions stay reductions;
///   - a loop that only has dimensions which the op lacks is left out behind the op's last own
///   loop,
///     and, where the reference reduces over it, also before, unless a serial loop follows that
///     must be shared; elsewhere `broadcast()` stands for it;
///   - a size-1 id of the op that no such loop takes is merged into its neighbour.
/// Fails with a diagnostic at an op with a dimension that the reference lacks or has twice, and
/// changes nothing then.
mlir::LogicalResult propagateTransforms(TensorViewOpInterface reference,
                                        llvm::ArrayRef<mlir::Operation *> selected,
                                        const IdRelations &classes,
                                        llvm::ArrayRef<ClassResize> resizes = {});

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_PROPAGATE_H
