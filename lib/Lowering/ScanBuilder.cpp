//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans of tiles of a fuser_loop.kernel: the elements of a tile are collected, scanned by each
// thread and over the threads, and combined with what precedes the tile.
//
//===----------------------------------------------------------------------===//

#include "ScanBuilder.h"

using namespace mlir;
using namespace fuser;

static bool isCarried(const ScheduledOp &scheduled) {
  return scheduled.scan->numCarried > 0 && !scheduled.scan->isChained;
}

ScanBuilder::TiledScan &ScanBuilder::getTiledScan(const ScheduledOp &scheduled) {
  auto [it, isNew] = tiledScans.try_emplace(scheduled.op);
  TiledScan &scan = it->second;
  if (!isNew)
    return scan;
  // It is legal: the schedule was verified.
  scan.tile = *ScanTile::get(scheduled, getBlockSize(*tiles.checked.nest));
  auto count = [&](ArrayRef<unsigned> levels) {
    return std::max<int64_t>(scan.tile.count(levels), 1);
  };
  scan.rows = count(scan.tile.kept);
  scan.runs = count(scan.tile.outer);
  scan.length = count(scan.tile.inner);
  if (scan.tile.lanes > 1)
    scan.lanes = getVectorLoop(scheduled);
  return scan;
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// A tuple for each index, and for each lane of a vector.
SmallVector<Value> ScanBuilder::addTuples(const ScheduledOp &scheduled, const TiledScan &scan,
                                          ArrayRef<int64_t> extents) {
  SmallVector<int64_t> shape(extents);
  if (scan.lanes)
    shape.push_back(scan.tile.lanes);
  return tiles.addTuples(scheduled, shape);
}

/// Builds what is done for each tuple.
void ScanBuilder::forAll(const TiledScan &scan, ArrayRef<int64_t> extents,
                         function_ref<void(const TupleIndex &)> build) {
  OpBuilder::InsertionGuard guard(builder);
  TupleIndex index;
  auto open = [&](int64_t extent, ParallelType type) {
    auto loop =
        createFor(builder, tiles.kernel.getLoc(), getAffineConstantExpr(extent, context), type,
                  std::nullopt, [&](AffineExpr leaf) { return tiles.getValue(leaf); });
    builder.setInsertionPointToEnd(&loop.getBlock());
    index.push_back(tiles.addDim(loop.getInductionVar()));
  };
  for (int64_t extent : extents) {
    if (extent == 1)
      index.push_back(getAffineConstantExpr(0, context));
    else
      open(extent, ParallelType::Unroll);
  }
  if (scan.lanes)
    open(scan.tile.lanes, ParallelType::Vectorize);
  build(index);
}

static AccessExprs getAccess(ArrayRef<AffineExpr> index) {
  AccessExprs access;
  access.results.assign(index.begin(), index.end());
  return access;
}

void ScanBuilder::moveTuple(const ScheduledOp &scheduled, ValueRange from, const TupleIndex &read,
                            ValueRange to, const TupleIndex &write) {
  TileExprs exprs;
  exprs.reads.push_back(getAccess(read));
  exprs.writes.push_back(getAccess(write));
  for (auto [source, target] : llvm::zip_equal(from, to))
    createMove(builder, scheduled.op->getLoc(), source, target, exprs, tiles.getTypesAround(),
               [&](AffineExpr leaf) { return tiles.getValue(leaf); });
}

void ScanBuilder::buildTupleStep(const ScheduledOp &scheduled, loop::TileStep step, ValueRange from,
                                 const TupleIndex &read, ValueRange to, const TupleIndex &write) {
  TileExprs exprs;
  exprs.reads.assign(from.size(), getAccess(read));
  exprs.writes.assign(to.size(), getAccess(write));
  tiles.buildStep(scheduled, step, from, to, exprs, tiles.getTypesAround());
}

//===----------------------------------------------------------------------===//
// Elements of a tile
//===----------------------------------------------------------------------===//

/// The number of the iteration of some levels, the last one the fastest.
AffineExpr ScanBuilder::getNumber(const ScanTile &tile, ArrayRef<unsigned> levels) const {
  AffineExpr number = getAffineConstantExpr(0, context);
  for (unsigned level : levels)
    number = number * tile.levels[level].extent + tiles.loopIndex.lookup(tile.levels[level].loop);
  return number;
}

/// The element of the loops' tiles.indices.
ScanBuilder::TupleIndex ScanBuilder::getElementIndex(const ScheduledOp &scheduled,
                                                     const TiledScan &scan) const {
  TupleIndex index = {getNumber(scan.tile, scan.tile.kept), getNumber(scan.tile, scan.tile.outer),
                      getNumber(scan.tile, scan.tile.inner)};
  if (cast<ScanOpInterface>(scheduled.op).isReversed()) {
    index[1] = scan.runs - 1 - index[1];
    index[2] = scan.length - 1 - index[2];
  }
  if (scan.lanes)
    index.push_back(tiles.loopIndex.lookup(scan.lanes));
  return index;
}

/// The carried tuple of a row, at the tiles.indices of the loops around.
ScanBuilder::TupleIndex ScanBuilder::getCarriedIndex(const TiledScan &scan, AffineExpr row) const {
  TupleIndex index;
  for (const ScanTile::Level &level : scan.tile.around)
    index.push_back(tiles.loopIndex.lookup(level.loop));
  index.push_back(row);
  return index;
}

void ScanBuilder::startRow(const ScheduledOp &scheduled) {
  TiledScan &scan = getTiledScan(scheduled);
  SmallVector<int64_t> extents;
  for (const ScanTile::Level &level : scan.tile.around)
    extents.push_back(std::max<int64_t>(level.extent, 1));
  extents.push_back(scan.rows);
  scan.carried = addTuples(scheduled, scan, extents);
  forAll(scan, extents, [&](const TupleIndex &index) {
    buildTupleStep(scheduled, loop::TileStep::Initial, {}, {}, scan.carried, index);
  });
}

void ScanBuilder::startTile(const ScheduledOp &scheduled) {
  TiledScan &scan = getTiledScan(scheduled);
  const int64_t extents[] = {scan.rows, scan.runs, scan.length};
  scan.elements = addTuples(scheduled, scan, extents);
  forAll(scan, extents, [&](const TupleIndex &index) {
    buildTupleStep(scheduled, loop::TileStep::Initial, {}, {}, scan.elements, index);
  });
}

void ScanBuilder::buildLift(const ScheduledOp &scheduled) {
  const TiledScan &scan = getTiledScan(scheduled);
  const IdIndices ids = tiles.indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  tiles.addReads(scheduled, ids, exprs, inputs);
  exprs.writes.assign(scan.elements.size(), getAccess(getElementIndex(scheduled, scan)));
  exprs.guard = tiles.indices.getExistence(scheduled, ids);
  tiles.buildStep(scheduled, loop::TileStep::Lift, inputs, scan.elements, exprs,
                  tiles.getReplicatedTypes(scheduled));
}

/// Each thread scans its runs of elements.
void ScanBuilder::scanElements(const ScheduledOp &scheduled, const TiledScan &scan,
                               ValueRange elements) {
  if (scan.length == 1)
    return;
  forAll(scan, {scan.rows, scan.runs, scan.length - 1}, [&](const TupleIndex &index) {
    TupleIndex next(index);
    next[2] = next[2] + 1;
    buildTupleStep(scheduled, loop::TileStep::Prepend, elements, index, elements, next);
  });
}

/// Combines what precedes each run with its elements.
void ScanBuilder::prependTuples(const ScheduledOp &scheduled, const TiledScan &scan,
                                ValueRange before, ValueRange elements) {
  forAll(scan, {scan.rows, scan.runs, scan.length}, [&](const TupleIndex &index) {
    TupleIndex ofRun(index);
    ofRun.erase(ofRun.begin() + 2);
    buildTupleStep(scheduled, loop::TileStep::Prepend, before, ofRun, elements, index);
  });
}

/// What precedes each element in its run, and all of the run: of the first one only the latter.
/// Without `before`, nothing precedes a run.
SmallVector<Value> ScanBuilder::excludeOwn(const ScheduledOp &scheduled, const TiledScan &scan,
                                           ValueRange elements, ValueRange before) {
  const int64_t extents[] = {scan.rows, scan.runs, scan.length};
  const SmallVector<Value> preceding = addTuples(scheduled, scan, extents);
  forAll(scan, {scan.rows, scan.runs}, [&](const TupleIndex &index) {
    TupleIndex first(index);
    first.insert(first.begin() + 2, getAffineConstantExpr(0, context));
    buildTupleStep(scheduled, loop::TileStep::Initial, {}, {}, preceding, first);
  });
  if (scan.length > 1)
    forAll(scan, {scan.rows, scan.runs, scan.length - 1}, [&](const TupleIndex &index) {
      TupleIndex next(index);
      next[2] = next[2] + 1;
      moveTuple(scheduled, elements, index, preceding, next);
    });
  if (!before.empty())
    prependTuples(scheduled, scan, before, preceding);
  return preceding;
}

void ScanBuilder::finishTile(const ScheduledOp &scheduled) {
  const TiledScan &scan = getTiledScan(scheduled);
  const int64_t extents[] = {scan.rows, scan.runs, scan.length};
  // Elements are collected in memory, which loops index; the copy is written in one scope.
  SmallVector<Value> elements = addTuples(scheduled, scan, extents);
  forAll(scan, extents, [&](const TupleIndex &index) {
    moveTuple(scheduled, scan.elements, index, elements, index);
  });
  scanElements(scheduled, scan, elements);
  const bool hasThreads = !scan.tile.threads.empty();
  SmallVector<Value> before;
  if (hasThreads || scheduled.scan->numCarried > 0) {
    const int64_t tuples[] = {scan.rows, scan.runs};
    const SmallVector<Value> totals = addTuples(scheduled, scan, tuples);
    forAll(scan, tuples, [&](const TupleIndex &index) {
      TupleIndex last(index);
      last.insert(last.begin() + 2, getAffineConstantExpr(scan.length - 1, context));
      moveTuple(scheduled, elements, last, totals, index);
    });
    before = addTuples(scheduled, scan, tuples);
    if (hasThreads) {
      auto op = loop::ScanOp::create(builder, scheduled.op->getLoc(), totals, before,
                                     loop::ParallelTypesAttr::get(context, scan.tile.threads),
                                     loop::ParallelTypesAttr::get(context, {}), scan.tile.lanes);
      tiles.buildElement(op.getBody(), scheduled.op);
    }
    carryTuples(scheduled, scan, totals, before);
  }
  if (cast<ScanOpInterface>(scheduled.op).isExclusive())
    elements = excludeOwn(scheduled, scan, elements, before);
  else if (!before.empty())
    prependTuples(scheduled, scan, before, elements);
  buildScannedTile(scheduled, scan, elements);
}

//===----------------------------------------------------------------------===//
// What precedes the elements of a thread
//===----------------------------------------------------------------------===//

/// Of each run, `before` becomes what all elements before this thread's combine to: those of the
/// tiles before, those of the runs before, and those of the threads before, which it has if several
/// threads have a row. `totals` is what the threads have together.
void ScanBuilder::carryTuples(const ScheduledOp &scheduled, const TiledScan &scan,
                              ValueRange totals, ValueRange before) {
  using loop::TileStep;
  const bool hasThreads = !scan.tile.threads.empty();
  if (scheduled.scan->numCarried == 0) {
    if (scan.runs == 1)
      return;
    forAll(scan, {scan.rows, scan.runs - 1}, [&](const TupleIndex &index) {
      TupleIndex next(index);
      next[1] = next[1] + 1;
      buildTupleStep(scheduled, TileStep::Prepend, totals, index, before, next);
      buildTupleStep(scheduled, TileStep::Prepend, totals, index, totals, next);
    });
    return;
  }
  const SmallVector<Value> preceding = addTuples(scheduled, scan, scan.rows);
  if (scheduled.scan->isChained)
    chainTiles(scheduled, scan, totals, preceding);
  else
    forAll(scan, scan.rows, [&](const TupleIndex &index) {
      TupleIndex carried = getCarriedIndex(scan, index.front());
      llvm::append_range(carried, ArrayRef(index).drop_front());
      moveTuple(scheduled, scan.carried, carried, preceding, index);
    });
  forAll(scan, {scan.rows, scan.runs}, [&](const TupleIndex &index) {
    TupleIndex row(index);
    row.erase(row.begin() + 1);
    if (hasThreads)
      buildTupleStep(scheduled, TileStep::Prepend, preceding, row, before, index);
    else
      moveTuple(scheduled, preceding, row, before, index);
    buildTupleStep(scheduled, TileStep::Merge, totals, index, preceding, row);
  });
  if (!isCarried(scheduled))
    return;
  forAll(scan, scan.rows, [&](const TupleIndex &index) {
    TupleIndex carried = getCarriedIndex(scan, index.front());
    llvm::append_range(carried, ArrayRef(index).drop_front());
    moveTuple(scheduled, preceding, index, scan.carried, carried);
  });
}

/// `preceding` becomes what the tiles of the blocks before combine to.
void ScanBuilder::chainTiles(const ScheduledOp &scheduled, const TiledScan &scan, ValueRange totals,
                             ValueRange preceding) {
  const SmallVector<Value> ofTile = addTuples(scheduled, scan, scan.rows);
  auto getRun = [&](const TupleIndex &row, AffineExpr run) {
    TupleIndex index(row);
    index.insert(index.begin() + 1, run);
    return index;
  };
  forAll(scan, scan.rows, [&](const TupleIndex &row) {
    moveTuple(scheduled, totals, getRun(row, getAffineConstantExpr(0, context)), ofTile, row);
  });
  if (scan.runs > 1)
    forAll(scan, {scan.rows, scan.runs - 1}, [&](const TupleIndex &index) {
      TupleIndex row(index), next(index);
      row.erase(row.begin() + 1);
      next[1] = next[1] + 1;
      buildTupleStep(scheduled, loop::TileStep::Merge, totals, next, ofTile, row);
    });
  const ParallelType chained = scheduled.loops[scheduled.scan->positions.front()]->type;
  auto op = loop::ScanOp::create(builder, scheduled.op->getLoc(), ofTile, preceding,
                                 loop::ParallelTypesAttr::get(context, chained),
                                 loop::ParallelTypesAttr::get(context, scan.tile.threads),
                                 scan.tile.lanes);
  tiles.buildElement(op.getBody(), scheduled.op);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The results of all elements, in loops of their own.
void ScanBuilder::buildScannedTile(const ScheduledOp &scheduled, const TiledScan &scan,
                                   ValueRange elements) {
  OpBuilder::InsertionGuard guard(builder);
  const llvm::DenseMap<const Loop *, AffineExpr> saved = tiles.loopIndex;
  const ArrayRef<Loop *> loops = ArrayRef(scheduled.loops).drop_front(scheduled.scan->tilePosition);
  for (const Loop *loop : loops)
    tiles.openResultLoop(*loop);
  if (scan.lanes && !llvm::is_contained(loops, scan.lanes))
    tiles.openLanes(*scan.lanes);
  const IdIndices ids = tiles.indices.getIds(scheduled);
  TileExprs exprs;
  exprs.reads.assign(elements.size(), getAccess(getElementIndex(scheduled, scan)));
  const SmallVector<Value> outputs = tiles.addWrites(scheduled, ids, exprs);
  exprs.guard = tiles.indices.getExistence(scheduled, ids);
  tiles.buildStep(scheduled, loop::TileStep::Finalize, elements, outputs, exprs,
                  tiles.getReplicatedTypes(scheduled));
  tiles.loopIndex = saved;
}
