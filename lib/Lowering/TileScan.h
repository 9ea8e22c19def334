//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_TILESCAN_H
#define FUSER_LIB_LOWERING_TILESCAN_H

#include "KernelEmitter.h"
#include "ScanTiles.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

namespace fuser {

/// A scan whose dimension is split over threads, or over the elements of a vector. The elements of
/// a tile are collected in registers; then each thread scans its own, the threads' totals are
/// scanned by shuffles and through shared memory, and the tuple of all elements before the thread's
/// is combined with each of its elements.
///
/// Elements out of bounds are neutral, wherever they are in a tile.
class KernelEmitter::TileScan : ScanTile {
public:
  TileScan(KernelEmitter &emitter, ScheduledOp &scheduled);

  /// Finds the loops and allocates registers; fails with a diagnostic.
  mlir::LogicalResult plan();
  /// Before the outermost carried loop: nothing was carried yet.
  void openRow();
  /// Before the loops of a tile: no element was collected yet.
  void openTile();
  /// At the op in the loops of a tile.
  mlir::LogicalResult collect();
  /// After the loops of a tile: computes its results.
  mlir::LogicalResult finish();

private:
  /// An index of each level.
  using Point = llvm::SmallVector<int64_t>;

  void setPoint(llvm::ArrayRef<unsigned> levels, int64_t number, Point &point) const;
  llvm::SmallVector<mlir::Value> loadElements(const Point &point);
  void storeElements(const Point &point, llvm::ArrayRef<mlir::Value> tuple);
  mlir::Value getOffset(const Point &point);
  mlir::Value getCarryOffset(int64_t kept);
  llvm::SmallVector<mlir::Value> loadCarry(int64_t kept);
  void storeCarry(int64_t kept, llvm::ArrayRef<mlir::Value> tuple);
  llvm::SmallVector<mlir::Value> combine(llvm::ArrayRef<mlir::Value> first,
                                         llvm::ArrayRef<mlir::Value> rest);
  /// The same for tuples one by one.
  Tuples combineAll(const Tuples &first, const Tuples &rest);
  Tuples neutralLike(const Tuples &like);
  Tuples select(mlir::Value condition, const Tuples &yes, const Tuples &no);
  Tuples shuffle(kernel_ir::ShuffleMode mode, const Tuples &tuples, mlir::Value offset,
                 int64_t width);

  /// What all elements of the preceding threads, and of all threads, combine to.
  struct Totals {
    Tuples before, all;
  };
  Tuples scanLanes(Tuples tuples, mlir::Value lane, int64_t count, int64_t width);
  Totals scanThreadX(const Tuples &tuples);
  Totals scanThroughShared(const Tuples &tuples);
  Totals scanThreads(const Tuples &tuples);
  bool isCarried() const { return loops.numCarried > 0 && !loops.isChained; }
  /// True if shuffles cannot be used.
  bool usesSharedOnly() const;
  /// Scans the elements of this thread one after another; returns their totals.
  Tuples scanOwn();
  void applyTotals(const Totals &totals);
  /// ChainedScan.cpp: what all elements before the tile combine to, for each kept index.
  struct Chain;
  Chain planChain();
  Tuples getTileTotals(const Totals &totals);
  void publish(const Chain &chain, const Tuples &tuples, mlir::Value entry);
  Tuples chain(const Tuples &tile);
  mlir::LogicalResult writeResults();

  KernelEmitter &emitter;
  ScheduledOp &scheduled;
  ScanOpInterface scan;
  const ScanLoops &loops;
  mlir::OpBuilder &builder;
  IndexBuilder &index;
  mlir::Location loc;

  /// Registers: one array for each component of a tuple.
  llvm::SmallVector<mlir::Value> elements, carry;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_TILESCAN_H
