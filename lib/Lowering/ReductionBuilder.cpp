//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions of a fuser_loop.kernel: accumulators around the loops, what threads and blocks
// combine, and the results.
//
//===----------------------------------------------------------------------===//

#include "ReductionBuilder.h"

using namespace mlir;
using namespace fuser;

static bool isReduced(const ScheduledOp &scheduled, unsigned position) {
  return scheduled.domain.getKinds()[scheduled.domain.getLoop()[position]] == IdKind::Reduction;
}

/// True if the op combines elements along the loop: one of its results is of all of its iterations,
/// or of those up to its own.
static bool isCollected(const ScheduledOp &scheduled, unsigned position) {
  return isReduced(scheduled, position) ||
         (scheduled.scan && llvm::is_contained(scheduled.scan->positions, position));
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// Loops over all tuples, also over those beyond an extent that is no constant.
void ReductionBuilder::openTuples(const Reduction &reduction) {
  for (auto [loop, extent] : llvm::zip_equal(reduction.loops, reduction.shape)) {
    if (loop->type == ParallelType::Vectorize)
      tiles.openLanes(*loop);
    else if (loop->type == ParallelType::Mma)
      tiles.openLoop(*loop);
    else
      tiles.openLoop(*loop, getAffineConstantExpr(extent, context), ParallelType::Unroll,
                     std::nullopt);
  }
}

SmallVector<AccessExprs> ReductionBuilder::getTuple(const Reduction &reduction,
                                                    const Loop *folded) const {
  AccessExprs access;
  for (const Loop *loop : reduction.loops)
    access.results.push_back(tiles.loopIndex.lookup(loop));
  if (folded)
    access.results.push_back(tiles.loopIndex.lookup(folded));
  return SmallVector<AccessExprs>(reduction.totals.size(), access);
}

//===----------------------------------------------------------------------===//
// From the accumulators to the results
//===----------------------------------------------------------------------===//

void ReductionBuilder::start(const ScheduledOp &scheduled, unsigned position) {
  Reduction &reduction = reductions[scheduled.op];
  // Inside of all loops: a tuple for each lane, if there is a vector.
  if (const Loop *lanes = position == scheduled.loops.size() ? getVectorLoop(scheduled) : nullptr) {
    reduction.loops.push_back(lanes);
    reduction.shape.push_back(*lanes->constant);
  }
  for (unsigned each = position; each < scheduled.loops.size(); ++each) {
    const Loop *loop = scheduled.loops[each];
    if (isCollected(scheduled, each)) {
      if (loop->type == ParallelType::Vectorize && *loop->constant > 1)
        reduction.folded = loop;
    } else if (!isHardwareType(loop->type)) {
      reduction.loops.push_back(loop);
      reduction.shape.push_back(*loop->getStaticBound());
    }
  }
  SmallVector<int64_t> shape(reduction.shape);
  if (reduction.folded)
    shape.push_back(*reduction.folded->constant);
  reduction.accumulators = reduction.totals = tiles.addTuples(scheduled, shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = tiles.getTypesAround();
  openTuples(reduction);
  if (reduction.folded)
    tiles.openLanes(*reduction.folded);
  TileExprs exprs;
  llvm::append_range(exprs.writes, getTuple(reduction, reduction.folded));
  tiles.buildStep(scheduled, loop::TileStep::Initial, {}, reduction.accumulators, exprs,
                  replicated);
}

void ReductionBuilder::buildAccumulation(const ScheduledOp &scheduled) {
  const Reduction &reduction = reductions.find(scheduled.op)->second;
  const IdIndices ids = tiles.indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  tiles.addReads(scheduled, ids, exprs, inputs);
  llvm::append_range(exprs.writes, getTuple(reduction, reduction.folded));
  exprs.guard = tiles.indices.getExistence(scheduled, ids);
  tiles.buildStep(scheduled, loop::TileStep::Accumulate, inputs, reduction.accumulators, exprs,
                  tiles.getReplicatedTypes(scheduled));
}

/// Copies what a thread has accumulated to buffers of its own, where threads and blocks combine it.
void ReductionBuilder::copyAccumulators(const ScheduledOp &scheduled, Reduction &reduction) {
  reduction.totals = tiles.addTuples(scheduled, reduction.shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = tiles.getTypesAround();
  openTuples(reduction);
  const AccessExprs access = getTuple(reduction, nullptr).front();
  TileExprs exprs;
  exprs.reads.push_back(access);
  exprs.writes.push_back(access);
  for (auto [from, to] : llvm::zip_equal(reduction.accumulators, reduction.totals))
    createMove(builder, scheduled.op->getLoc(), from, to, exprs, replicated,
               [&](AffineExpr leaf) { return tiles.getValue(leaf); });
}

void ReductionBuilder::foldLanes(const ScheduledOp &scheduled, Reduction &reduction) {
  reduction.totals = tiles.addTuples(scheduled, reduction.shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = tiles.getTypesAround();
  openTuples(reduction);
  tiles.openLanes(*reduction.folded);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(reduction, reduction.folded))
    exprs.reads.push_back(access);
  llvm::append_range(exprs.writes, getTuple(reduction, nullptr));
  tiles.buildStep(scheduled, loop::TileStep::Fold, reduction.accumulators, reduction.totals, exprs,
                  replicated);
}

void ReductionBuilder::finish(const ScheduledOp &scheduled, unsigned position) {
  Reduction &reduction = reductions.find(scheduled.op)->second;
  const SmallVector<ParallelType> types = scheduled.getReducedTypes();
  if (reduction.folded)
    foldLanes(scheduled, reduction);
  else if (!types.empty())
    copyAccumulators(scheduled, reduction);
  if (!types.empty()) {
    const Loop *last = reduction.loops.empty() ? nullptr : reduction.loops.back();
    const bool isVector = last && last->type == ParallelType::Vectorize;
    auto combine = loop::CombineOp::create(builder, scheduled.op->getLoc(), reduction.totals,
                                           loop::ParallelTypesAttr::get(context, types),
                                           isVector ? *last->constant : 1);
    tiles.buildElement(combine.getBody(), scheduled.op);
  }
  buildResult(scheduled, position);
}

/// No loop over reduction ids indexes a result: they are closed, were never entered, or run on
/// hardware, where each has all of the result.
void ReductionBuilder::buildResult(const ScheduledOp &scheduled, unsigned position) {
  const Reduction &reduction = reductions.find(scheduled.op)->second;
  OpBuilder::InsertionGuard guard(builder);
  const llvm::DenseMap<const Loop *, AffineExpr> saved = tiles.loopIndex;
  for (unsigned each = 0; each < scheduled.loops.size(); ++each) {
    const Loop &loop = *scheduled.loops[each];
    if (isReduced(scheduled, each)) {
      tiles.loopIndex[&loop] = getAffineConstantExpr(0, context);
    } else if (each >= position) {
      tiles.openResultLoop(loop);
    }
  }
  if (position == scheduled.loops.size())
    if (const Loop *lanes = getVectorLoop(scheduled))
      tiles.openLanes(*lanes);
  const IdIndices ids = tiles.indices.getIds(scheduled);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(reduction, nullptr))
    exprs.reads.push_back(access);
  const SmallVector<Value> outputs = tiles.addWrites(scheduled, ids, exprs);
  exprs.guard = tiles.indices.getExistence(scheduled, ids, /*ofResult=*/true);
  AffineExpr count = getAffineConstantExpr(1, context);
  for (unsigned id : scheduled.domain.getRootOrLogical())
    if (scheduled.domain.getKinds()[id] == IdKind::Reduction)
      count = count * tiles.indices.getExtent(scheduled.getExtent(id));
  exprs.roots.push_back(count);
  tiles.buildStep(scheduled, loop::TileStep::Finalize, reduction.totals, outputs, exprs,
                  tiles.getReplicatedTypes(scheduled, /*ofResult=*/true));
  tiles.loopIndex = saved;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

void ReductionBuilder::buildScanned(const ScheduledOp &scheduled) {
  const bool isExclusive = cast<ScanOpInterface>(scheduled.op).isExclusive();
  if (!isExclusive)
    buildAccumulation(scheduled);
  const Reduction &scan = reductions.find(scheduled.op)->second;
  const IdIndices ids = tiles.indices.getIds(scheduled);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(scan, nullptr))
    exprs.reads.push_back(access);
  const SmallVector<Value> outputs = tiles.addWrites(scheduled, ids, exprs);
  exprs.guard = tiles.indices.getExistence(scheduled, ids);
  tiles.buildStep(scheduled, loop::TileStep::Finalize, scan.totals, outputs, exprs,
                  tiles.getReplicatedTypes(scheduled));
  if (isExclusive)
    buildAccumulation(scheduled);
}
