//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the reductions of a fuser_loop.kernel, and scans that carry a tuple.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_REDUCTIONBUILDER_H
#define FUSER_LIB_LOWERING_REDUCTIONBUILDER_H

#include "TileBuilder.h"

namespace fuser {

/// Accumulators around loops, what threads and blocks combine, and results.
class ReductionBuilder {
public:
  explicit ReductionBuilder(TileBuilder &tiles)
      : tiles(tiles), builder(tiles.builder), context(tiles.context) {}

  /// Before the outermost loop that the op collects in, which is at `position`, or at its element.
  void start(const ScheduledOp &scheduled, unsigned position);
  /// At an element of a reduction.
  void buildAccumulation(const ScheduledOp &scheduled);
  /// At an element of a scan: the tuple of the elements up to this one, or before it, and the
  /// results of it.
  void buildScanned(const ScheduledOp &scheduled);
  /// After the loop of a reduction.
  void finish(const ScheduledOp &scheduled, unsigned position);

private:
  /// The accumulators of a reduction, or the tuples that a scan carries.
  struct Reduction {
    /// Iteration loops inside of the reduction or carried loops, and their extents: a tuple for
    /// each index. One on @vectorize comes last.
    llvm::SmallVector<const Loop *> loops;
    llvm::SmallVector<int64_t> shape;
    /// The @vectorize loop, if it reduces: each lane accumulates a tuple of its own.
    const Loop *folded = nullptr;
    /// A buffer for each component of a tuple. `totals` have no lanes to fold.
    llvm::SmallVector<mlir::Value> accumulators, totals;
  };
  void copyAccumulators(const ScheduledOp &scheduled, Reduction &reduction);
  void foldLanes(const ScheduledOp &scheduled, Reduction &reduction);
  void buildResult(const ScheduledOp &scheduled, unsigned position);
  void openTuples(const Reduction &reduction);
  /// The access to each component of the tuple of the loops' indices.
  llvm::SmallVector<AccessExprs> getTuple(const Reduction &reduction, const Loop *folded) const;

  TileBuilder &tiles;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  llvm::DenseMap<mlir::Operation *, Reduction> reductions;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_REDUCTIONBUILDER_H
