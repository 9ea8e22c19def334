//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the threads and blocks of a launch combine what each has accumulated.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_COMBINEPLANNER_H
#define FUSER_LIB_LOWERING_COMBINEPLANNER_H

#include "BlockResults.h"
#include "LoopExprs.h"

namespace fuser {

/// Replaces one `combine` by tiles: shuffles over thread_x, where its size allows, then slots in
/// shared memory, which hold the tuples of several threads, then slots for those of the blocks of a
/// cluster, or a workspace for those of the grid.
class CombinePlanner {
public:
  CombinePlanner(loop::KernelOp kernel, LoopFacts &facts, loop::CombineOp combine);
  /// Fails after a diagnostic.
  mlir::LogicalResult run(const BlockResults &results);
  /// True if shuffles and slots of warps combine all threads, and no other blocks are involved.
  bool combinesByWarps();
  /// Runs planners of combinations that stand next to each other and combine by warps: one barrier
  /// orders the slots of all.
  static void runTogether(llvm::MutableArrayRef<CombinePlanner> planners);

private:
  using TupleIndex = llvm::SmallVector<mlir::AffineExpr>;

  int64_t getCount(ParallelType type) {
    return (*kernel.getThreads())[unsigned(type) - unsigned(ParallelType::ThreadX)];
  }
  void combineWarp(int64_t lanes);
  void storeSlots();
  void combineSlots(llvm::ArrayRef<ParallelType> types);
  void addWarpExchange();
  void inThreads(llvm::function_ref<void()> build);
  llvm::SmallVector<ParallelType> getThreadTypes();
  llvm::SmallVector<ParallelType> getWarpTypes(llvm::ArrayRef<ParallelType> types);
  bool exchangesWarps(llvm::ArrayRef<ParallelType> types);
  void combineThreads(llvm::ArrayRef<ParallelType> types);
  void combineBlock(llvm::ArrayRef<ParallelType> types);
  void combineCluster(llvm::ArrayRef<ParallelType> threadTypes);

  // Blocks (PlanBlocks.cpp).
  struct Exchange;
  mlir::LogicalResult combineBlocks(const BlockResults &results,
                                    llvm::ArrayRef<ParallelType> blocks,
                                    llvm::ArrayRef<ParallelType> threads);
  mlir::LogicalResult addSegments(Exchange &exchange, llvm::ArrayRef<ParallelType> blocks);
  void addParts(Exchange &exchange, llvm::ArrayRef<ParallelType> blocks);
  void addSlots(Exchange &exchange, llvm::ArrayRef<ParallelType> threads);
  llvm::SmallVector<mlir::Value> addWorkspaces(const Exchange &exchange);
  mlir::AffineExpr openBlock(ParallelType type);
  mlir::AffineExpr meetLastBlock(const Exchange &exchange, mlir::Value flag);
  void mergeParts(const Exchange &exchange, mlir::ValueRange memory, mlir::AffineExpr last);
  void guardStores(const BlockResults &results, mlir::Value flag);
  mlir::Value addFlag(const BlockResults &results);

  llvm::SmallVector<mlir::Value> addBuffers(llvm::ArrayRef<int64_t> extents, MemoryType space,
                                            bool isDistributed = false);
  llvm::SmallVector<mlir::Value> addExchange(int64_t slots);
  llvm::SmallVector<mlir::Value> addPartial();
  /// All threads of the block, with the index of one of them along each type.
  void openThreads();
  mlir::AffineExpr openLoop(mlir::AffineExpr extent, ParallelType type);
  mlir::AffineExpr openLoop(int64_t extent, ParallelType type) {
    return openLoop(constant(extent), type);
  }
  void forTuples(llvm::function_ref<void(const TupleIndex &)> build);
  void move(mlir::ValueRange from, mlir::ValueRange to, const TupleIndex &read,
            const TupleIndex &write, const Constraints &guard = {});
  void step(loop::TileStep step, mlir::ValueRange inputs, const AccessExprs &read,
            mlir::ValueRange outputs, const TupleIndex &tuple,
            std::optional<int64_t> distance = std::nullopt, const Constraints &guard = {});
  TupleIndex getSlot(const TupleIndex &tuple, mlir::AffineExpr slot) const;
  mlir::AffineExpr constant(int64_t value) const {
    return mlir::getAffineConstantExpr(value, builder.getContext());
  }

  loop::KernelOp kernel;
  LoopFacts &facts;
  loop::CombineOp combine;
  mlir::OpBuilder builder;
  const mlir::Location loc;
  llvm::SmallVector<mlir::Value> totals;
  /// Of the buffers: those of the tuples, and the lanes of each, which are a vector.
  llvm::SmallVector<int64_t> shape;
  int64_t lanes;
  llvm::SmallVector<ParallelType> replicated;
  mlir::AffineExpr thread[3];
  /// Slots for the tuples of warps and of threads, before and after blocks combine theirs.
  llvm::SmallVector<mlir::Value> warpExchange, threadExchange;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_COMBINEPLANNER_H
