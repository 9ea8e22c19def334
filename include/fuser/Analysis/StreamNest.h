//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host loops over streams of a fusion: which ops share them, and which values live in them
// (S4).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_STREAMNEST_H
#define FUSER_ANALYSIS_STREAMNEST_H

#include "fuser/Analysis/Distribution.h"
#include "llvm/ADT/DenseMap.h"

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

/// A stream among the loops of an op.
struct StreamLoop {
  /// The loop id.
  unsigned id = 0;
  /// The position of the root id whose parts the iterations compute.
  unsigned root = 0;
  /// Of the part of the dimension that an iteration of the loops around it computes.
  StreamTile tile;
  /// The splits of the whole dimension that lead to the loop id, without those by 1.
  llvm::SmallVector<Shard::Step, 2> steps;

  /// The dimension of a tensor operand of which an iteration reads a part; none: it reads all of
  /// the operand.
  std::optional<unsigned> getOperandDim(mlir::OpOperand &operand) const;
  /// The dimension of a result of which an iteration computes a part.
  unsigned getResultDim(mlir::OpResult result) const;
};

/// The stream loops of a domain, outermost first. Each iterates over a dimension, or over the outer
/// output of a split of it; the next one of this dimension over the inner output in the same way.
/// Fails (without a diagnostic) at other parts, and where `getShards` does.
mlir::FailureOr<llvm::SmallVector<StreamLoop>> getStreamLoops(DomainAttr domain);

/// The number of outermost streams in an allocation: the buffer holds one iteration of them. A
/// stream over a whole dimension is a single id, which stands for the dimension in an allocation.
unsigned getNumAllocatedStreams(DomainAttr domain);

/// Ops that share a loop over streams, or (no tile) that run outside of loops.
struct StreamGroup {
  /// In the order of the program.
  llvm::SmallVector<mlir::Operation *> ops;
  std::optional<StreamTile> tile;
  /// The loop of each op, if there is a tile.
  llvm::DenseMap<mlir::Operation *, StreamLoop> loops;
};

/// Groups the ops that the outputs depend on, in a legal execution order of the groups. Ops that
/// read each other's parts share a loop if no group between them depends on their whole results.
/// Each group with a tile is grouped further, by the next `depth`, in its iterations: `ops` are
/// those of such a group; at depth 0 all of the fusion.
llvm::SmallVector<StreamGroup>
groupByStreams(FusionOp fusion, llvm::ArrayRef<mlir::Operation *> ops = {}, unsigned depth = 0);

/// The loops over streams of a fusion. Loop domains alone determine them.
class StreamNest {
public:
  explicit StreamNest(FusionOp fusion);

  /// The number of outermost loops of the op of `value` that all of its users are in: it can live
  /// in an iteration of these. 0 if it is returned.
  unsigned getNumSharedLoops(mlir::OpResult value) const;
  /// The first user that is in fewer than `count` loops of the op of `value`; null: there is none.
  mlir::Operation *findUserOutside(mlir::OpResult value, unsigned count) const;

private:
  void add(FusionOp fusion, llvm::ArrayRef<mlir::Operation *> ops, unsigned depth);
  unsigned getNumShared(mlir::Operation *producer, mlir::Operation *user) const;

  /// The numbers of the loops around each op, outermost first.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 2>> loops;
  unsigned numLoops = 0;
};

/// Fails with a diagnostic at `op` if the allocation of a result has a stream that its buffer
/// cannot be in: the value is an output or used over other streams (S4.5, S4.6), or the allocation
/// has no part for a loop around that of the stream.
mlir::LogicalResult verifyStreamAllocation(TensorViewOpInterface op, mlir::OpResult result,
                                           const StreamNest &nest);

} // namespace fuser

#endif // FUSER_ANALYSIS_STREAMNEST_H
