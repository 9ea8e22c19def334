//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles on the tuples that the threads and blocks of a launch exchange.
//
//===----------------------------------------------------------------------===//

#include "TuplePlanner.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fuser;

TuplePlanner::TuplePlanner(loop::KernelOp kernel, LoopFacts &facts, Operation *replaced,
                           Region &element, ValueRange totals, int64_t lanes)
    : kernel(kernel), threads(*kernel.getThreads()), facts(facts), builder(replaced),
      loc(replaced->getLoc()), totals(totals), lanes(lanes), element(element) {
  ArrayRef<int64_t> extents = cast<loop::BufferType>(totals.front().getType()).getShape();
  shape.assign(extents.begin(), extents.end());
  // All threads execute the tiles, whatever the extents of the loops around.
  for (auto loop = replaced->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (const ParallelType type = loop.getType();
        (isThreadType(type) || isBlockType(type)) && !llvm::is_contained(replicated, type))
      replicated.push_back(type);
  llvm::sort(replicated);
}

//===----------------------------------------------------------------------===//
// Loops and tiles
//===----------------------------------------------------------------------===//

AffineExpr TuplePlanner::openLoop(AffineExpr extent, ParallelType type) {
  auto loop = createFor(builder, loc, extent, type, std::nullopt,
                        [&](AffineExpr leaf) { return facts.getValue(leaf); });
  builder.setInsertionPointToEnd(&loop.getBlock());
  return facts.getExpr(loop.getInductionVar());
}

void TuplePlanner::openThreads() {
  for (ParallelType type : llvm::reverse(kThreadTypes))
    thread[unsigned(type) - unsigned(ParallelType::ThreadX)] =
        getCount(type) > 1 ? openLoop(getCount(type), type) : constant(0);
}

void TuplePlanner::inThreads(function_ref<void()> build) {
  OpBuilder::InsertionGuard guard(builder);
  openThreads();
  build();
}

AffineExpr TuplePlanner::openBlock(ParallelType type) {
  const AffineExpr count = getBlocks(type);
  for (auto loop = dyn_cast<loop::ForOp>(builder.getBlock()->getParentOp()); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getType() == type && facts.get().isEqual(facts.getExtent(loop), count))
      return facts.getExpr(loop.getInductionVar());
  return openLoop(count, type);
}

void TuplePlanner::forTuples(function_ref<void(const TupleIndex &)> build) {
  OpBuilder::InsertionGuard guard(builder);
  TupleIndex tuple;
  const bool isVector = lanes > 1;
  for (int64_t extent : ArrayRef(shape).drop_back(isVector))
    tuple.push_back(extent == 1 ? constant(0) : openLoop(extent, ParallelType::Unroll));
  if (isVector)
    tuple.push_back(openLoop(lanes, ParallelType::Vectorize));
  build(tuple);
}

void TuplePlanner::step(loop::TileStep step, ValueRange inputs, const AccessExprs &read,
                        ValueRange outputs, const TupleIndex &tuple,
                        std::optional<int64_t> distance, const Constraints &guard,
                        ArrayRef<AffineExpr> roots) {
  TileExprs exprs;
  exprs.roots.assign(roots.begin(), roots.end());
  exprs.guard = guard;
  exprs.reads.assign(inputs.size(), read);
  exprs.writes.assign(outputs.size(), getAccess(tuple));
  loop::TileOp tile = createTile(builder, loc, inputs, outputs, exprs, replicated,
                                 [&](AffineExpr leaf) { return facts.getValue(leaf); });
  tile.setStep(step);
  if (distance)
    tile.setDistance(*distance);
  IRMapping mapping;
  element.cloneInto(&tile.getBody(), mapping);
}

void TuplePlanner::move(ValueRange from, ValueRange to, const TupleIndex &read,
                        const TupleIndex &write, const Constraints &guard) {
  TileExprs exprs;
  exprs.reads.push_back(getAccess(read));
  exprs.writes.push_back(getAccess(write));
  exprs.guard = guard;
  for (auto [source, target] : llvm::zip_equal(from, to))
    createMove(builder, loc, source, target, exprs, replicated,
               [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

SmallVector<Value> TuplePlanner::addBuffers(ArrayRef<int64_t> extents, MemoryType space,
                                            bool isDistributed) {
  SmallVector<Value> added;
  for (Value total : totals) {
    const Type element = cast<loop::BufferType>(total.getType()).getElementType();
    added.push_back(loop::BufferOp::create(
        builder, loc, loop::BufferType::get(builder.getContext(), extents, element, space),
        isDistributed));
  }
  return added;
}

SmallVector<Value> TuplePlanner::addExchange(int64_t slots) {
  SmallVector<int64_t> extents(shape);
  extents.insert(lanes > 1 ? extents.end() - 1 : extents.end(), slots);
  return addBuffers(extents, MemoryType::Shared);
}

SmallVector<Value> TuplePlanner::addPartial() {
  SmallVector<Value> partial = addBuffers(shape, MemoryType::Register);
  forTuples(
      [&](const TupleIndex &tuple) { step(loop::TileStep::Initial, {}, {}, partial, tuple); });
  return partial;
}

TuplePlanner::TupleIndex TuplePlanner::getSlot(const TupleIndex &tuple, AffineExpr slot) const {
  TupleIndex index(tuple);
  index.insert(lanes > 1 ? index.end() - 1 : index.end(), slot);
  return index;
}
