//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How blocks combine their tuples: through a workspace, always in the order of the blocks, so that
// the result does not depend on timing.
//
//===----------------------------------------------------------------------===//

#include "CombinePlanner.h"

using namespace mlir;
using namespace fuser;

/// Elements of parts that a thread has in flight, and the most parts.
static constexpr int64_t kRegistersInFlight = 32, kMostPartsInFlight = 8;

/// The workspace of a reduction over blocks, and what of it this thread has.
struct CombinePlanner::Exchange {
  /// Which result: an index and an extent for each loop around, and for each block type that is not
  /// combined. No iteration writes what the last block of another may still read.
  TupleIndex segment;
  SmallVector<AffineExpr> segments;
  /// Which part of it: that of this block, and the number of parts.
  AffineExpr part, parts;
  /// Which of the block's tuples this thread has, and the number of threads with one.
  AffineExpr slot;
  int64_t slots = 1;
  /// Which of the threads with the same tuple this is, and their number.
  AffineExpr helper;
  int64_t helpers = 1;

  /// The place of lane `tuple.back()` if `hasLanes`, else of a tuple.
  TupleIndex getPlace(const TupleIndex &tuple, bool hasLanes, AffineExpr ofPart) const {
    TupleIndex place(segment);
    llvm::append_range(place, ArrayRef(tuple).drop_back(hasLanes));
    place.append({ofPart, slot});
    llvm::append_range(place, ArrayRef(tuple).take_back(hasLanes));
    return place;
  }
};

