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
#include "TuplePlanner.h"

namespace fuser {

/// Replaces one `combine` by tiles: shuffles over thread_x, where its size allows, then slots in
/// shared memory, which hold the tuples of several threads, then slots for those of the blocks of a
/// cluster, or a workspace for those of the grid.
class CombinePlanner : TuplePlanner {
public:
  CombinePlanner(loop::KernelOp kernel, LoopFacts &facts, loop::CombineOp combine);
  /// Fails after a diagnostic.
  mlir::LogicalResult run(const BlockResults &results);
  /// True if shuffles and slots of warps combine all threads, and no other blocks are involved.
  bool combinesByWarps();
  /// Runs planners of combinations that stand next to each other and combine by warps: one barrier
  /// orders the slots of all.
  static void runTogether(llvm::MutableArrayRef<CombinePlanner> planners);
  /// Runs planners of combinations that stand next to each other and that `results` lets one last
  /// block finish: each block arrives once.
  static mlir::LogicalResult runWithOneLastBlock(llvm::MutableArrayRef<CombinePlanner> planners,
                                                 const BlockResults &results);

private:
  /// Threads that are adjacent in warps, the own one among them, and how many such rows and planes
  /// of rows there are, with the own row and plane.
  struct WarpRow {
    mlir::AffineExpr index;
    int64_t size, rows, planes;
    mlir::AffineExpr row, plane;
  };

  /// Of the threads that shuffles have not combined: what those to be combined, and the others, are
  /// along each type.
  struct ThreadSlots {
    struct Axis {
      int64_t extent, stride;
      mlir::AffineExpr index;
    };
    /// The own slot, which the first of the threads that shuffles have combined stores.
    mlir::AffineExpr own;
    Constraints isFirst;
    llvm::SmallVector<Axis, 3> reduced, kept;

    static int64_t count(llvm::ArrayRef<Axis> axes);
    /// The place of one of the slots along `axes`, by its number.
    static mlir::AffineExpr getPlace(llvm::ArrayRef<Axis> axes, mlir::AffineExpr number);
  };

  WarpRow getWarpRow();
  void combineWarp(int64_t lanes, int64_t stride = 1);
  void storeSlots();
  void combineSlots(llvm::ArrayRef<ParallelType> types);
  void addWarpExchange();
  llvm::SmallVector<ParallelType> getThreadTypes();
  void combineThreads(llvm::ArrayRef<ParallelType> types);
  void combineBlock(llvm::ArrayRef<ParallelType> types);
  void combineCluster(llvm::ArrayRef<ParallelType> threadTypes);

  // Slots (PlanSlots.cpp).
  ThreadSlots getThreadSlots(llvm::ArrayRef<ParallelType> types);
  int64_t foldSlots(const ThreadSlots &slots);
  void mergeSlots(const ThreadSlots &slots);
  void spreadSlots(const ThreadSlots &slots);

  // Blocks (PlanBlocks.cpp).
  struct Exchange;
  mlir::LogicalResult combineBlocks(const BlockResults &results,
                                    llvm::ArrayRef<ParallelType> blocks,
                                    llvm::ArrayRef<ParallelType> threadTypes);
  mlir::LogicalResult addSegments(Exchange &exchange, llvm::ArrayRef<ParallelType> blocks);
  void addParts(Exchange &exchange, llvm::ArrayRef<ParallelType> blocks);
  void addSlots(Exchange &exchange, llvm::ArrayRef<ParallelType> threadTypes);
  llvm::SmallVector<mlir::Value> addWorkspaces(const Exchange &exchange);
  mlir::LogicalResult openExchange(Exchange &exchange, llvm::ArrayRef<ParallelType> blocks,
                                   llvm::ArrayRef<ParallelType> threadTypes);
  llvm::SmallVector<mlir::Value> storeParts(const Exchange &exchange);
  mlir::AffineExpr isLast(mlir::Value flag);
  mlir::AffineExpr meetLastBlock(const Exchange &exchange, mlir::Value flag);
  void mergeParts(const Exchange &exchange, mlir::ValueRange memory, mlir::AffineExpr last);
  int64_t countPartsInFlight(const Exchange &exchange);
  void guardStores(const BlockResults &results, mlir::Value flag);
  mlir::Value addFlag(const BlockResults &results);

  loop::CombineOp combine;
  /// Slots for the tuples of warps, of threads, and for the results of threads, before and after
  /// blocks combine theirs.
  llvm::SmallVector<mlir::Value> warpExchange, threadExchange, resultExchange;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_COMBINEPLANNER_H
