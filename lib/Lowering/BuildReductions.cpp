//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions of a fuser_loop.kernel: accumulators around the loops, what threads and blocks
// combine, and the results.
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"

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

static bool isHardware(ParallelType type) { return isThreadType(type) || isBlockType(type); }

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

SmallVector<Value> LoopBuilder::addAccumulators(const ScheduledOp &scheduled,
                                                ArrayRef<int64_t> shape) {
  SmallVector<Value> buffers;
  auto scan = dyn_cast<ScanOpInterface>(scheduled.op);
  for (Type component : scan ? scan.getCarriedTypes()
                             : cast<CombinerOpInterface>(scheduled.op).getAccumulatorTypes())
    buffers.push_back(loop::BufferOp::create(
        builder, scheduled.op->getLoc(),
        loop::BufferType::get(context, shape, component, MemoryType::Register)));
  return buffers;
}

void LoopBuilder::openLanes(const Loop &lanes) {
  openLoop(lanes, getAffineConstantExpr(*lanes.constant, context), ParallelType::Vectorize,
           std::nullopt);
}

/// Loops over all tuples, also over those beyond an extent that is no constant.
void LoopBuilder::openTuples(const Reduction &reduction) {
  for (auto [loop, extent] : llvm::zip_equal(reduction.loops, reduction.shape)) {
    if (loop->type == ParallelType::Vectorize)
      openLanes(*loop);
    else
      openLoop(*loop, getAffineConstantExpr(extent, context), ParallelType::Unroll, std::nullopt);
  }
}

SmallVector<AccessExprs> LoopBuilder::getTuple(const Reduction &reduction,
                                               const Loop *folded) const {
  AccessExprs access;
  for (const Loop *loop : reduction.loops)
    access.results.push_back(loopIndex.lookup(loop));
  if (folded)
    access.results.push_back(loopIndex.lookup(folded));
  return SmallVector<AccessExprs>(reduction.totals.size(), access);
}

/// The block and thread types of the loops around the insertion point.
SmallVector<ParallelType> LoopBuilder::getTypesAround() const {
  SmallVector<ParallelType> types;
  for (Operation *op = builder.getBlock()->getParentOp(); op; op = op->getParentOp())
    if (auto loop = dyn_cast<loop::ForOp>(op))
      if (isHardware(loop.getType()) && !llvm::is_contained(types, loop.getType()))
        types.push_back(loop.getType());
  llvm::sort(types);
  return types;
}

loop::TileOp LoopBuilder::buildStep(const ScheduledOp &scheduled, loop::TileStep step,
                                    ValueRange inputs, ValueRange outputs, const TileExprs &exprs,
                                    ArrayRef<ParallelType> replicated) {
  auto tile = createTile(builder, scheduled.op->getLoc(), inputs, outputs, exprs, replicated,
                         [&](AffineExpr leaf) { return getValue(leaf); });
  eraseUnusedIndices();
  tile.setStep(step);
  buildElement(tile.getBody(), scheduled.op);
  return tile;
}

//===----------------------------------------------------------------------===//
// From the accumulators to the results
//===----------------------------------------------------------------------===//

void LoopBuilder::startReduction(const ScheduledOp &scheduled, unsigned position) {
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
    } else if (!isHardware(loop->type)) {
      reduction.loops.push_back(loop);
      reduction.shape.push_back(*loop->getStaticBound());
    }
  }
  SmallVector<int64_t> shape(reduction.shape);
  if (reduction.folded)
    shape.push_back(*reduction.folded->constant);
  reduction.accumulators = reduction.totals = addAccumulators(scheduled, shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = getTypesAround();
  openTuples(reduction);
  if (reduction.folded)
    openLanes(*reduction.folded);
  TileExprs exprs;
  llvm::append_range(exprs.writes, getTuple(reduction, reduction.folded));
  buildStep(scheduled, loop::TileStep::Initial, {}, reduction.accumulators, exprs, replicated);
}

SmallVector<ParallelType> LoopBuilder::getReplicatedTypes(const ScheduledOp &scheduled,
                                                          bool ofResult) {
  SmallVector<ParallelType> types;
  for (auto [position, id] : llvm::enumerate(scheduled.domain.getLoop())) {
    const ParallelType type = scheduled.domain.getParallel()[position];
    if (isHardware(type) &&
        (scheduled.replicated.test(id) || (ofResult && isReduced(scheduled, position))))
      types.push_back(type);
  }
  return types;
}

void LoopBuilder::buildAccumulation(const ScheduledOp &scheduled) {
  const Reduction &reduction = reductions.find(scheduled.op)->second;
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  addReads(scheduled, ids, exprs, inputs);
  llvm::append_range(exprs.writes, getTuple(reduction, reduction.folded));
  exprs.guard = indices.getExistence(scheduled, ids);
  buildStep(scheduled, loop::TileStep::Accumulate, inputs, reduction.accumulators, exprs,
            getReplicatedTypes(scheduled));
}