LogicalResult CombinePlanner::addSegments(Exchange &exchange, ArrayRef<ParallelType> blocks) {
  SmallVector<loop::ForOp> around;
  for (auto loop = combine->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (!isBlockType(loop.getType()) && !isThreadType(loop.getType()))
      around.push_back(loop);
  for (loop::ForOp loop : llvm::reverse(around)) {
    // Copies are written out up to the bound.
    const AffineExpr extent =
        loop.isWrittenOut() ? constant(*loop.getStaticBound()) : facts.getExtent(loop);
    if (!extent.isSymbolicOrConstant())
      return combine.emitOpError("expected loops around a combination of blocks whose extents are "
                                 "over arguments of the kernel");
    exchange.segment.push_back(facts.getExpr(loop.getInductionVar()));
    exchange.segments.push_back(extent);
  }
  for (ParallelType type : kBlockTypes)
    if (kernel.isSplit(type) && !llvm::is_contained(blocks, type)) {
      exchange.segment.push_back(openBlock(type));
      exchange.segments.push_back(
          kernel.getGrid()->getResult(unsigned(type) - unsigned(ParallelType::BlockX)));
    }
  return success();
}

void CombinePlanner::addParts(Exchange &exchange, ArrayRef<ParallelType> blocks) {
  exchange.part = constant(0);
  exchange.parts = constant(1);
  for (ParallelType type : blocks) {
    const AffineExpr count =
        kernel.getGrid()->getResult(unsigned(type) - unsigned(ParallelType::BlockX));
    exchange.part = exchange.part * count + openBlock(type);
    exchange.parts = exchange.parts * count;
  }
}

void CombinePlanner::addSlots(Exchange &exchange, ArrayRef<ParallelType> threadTypes) {
  exchange.slot = exchange.helper = constant(0);
  openThreads();
  for (ParallelType type : llvm::reverse(kThreadTypes)) {
    const bool isReduced = llvm::is_contained(threadTypes, type);
    AffineExpr &number = isReduced ? exchange.helper : exchange.slot;
    number = number * getCount(type) + thread[unsigned(type) - unsigned(ParallelType::ThreadX)];
    (isReduced ? exchange.helpers : exchange.slots) *= getCount(type);
  }
}

/// One for each component of a tuple.
SmallVector<Value> CombinePlanner::addWorkspaces(const Exchange &exchange) {
  const bool hasLanes = lanes > 1;
  SmallVector<AffineExpr> extents(exchange.segments);
  auto append = [&](ArrayRef<int64_t> sizes) {
    for (int64_t size : sizes)
      extents.push_back(constant(size));
  };
  append(ArrayRef(shape).drop_back(hasLanes));
  extents.push_back(exchange.parts);
  append(exchange.slots);
  append(ArrayRef(shape).take_back(hasLanes));
  SmallVector<Value> memory;
  for (Value total : totals)
    memory.push_back(createWorkspace(
        kernel, loc, cast<loop::BufferType>(total.getType()).getElementType(), extents,
        /*zeroed=*/false, [&](AffineExpr leaf) { return facts.getValue(leaf); }));
  return memory;
}

//===----------------------------------------------------------------------===//
// The last block
//===----------------------------------------------------------------------===//

/// Where the combination and all stores of its result see it.
Value CombinePlanner::addFlag(const BlockResults &results) {
  Block *common = combine->getBlock();
  for (loop::TileOp store : results.getStores(combine))
    while (!common->findAncestorOpInBlock(*store))
      common = common->getParentOp()->getBlock();
  OpBuilder outside(common->findAncestorOpInBlock(*combine));
  return loop::BufferOp::create(
      outside, loc,
      loop::BufferType::get(builder.getContext(), {}, builder.getI1Type(), MemoryType::Register));
}

/// 1 in the block that arrives last, else 0.
AffineExpr CombinePlanner::meetLastBlock(const Exchange &exchange, Value flag) {
  AffineExpr place = constant(0), places = constant(1);
  for (auto [index, extent] : llvm::zip_equal(exchange.segment, exchange.segments)) {
    place = place * extent + index;
    places = places * extent;
  }
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  Value counter =
      createWorkspace(kernel, loc, builder.getI32Type(), places, /*zeroed=*/true, getValue);
  OperandNumbering numbering(getValue, builder.getContext());
  const AffineExpr numbered = numbering.add(place), parts = numbering.add(exchange.parts);
  loop::LastBlockOp::create(builder, loc, flag, counter, numbering.getOperands(),
                            numbering.getMap({numbered, parts}));
  return isLast(flag);
}

AffineExpr CombinePlanner::isLast(Value flag) {
  return facts.getExpr(loop::IsLastOp::create(builder, loc, builder.getIndexType(), flag));
}

/// What all blocks would store is stored by the last one, not by the first.
void CombinePlanner::guardStores(const BlockResults &results, Value flag) {
  const SmallVector<ParallelType> blocks = BlockResults::getSplitBlocks(combine);
  llvm::DenseMap<Block *, AffineExpr> lastIn;
  for (loop::TileOp store : results.getStores(combine)) {
    SmallVector<ParallelType> once;
    llvm::copy_if(store.getOnce().getTypes(), std::back_inserter(once),
                  [&](ParallelType type) { return !llvm::is_contained(blocks, type); });
    if (once.size() == store.getOnce().getTypes().size())
      continue;
    Block *common = combine->getBlock();
    while (!common->findAncestorOpInBlock(*store))
      common = common->getParentOp()->getBlock();
    AffineExpr &last = lastIn[common];
    if (!last) {
      OpBuilder after(builder.getContext());
      after.setInsertionPointAfter(common->findAncestorOpInBlock(*combine));
      last = facts.getExpr(loop::IsLastOp::create(after, loc, builder.getIndexType(), flag));
    }
    TileExprs exprs = facts.lift(store);
    exprs.guard.push_back(Constraint::equal(last, constant(1)));
    setTileExprs(store, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
    store.setOnceAttr(loop::ParallelTypesAttr::get(builder.getContext(), once));
  }
}

//===----------------------------------------------------------------------===//
// The combination
//===----------------------------------------------------------------------===//

/// Parts that a thread loads before it merges the first of them: as many as kRegistersInFlight
/// hold, and no more than it has.
int64_t CombinePlanner::countPartsInFlight(const Exchange &exchange) {
  const int64_t elements = ShapedType::getNumElements(shape) * int64_t(totals.size());
  int64_t parts = std::clamp<int64_t>(kRegistersInFlight / elements, 1, kMostPartsInFlight);
  if (std::optional<int64_t> known = facts.getConstant(exchange.parts))
    parts = std::min<int64_t>(parts, llvm::divideCeil(*known, exchange.helpers));
  return std::max<int64_t>(parts, 1);
}

/// Each thread merges some of the parts of its tuple: those at the distance of its helpers, and
/// none unless `last` is 1. If it is null, all blocks merge them, after a barrier of the grid.
void CombinePlanner::mergeParts(const Exchange &exchange, ValueRange memory, AffineExpr last) {
  const SmallVector<Value> partial = addPartial();
  OpBuilder::InsertPoint end = builder.saveInsertionPoint();
  const int64_t inFlight = countPartsInFlight(exchange);
  const AffineExpr count = exchange.parts.ceilDiv(exchange.helpers * inFlight);
  const AffineExpr round = openLoop(last ? last * count : count, ParallelType::Serial);
  SmallVector<int64_t> extents(shape);
  extents.insert(extents.begin(), inFlight);
  const SmallVector<Value> loaded = addBuffers(extents, MemoryType::Register);
  // The loads of a round first, then what waits for them. Parts that do not exist are identities.
  auto forParts =
      [&](function_ref<void(AffineExpr number, const TupleIndex &tuple, const TupleIndex &place)>
              build) {
        OpBuilder::InsertionGuard guard(builder);
        const AffineExpr number =
            inFlight > 1 ? openLoop(inFlight, ParallelType::Unroll) : constant(0);
        forTuples([&](const TupleIndex &tuple) {
          TupleIndex place(tuple);
          place.insert(place.begin(), number);
          build(number, tuple, place);
        });
      };
  forParts([&](AffineExpr, const TupleIndex &, const TupleIndex &place) {
    step(loop::TileStep::Initial, {}, {}, loaded, place);
  });
  forParts([&](AffineExpr number, const TupleIndex &tuple, const TupleIndex &place) {
    const AffineExpr part = (round * inFlight + number) * exchange.helpers + exchange.helper;
    TileExprs exprs;
    exprs.reads.push_back(getAccess(exchange.getPlace(tuple, lanes > 1, part)));
    exprs.writes.push_back(getAccess(place));
    exprs.guard.push_back(Constraint::less(part, exchange.parts));
    // The arrival of the last block has waited for all writes.
    for (auto types : {ArrayRef(kBlockTypes), ArrayRef(kThreadTypes)})
      llvm::copy_if(types, std::back_inserter(exprs.reads.front()->follows),
                    [&](ParallelType type) { return last && kernel.isSplit(type); });
    for (auto [from, to] : llvm::zip_equal(memory, loaded))
      createMove(builder, loc, from, to, exprs, replicated,
                 [&](AffineExpr leaf) { return facts.getValue(leaf); });
  });
  forParts([&](AffineExpr, const TupleIndex &tuple, const TupleIndex &place) {
    step(loop::TileStep::Merge, loaded, getAccess(place), partial, tuple);
  });
  builder.restoreInsertionPoint(end);
  forTuples([&](const TupleIndex &tuple) { move(partial, totals, tuple, tuple); });
}

LogicalResult CombinePlanner::openExchange(Exchange &exchange, ArrayRef<ParallelType> blocks,
                                           ArrayRef<ParallelType> threadTypes) {
  if (failed(addSegments(exchange, blocks)))
    return failure();
  addParts(exchange, blocks);
  addSlots(exchange, threadTypes);
  return success();
}

/// The workspaces, one for each component, to which this block writes its tuples.
SmallVector<Value> CombinePlanner::storeParts(const Exchange &exchange) {
  const SmallVector<Value> memory = addWorkspaces(exchange);
  // The threads with the same tuple have one store it.
  Constraints first;
  if (exchange.helpers > 1)
    first.push_back(Constraint::equal(exchange.helper, constant(0)));
  forTuples([&](const TupleIndex &tuple) {
    move(totals, memory, tuple, exchange.getPlace(tuple, lanes > 1, exchange.part), first);
  });
  return memory;
}

/// Every block writes its tuples to a workspace. Then the last one to arrive combines them, or each
/// block does if all need the result.
LogicalResult CombinePlanner::combineBlocks(const BlockResults &results,
                                            ArrayRef<ParallelType> blocks,
                                            ArrayRef<ParallelType> threadTypes) {
  const Value flag = results.isWantedEverywhere(combine) ? Value() : addFlag(results);
  {
    OpBuilder::InsertionGuard guard(builder);
    Exchange exchange;
    if (failed(openExchange(exchange, blocks, threadTypes)))
      return failure();
    const SmallVector<Value> memory = storeParts(exchange);
    mergeParts(exchange, memory, flag ? meetLastBlock(exchange, flag) : AffineExpr());
  }
  combineBlock(threadTypes);
  if (flag)
    guardStores(results, flag);
  return success();
}

LogicalResult CombinePlanner::runWithOneLastBlock(MutableArrayRef<CombinePlanner> planners,
                                                  const BlockResults &results) {
  CombinePlanner &first = planners.front();
  const Value flag = first.addFlag(results);
  SmallVector<SmallVector<Value>> memory;
  for (CombinePlanner &planner : planners) {
    planner.builder.setInsertionPoint(first.combine);
    const SmallVector<ParallelType> types = planner.getThreadTypes();
    planner.combineBlock(types);
    OpBuilder::InsertionGuard guard(planner.builder);
    Exchange exchange;
    if (failed(
            planner.openExchange(exchange, BlockResults::getSplitBlocks(planner.combine), types)))
      return failure();
    memory.push_back(planner.storeParts(exchange));
    if (&planner == &planners.back())
      (void)planner.meetLastBlock(exchange, flag);
  }
  for (auto [planner, parts] : llvm::zip_equal(planners, memory)) {
    const SmallVector<ParallelType> types = planner.getThreadTypes();
    {
      OpBuilder::InsertionGuard guard(planner.builder);
      Exchange exchange;
      if (failed(
              planner.openExchange(exchange, BlockResults::getSplitBlocks(planner.combine), types)))
        return failure();
      planner.mergeParts(exchange, parts, planner.isLast(flag));
    }
    planner.combineBlock(types);
  }
  first.guardStores(results, flag);
  for (CombinePlanner &planner : planners)
    planner.combine.erase();
  return success();
}
