//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles on the tuples that the threads and blocks of a launch exchange.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_TUPLEPLANNER_H
#define FUSER_LIB_LOWERING_TUPLEPLANNER_H

#include "BlockThreads.h"
#include "LoopExprs.h"

namespace fuser {

/// Writes tiles in place of an op on tuples, a reduction's or a scan's.
class TuplePlanner {
protected:
  using TupleIndex = llvm::SmallVector<mlir::AffineExpr>;

  /// `element`: the region with the op that the tuples are of. `totals` have `lanes` tuples along
  /// their last dimension, which are processed as a vector.
  TuplePlanner(loop::KernelOp kernel, LoopFacts &facts, mlir::Operation *replaced,
               mlir::Region &element, mlir::ValueRange totals, int64_t lanes);

  /// The threads of a block along a type.
  int64_t getCount(ParallelType type) const { return threads.getCount(type); }
  mlir::AffineExpr getThread(ParallelType type) const {
    return thread[unsigned(type) - unsigned(ParallelType::ThreadX)];
  }
  /// The blocks of the grid along a type.
  mlir::AffineExpr getBlocks(ParallelType type) {
    return kernel.getGrid()->getResult(unsigned(type) - unsigned(ParallelType::BlockX));
  }
  /// All threads of the block, with the index of one of them along each type.
  void openThreads();
  void inThreads(llvm::function_ref<void()> build);
  /// The index of a block, in a loop over all of its type.
  mlir::AffineExpr openBlock(ParallelType type);
  mlir::AffineExpr openLoop(mlir::AffineExpr extent, ParallelType type);
  mlir::AffineExpr openLoop(int64_t extent, ParallelType type) {
    return openLoop(constant(extent), type);
  }
  /// One after the other, each with all of its lanes.
  void forTuples(llvm::function_ref<void(const TupleIndex &)> build);

  /// A buffer for each component.
  llvm::SmallVector<mlir::Value> addBuffers(llvm::ArrayRef<int64_t> extents, MemoryType space,
                                            bool isDistributed = false);
  /// Buffers in shared memory with `slots` for each tuple.
  llvm::SmallVector<mlir::Value> addExchange(int64_t slots);
  /// The identity, in buffers that a branch or a loop then updates: the totals stay SSA values.
  llvm::SmallVector<mlir::Value> addPartial();
  TupleIndex getSlot(const TupleIndex &tuple, mlir::AffineExpr slot) const;

  /// Moves a tuple.
  void move(mlir::ValueRange from, mlir::ValueRange to, const TupleIndex &read,
            const TupleIndex &write, const Constraints &guard = {});
  /// A step of the op on a tuple.
  void step(loop::TileStep step, mlir::ValueRange inputs, const AccessExprs &read,
            mlir::ValueRange outputs, const TupleIndex &tuple,
            std::optional<int64_t> distance = std::nullopt, const Constraints &guard = {},
            llvm::ArrayRef<mlir::AffineExpr> roots = {});
  static AccessExprs getAccess(llvm::ArrayRef<mlir::AffineExpr> index) {
    AccessExprs access;
    access.results.assign(index.begin(), index.end());
    return access;
  }

  mlir::AffineExpr constant(int64_t value) const {
    return mlir::getAffineConstantExpr(value, builder.getContext());
  }

  loop::KernelOp kernel;
  const BlockThreads threads;
  LoopFacts &facts;
  mlir::OpBuilder builder;
  const mlir::Location loc;
  llvm::SmallVector<mlir::Value> totals;
  /// Of the buffers: those of the tuples, and the lanes of each, which are a vector.
  llvm::SmallVector<int64_t> shape;
  int64_t lanes;
  llvm::SmallVector<ParallelType> replicated;
  /// The index of a thread in x, y and z, where threads are open.
  mlir::AffineExpr thread[3];

private:
  mlir::Region &element;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_TUPLEPLANNER_H
