//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the threads and blocks of a launch scan the tuples of their tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SCANPLANNER_H
#define FUSER_LIB_LOWERING_SCANPLANNER_H

#include "TuplePlanner.h"

namespace fuser {

/// Replaces one `scan` by tiles. Threads, in the direction of the scan, are scanned by shuffles and
/// slots of warps along thread_x, where its size allows, else through slots of all threads in
/// shared memory. Blocks are chained: each publishes its tuples in a workspace and waits for those
/// of the blocks before it (PlanChains.cpp).
class ScanPlanner : TuplePlanner {
public:
  ScanPlanner(loop::KernelOp kernel, LoopFacts &facts, loop::ScanOp scan);
  /// Fails after a diagnostic.
  mlir::LogicalResult run();

private:
  /// Scans `totals` over threads of these types, most significant first; without `before`, only
  /// what all of them have is computed.
  void scanThreads(llvm::ArrayRef<ParallelType> types, mlir::ValueRange before);
  void scanGroup(mlir::ValueRange tuples, int64_t count);
  void take(mlir::ValueRange from, mlir::ValueRange to, mlir::AffineExpr thread);
  void scanThreadX(mlir::ValueRange before);
  void scanWarps(mlir::ValueRange before);
  llvm::SmallVector<mlir::Value> exchangeWarps();
  void scanThroughShared(llvm::ArrayRef<ParallelType> types, mlir::ValueRange before);
  mlir::AffineExpr getThreadBefore(mlir::AffineExpr thread) const;
  llvm::SmallVector<ParallelType> getSplitTypes(llvm::ArrayRef<ParallelType> types);

  // Blocks (PlanChains.cpp).
  struct Chain;
  mlir::LogicalResult chainBlocks();
  void addRow(Chain &chain);
  void addSlots(Chain &chain);
  void addMemory(Chain &chain);
  void publish(const Chain &chain, mlir::ValueRange tuples, mlir::AffineExpr group,
               mlir::AffineExpr entry, const Constraints &condition);
  llvm::SmallVector<mlir::Value> collect(const Chain &chain);

  loop::ScanOp scan;
  /// True if the last thread is the first in the order of the scan.
  const bool isReversed;
};

/// The blocks of the grid in x, y and z, as constants where facts say so.
llvm::SmallVector<mlir::AffineExpr> getGrid(loop::KernelOp kernel, const LoopFacts &facts);

/// Replaces all scans of a kernel. Fails after a diagnostic.
mlir::LogicalResult planScans(loop::KernelOp kernel);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SCANPLANNER_H