/// Copies what a thread has accumulated to buffers of its own, where threads and blocks combine it.
void LoopBuilder::copyAccumulators(const ScheduledOp &scheduled, Reduction &reduction) {
  reduction.totals = addAccumulators(scheduled, reduction.shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = getTypesAround();
  openTuples(reduction);
  const AccessExprs access = getTuple(reduction, nullptr).front();
  TileExprs exprs;
  exprs.reads.push_back(access);
  exprs.writes.push_back(access);
  for (auto [from, to] : llvm::zip_equal(reduction.accumulators, reduction.totals))
    createMove(builder, scheduled.op->getLoc(), from, to, exprs, replicated,
               [&](AffineExpr leaf) { return getValue(leaf); });
}

void LoopBuilder::foldLanes(const ScheduledOp &scheduled, Reduction &reduction) {
  reduction.totals = addAccumulators(scheduled, reduction.shape);
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<ParallelType> replicated = getTypesAround();
  openTuples(reduction);
  openLanes(*reduction.folded);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(reduction, reduction.folded))
    exprs.reads.push_back(access);
  llvm::append_range(exprs.writes, getTuple(reduction, nullptr));
  buildStep(scheduled, loop::TileStep::Fold, reduction.accumulators, reduction.totals, exprs,
            replicated);
}

void LoopBuilder::finishReduction(const ScheduledOp &scheduled, unsigned position) {
  Reduction &reduction = reductions.find(scheduled.op)->second;
  SmallVector<ParallelType> types;
  for (unsigned each = 0; each < scheduled.loops.size(); ++each)
    if (isReduced(scheduled, each) && isHardware(scheduled.loops[each]->type))
      types.push_back(scheduled.loops[each]->type);
  llvm::sort(types);
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
    buildElement(combine.getBody(), scheduled.op);
  }
  buildResult(scheduled, position);
}

/// No loop over reduction ids indexes a result: they are closed, were never entered, or run on
/// hardware, where each has all of the result.
void LoopBuilder::buildResult(const ScheduledOp &scheduled, unsigned position) {
  const Reduction &reduction = reductions.find(scheduled.op)->second;
  OpBuilder::InsertionGuard guard(builder);
  const llvm::DenseMap<const Loop *, AffineExpr> saved = loopIndex;
  for (unsigned each = 0; each < scheduled.loops.size(); ++each) {
    const Loop &loop = *scheduled.loops[each];
    if (isReduced(scheduled, each)) {
      loopIndex[&loop] = getAffineConstantExpr(0, context);
    } else if (each >= position) {
      if (isHardware(loop.type) || loop.type == ParallelType::Vectorize)
        openLoop(loop);
      else if (const AffineExpr extent = indices.getExtent(loop.extent);
               isa<AffineConstantExpr>(extent))
        openLoop(loop, extent, ParallelType::Unroll, std::nullopt);
      else
        openLoop(loop, extent, ParallelType::Unroll, loop.getStaticBound());
    }
  }
  if (position == scheduled.loops.size())
    if (const Loop *lanes = getVectorLoop(scheduled))
      openLanes(*lanes);
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(reduction, nullptr))
    exprs.reads.push_back(access);
  for (unsigned number = 0, e = scheduled.op->getNumResults(); number < e; ++number)
    exprs.writes.push_back(getWrite(scheduled, number, ids));
  exprs.guard = indices.getExistence(scheduled, ids, /*ofResult=*/true);
  AffineExpr count = getAffineConstantExpr(1, context);
  for (unsigned id : scheduled.domain.getRootOrLogical())
    if (scheduled.domain.getKinds()[id] == IdKind::Reduction)
      count = count * indices.getExtent(scheduled.getExtent(id));
  exprs.roots.push_back(count);
  SmallVector<Value> outputs;
  for (Value value : scheduled.op->getResults())
    outputs.push_back(values.lookup(value));
  buildStep(scheduled, loop::TileStep::Finalize, reduction.totals, outputs, exprs,
            getReplicatedTypes(scheduled, /*ofResult=*/true));
  loopIndex = saved;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The tuple of the elements up to this one, and the results of it.
void LoopBuilder::buildScanned(const ScheduledOp &scheduled) {
  buildAccumulation(scheduled);
  const Reduction &scan = reductions.find(scheduled.op)->second;
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  for (AccessExprs &access : getTuple(scan, nullptr))
    exprs.reads.push_back(access);
  SmallVector<Value> outputs;
  for (auto [number, value] : llvm::enumerate(scheduled.op->getResults())) {
    exprs.writes.push_back(getWrite(scheduled, number, ids));
    outputs.push_back(values.lookup(value));
  }
  exprs.guard = indices.getExistence(scheduled, ids);
  buildStep(scheduled, loop::TileStep::Finalize, scan.totals, outputs, exprs,
            getReplicatedTypes(scheduled));
}
