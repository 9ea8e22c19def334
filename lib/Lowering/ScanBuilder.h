//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the scans of tiles of a fuser_loop.kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SCANBUILDER_H
#define FUSER_LIB_LOWERING_SCANBUILDER_H

#include "ScanTiles.h"
#include "TileBuilder.h"

namespace fuser {

/// The elements of a tile are collected, scanned by each thread and over the threads, and combined
/// with what precedes the tile.
class ScanBuilder {
public:
  explicit ScanBuilder(TileBuilder &tiles)
      : tiles(tiles), builder(tiles.builder), context(tiles.context) {}

  /// Before the outermost carried loop: nothing was carried yet.
  void startRow(const ScheduledOp &scheduled);
  /// Before the loops of a tile. Elements that do not exist are neutral, wherever they are.
  void startTile(const ScheduledOp &scheduled);
  /// At an element.
  void buildLift(const ScheduledOp &scheduled);
  /// After the loops of a tile.
  void finishTile(const ScheduledOp &scheduled);

private:
  /// A buffer for each component of a tuple: `elements` has those of a tile, by kept index, run of
  /// elements between which are those of other threads, and number in the run, in the order of the
  /// scan; `carried` has the
  /// tuple of all tiles before, by index of the loops around and kept index.
  struct TiledScan {
    ScanTile tile;
    llvm::SmallVector<mlir::Value> elements, carried;
    /// The extents of `elements`, at least 1, and the lanes of a vector.
    int64_t rows = 1, runs = 1, length = 1;
    const Loop *lanes = nullptr;
  };
  using TupleIndex = llvm::SmallVector<mlir::AffineExpr>;
  TiledScan &getTiledScan(const ScheduledOp &scheduled);
  void scanElements(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange elements);
  llvm::SmallVector<mlir::Value> excludeOwn(const ScheduledOp &scheduled, const TiledScan &scan,
                                            mlir::ValueRange elements, mlir::ValueRange before);
  void prependTuples(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange before,
                     mlir::ValueRange elements);
  void carryTuples(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange totals,
                   mlir::ValueRange before);
  void chainTiles(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange totals,
                  mlir::ValueRange preceding);
  void buildScannedTile(const ScheduledOp &scheduled, const TiledScan &scan,
                        mlir::ValueRange elements);
  mlir::AffineExpr getNumber(const ScanTile &tile, llvm::ArrayRef<unsigned> levels) const;
  TupleIndex getElementIndex(const ScheduledOp &scheduled, const TiledScan &scan) const;
  TupleIndex getCarriedIndex(const TiledScan &scan, mlir::AffineExpr row) const;
  llvm::SmallVector<mlir::Value> addTuples(const ScheduledOp &scheduled, const TiledScan &scan,
                                           llvm::ArrayRef<int64_t> extents);
  void forAll(const TiledScan &scan, llvm::ArrayRef<int64_t> extents,
              llvm::function_ref<void(const TupleIndex &)> build);
  void moveTuple(const ScheduledOp &scheduled, mlir::ValueRange from, const TupleIndex &read,
                 mlir::ValueRange to, const TupleIndex &write);
  void buildTupleStep(const ScheduledOp &scheduled, loop::TileStep step, mlir::ValueRange from,
                      const TupleIndex &read, mlir::ValueRange to, const TupleIndex &write);

  TileBuilder &tiles;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  llvm::DenseMap<mlir::Operation *, TiledScan> tiledScans;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SCANBUILDER_H
