//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combining the blocks of a grid through a workspace.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuser;

/// The point in the loops around a finished reduction: they run over places of a workspace, so that
/// no iteration writes what another one's last block may still read.
std::pair<Value, AffineExpr> KernelEmitter::getIteration(const ScheduledOp &scheduled) {
  Value iteration = index.constant(0);
  AffineExpr count = getAffineConstantExpr(1, builder.getContext());
  for (Loop *loop : scheduled.loops) {
    if (llvm::is_contained(loop->reductions, scheduled.op))
      break;
    if (isBlockType(loop->type) || isThreadType(loop->type) ||
        loop->type == ParallelType::Vectorize)
      continue;
    // An unrolled loop runs up to its bound.
    AffineExpr extent = loop->type == ParallelType::Serial || !loop->getStaticBound()
                            ? loop->extent
                            : getAffineConstantExpr(*loop->getStaticBound(), builder.getContext());
    iteration = index.add(index.mul(iteration, evaluate(extent)), loopIndex.lookup(loop));
    count = count * extent;
  }
  return {iteration, count};
}

/// Who takes part in a reduction over blocks, and where its tuples lie.
struct KernelEmitter::GridExchange {
  /// Which result: number of this block's, and of all.
  Value segment;
  AffineExpr segments;
  /// Which part of it: that of this block, and the number of parts.
  Value part;
  AffineExpr parts;
  /// Which of the block's tuples this thread has, and the number of threads with one.
  Value slot;
  int64_t slots = 1;
  /// Which of the threads that have the same tuple this is, and their number.
  Value helper;
  int64_t helpers = 1;
};

KernelEmitter::GridExchange KernelEmitter::planGridExchange(const ScheduledOp &scheduled,
                                                            ArrayRef<ParallelType> threads,
                                                            ArrayRef<ParallelType> blocks) {
  GridExchange grid;
  std::tie(grid.segment, grid.segments) = getIteration(scheduled);
  grid.part = grid.slot = grid.helper = index.constant(0);
  grid.parts = getAffineConstantExpr(1, builder.getContext());
  for (ParallelType type : kBlockTypes) {
    AffineExpr dim = getGridDim(type);
    if (!dim)
      continue;
    bool reduced = llvm::is_contained(blocks, type);
    Value &number = reduced ? grid.part : grid.segment;
    AffineExpr &total = reduced ? grid.parts : grid.segments;
    number = index.add(index.mul(number, evaluate(dim)), getHardwareIndex(type));
    total = total * dim;
  }
  for (ParallelType type : llvm::reverse(kThreadTypes)) {
    int64_t size = getBlockDim(type);
    if (size == 1)
      continue;
    bool reduced = llvm::is_contained(threads, type);
    Value &number = reduced ? grid.helper : grid.slot;
    number = index.add(index.mul(number, index.constant(size)), getHardwareIndex(type));
    (reduced ? grid.helpers : grid.slots) *= size;
  }
  return grid;
}

/// One workspace for each component of a tuple. Every iteration of the loops around has its place
/// in it.
ArrayRef<Value> KernelEmitter::getGridWorkspace(const ScheduledOp &scheduled, const Tuples &tuples,
                                                const GridExchange &grid) {
  SmallVector<Value> &memory = gridWorkspaces[scheduled.op];
  if (!memory.empty())
    return memory;
  for (Value component : tuples.front()) {
    Type element = getStorageType(getElementTypeOrSelf(component.getType()));
    int64_t bytes =
        int64_t(tuples.size()) * grid.slots * getNumLanes(component) * getElementBytes(element);
    memory.push_back(addWorkspace(grid.segments * grid.parts * bytes, element, /*zeroed=*/false));
  }
  return memory;
}

/// Waits for the other blocks, as far as needed. Returns the part at which this thread begins to
/// combine: where the last block does it, no part in the others.
Value KernelEmitter::meetBlocks(const ScheduledOp &scheduled, const GridExchange &grid) {
  if (gridResults->isWantedEverywhere(scheduled.op)) {
    synchronize(SyncLevel::Grid);
    return grid.helper;
  }
  Value &counter = gridCounters[scheduled.op];
  if (!counter)
    counter = addWorkspace(grid.segments * 4, builder.getI32Type(), /*zeroed=*/true);
  Value parts = evaluate(grid.parts);
  Value participants = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), parts);
  Value last = kernel_ir::LastBlockOp::create(builder, loc, builder.getI1Type(), counter,
                                              ValueRange{grid.segment}, participants);
  hazards.synchronize(SyncLevel::Block);
  isLastBlock[scheduled.op] = last;
  return arith::SelectOp::create(builder, loc, last, grid.helper, parts);
}

/// Every block writes its tuples to a workspace. Then the last one to arrive combines them, or each
/// block does where all want the result; always in the order of the blocks, so that the result does
/// not depend on who is last.
void KernelEmitter::combineGrid(ScheduledOp &scheduled, Tuples &tuples,
                                ArrayRef<ParallelType> threads, ArrayRef<ParallelType> blocks) {
  GridExchange grid = planGridExchange(scheduled, threads, blocks);
  ArrayRef<Value> memory = getGridWorkspace(scheduled, tuples, grid);
  // Tuple t of part p at slot s of a segment: (t * parts + p) * slots + s, after all segments
  // before it.
  Value parts = evaluate(grid.parts), slots = index.constant(grid.slots);
  Value stride = index.mul(parts, slots);
  Value base = index.mul(grid.segment, index.mul(stride, index.constant(tuples.size())));
  auto placeOf = [&](Value part) {
    return index.add(base, index.add(index.mul(part, slots), grid.slot));
  };
  auto write = [&] { storeTuples(tuples, memory, placeOf(grid.part), stride); };
  if (grid.helpers > 1) {
    auto first =
        scf::IfOp::create(builder, loc, index.equal(grid.helper, index.constant(0)), false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(first.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    write();
  } else {
    write();
  }
  Value begin = meetBlocks(scheduled, grid);
  auto loop = scf::ForOp::create(builder, loc, begin, parts, index.constant(grid.helpers),
                                 flatten(identityLike(scheduled, tuples)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexBuilder::Scope scope(index);
    Tuples loaded = loadTuples(tuples, memory, placeOf(loop.getInductionVar()), stride, true);
    Tuples total = combine(scheduled, unflatten(tuples, loop.getRegionIterArgs()), loaded);
    scf::YieldOp::create(builder, loc, flatten(total));
  }
  tuples = unflatten(tuples, loop.getResults());
  combineBlock(scheduled, tuples, threads);
}
