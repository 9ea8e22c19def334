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

/// Dimensions of class `from`, extended by `before` indices at the beginning and `after` indices at
/// the end (negative: cropped), are dimensions of class `to`: an op reads `from` at an offset.
struct ClassResize {
  unsigned from, to;
  int64_t before, after;
  /// Only arguments are read so (IdRelations::Offset).
  bool isOfArguments = false;

  /// True if `to` is a part of `from`.
  bool isCrop() const { return before <= 0 && after <= 0; }
};

/// Gives each op of `selected` the loop domain of `reference`, transforms and parallel types, over
/// its own ids:
///   - an id of the same dimension replaces the id of the reference; reductions stay reductions;
///   - a loop that consists only of dimensions that the op lacks is omitted after the last loop
///     with a dimension of the op. If the reference reduces over the loop, it is omitted before
///     that loop too, unless a serial loop follows that must be shared. All other such loops become
///     a `broadcast()`;
///   - a size-1 id of the op that replaces no such loop is merged into its neighbour.
/// Fails with a diagnostic at an op with a dimension that the reference lacks or has twice, and
/// then changes nothing.
mlir::LogicalResult propagateTransforms(TensorViewOpInterface reference,
                                        llvm::ArrayRef<mlir::Operation *> selected,
                                        const IdRelations &classes,
                                        llvm::ArrayRef<ClassResize> resizes = {});

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_PROPAGATE_H
