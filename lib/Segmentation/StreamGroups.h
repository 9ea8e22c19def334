//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The ops of a fusion that are distributed over streams, grouped by host loops (S4.8).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STREAMGROUPS_H
#define FUSER_LIB_SEGMENTATION_STREAMGROUPS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// The part of a dimension that one iteration of a stream loop computes: iteration i computes the
/// indices from i * size on. A dimension that is a stream as a whole is split by `inner 1`.
struct StreamTile {
  /// The factor of the split whose outer output is the stream.
  int64_t factor = 1;
  /// The factor is the size of a part; otherwise it is the number of parts.
  bool inner = true;

  /// The number of iterations, and of indices per iteration, of a dimension that the factor
  /// divides.
  mlir::AffineExpr getCount(mlir::AffineExpr extent) const;
  mlir::AffineExpr getSize(mlir::AffineExpr extent) const;
  /// `type` with one part of dimension `dim`.
  mlir::RankedTensorType getSlice(mlir::RankedTensorType type, unsigned dim) const;
  bool operator==(const StreamTile &other) const {
    return factor == other.factor && inner == other.inner;
  }
};

/// The distribution of an op over a stream.
struct OpStream {
  /// The position of the root id whose parts the iterations compute.
  unsigned root = 0;
  StreamTile tile;

  /// The dimension of a tensor operand of which an iteration reads a part; none: it reads all of
  /// the operand.
  std::optional<unsigned> getOperandDim(mlir::OpOperand &operand) const;
  /// The dimension of a result of which an iteration computes a part.
  unsigned getResultDim(mlir::OpResult result) const;
};

/// True if a value of the fusion, or an argument, is distributed over devices or streams.
bool isDistributed(FusionOp fusion);

/// Ops that share a stream loop, or (no tile) that run outside of loops.
struct StreamGroup {
  /// In the order of the program.
  llvm::SmallVector<mlir::Operation *> ops;
  std::optional<StreamTile> tile;
  /// The stream of each op, if there is a tile.
  llvm::DenseMap<mlir::Operation *, OpStream> streams;
};

/// Groups the ops that the outputs depend on, in a legal execution order of the groups. Ops that
/// read each other's parts share a loop if no group between them depends on their whole results.
/// Fails with a diagnostic at an op that is distributed over more than one device, or that cannot
/// compute a part of its result alone.
mlir::FailureOr<llvm::SmallVector<StreamGroup>> groupByStreams(FusionOp fusion);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STREAMGROUPS_H
