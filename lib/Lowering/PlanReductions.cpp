//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-plan-reductions: how the threads of a block, and the blocks of a cluster, combine what each
// has accumulated. Slots of threads are in PlanSlots.cpp, blocks of the grid in PlanBlocks.cpp.
//
//===----------------------------------------------------------------------===//

#include "CombinePlanner.h"
#include "ScanPlanner.h"
#include "Stages.h"
#include "Warps.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPLANREDUCTIONS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// Combinations of threads that are done together.
static constexpr size_t kMaxGroup = 4;

CombinePlanner::CombinePlanner(loop::KernelOp kernel, LoopFacts &facts, loop::CombineOp combine)
    : TuplePlanner(kernel, facts, combine, combine.getBody(), combine.getAccumulators(),
                   combine.getLanes()),
      combine(combine) {}

//===----------------------------------------------------------------------===//
// Shuffles and exchanges
//===----------------------------------------------------------------------===//

/// Every one of `lanes` threads of a warp, `stride` apart, gets what all of them have.
void CombinePlanner::combineWarp(int64_t lanes, int64_t stride) {
  for (int64_t distance = stride * lanes / 2; distance >= stride; distance /= 2)
    forTuples([&](const TupleIndex &tuple) {
      step(loop::TileStep::Shuffle, {}, {}, totals, tuple, distance);
    });
}

/// In loops over all threads: the threads that are adjacent in warps are those along thread_x, and
/// while these are less than a warp, those along the next types.
CombinePlanner::WarpRow CombinePlanner::getWarpRow() {
  WarpRow row{thread[0],
              getCount(ParallelType::ThreadX),
              getCount(ParallelType::ThreadY),
              getCount(ParallelType::ThreadZ),
              constant(0),
              constant(0)};
  if (row.size < kWarp) {
    row.index = thread[1] * row.size + row.index;
    row.size *= std::exchange(row.rows, 1);
  }
  if (row.size < kWarp) {
    row.index = thread[2] * row.size + row.index;
    row.size *= std::exchange(row.planes, 1);
  }
  if (row.rows > 1)
    row.row = thread[1];
  if (row.planes > 1)
    row.plane = thread[2];
  return row;
}

/// In loops over all threads: the first thread of each warp stores.
void CombinePlanner::storeSlots() {
  const WarpRow row = getWarpRow();
  const AffineExpr number = row.plane * row.rows + row.row;
  const AffineExpr slot = number * (row.size / kWarp) + row.index.floorDiv(kWarp);
  const Constraints isFirst = {Constraint::equal(row.index % kWarp, constant(0))};
  forTuples([&](const TupleIndex &tuple) {
    move(totals, warpExchange, tuple, getSlot(tuple, slot), isFirst);
  });
}

/// In loops over all threads: every warp combines the slots of all warps that it is to combine with
/// along `types`, of its row of threads, its plane, or the block.
void CombinePlanner::combineSlots(ArrayRef<ParallelType> types) {
  const WarpRow row = getWarpRow();
  const int64_t warps = row.size / kWarp;
  const bool ofRows = llvm::is_contained(types, ParallelType::ThreadY),
             ofPlanes = llvm::is_contained(types, ParallelType::ThreadZ);
  const int64_t count = warps * (ofRows ? row.rows : 1) * (ofPlanes ? row.planes : 1);
  const AffineExpr first = ofPlanes ? constant(0)
                           : ofRows ? row.plane * (row.rows * warps)
                                    : (row.plane * row.rows + row.row) * warps;
  const int64_t group = llvm::PowerOf2Ceil(count);
  const AffineExpr place = row.index % group;
  auto restore = [&](ValueRange to, const Constraints &guard) {
    forTuples([&](const TupleIndex &tuple) {
      move(warpExchange, to, getSlot(tuple, first + place), tuple, guard);
    });
  };
  if (count == group) {
    restore(totals, {});
  } else {
    // Lanes without a warp have the identity.
    const SmallVector<Value> partial = addPartial();
    restore(partial, {Constraint::less(place, constant(count))});
    forTuples([&](const TupleIndex &tuple) { move(partial, totals, tuple, tuple); });
  }
  combineWarp(group);
}

void CombinePlanner::addWarpExchange() {
  if (warpExchange.empty())
    warpExchange = addExchange(threads.getNumThreads() / kWarp);
}

/// Shuffles combine the threads of a warp. Then one of them stores for all, and the slots of all
/// warps are combined in one order.
void CombinePlanner::combineThreads(ArrayRef<ParallelType> types) {
  for (ParallelType type : types) {
    const BlockThreads::WarpPart part = threads.getWarpPart(type);
    combineWarp(part.count, part.distance);
  }
  const int64_t together = threads.countOfWarpParts(types);
  if (threads.getCount(types) == together)
    return;
  if (threadExchange.empty())
    threadExchange = addExchange(threads.getNumThreads() / together);
  const bool spreads = threads.spreadsSlots(types, ShapedType::getNumElements(shape));
  if (spreads && resultExchange.empty())
    resultExchange = addExchange(threads.getNumThreads() / threads.getCount(types));
  inThreads([&] {
    const ThreadSlots slots = getThreadSlots(types);
    forTuples([&](const TupleIndex &tuple) {
      move(totals, threadExchange, tuple, getSlot(tuple, slots.own), slots.isFirst);
    });
    if (spreads)
      spreadSlots(slots);
    else
      mergeSlots(slots);
  });
}

/// Every block has combined its threads, and sends the result to a slot of each block of the
/// cluster; each combines its slots in the order of the blocks. Of threads with one result, one
/// sends it to each block, where there are as many threads. The slots of one sender are next to
/// each other, as the threads that access them are.
void CombinePlanner::combineCluster(ArrayRef<ParallelType> threadTypes) {
  const int64_t blocks = kernel.getClusterBlocks();
  int64_t rows = 1;
  for (ParallelType type : kThreadTypes)
    if (!llvm::is_contained(threadTypes, type))
      rows *= getCount(type);
  SmallVector<int64_t> extents(shape);
  extents.insert(lanes > 1 ? extents.end() - 1 : extents.end(), rows * blocks);
  extents.insert(extents.begin(), blocks);
  const SmallVector<Value> slots = addBuffers(extents, MemoryType::Shared, /*isDistributed=*/true);
  OpBuilder::InsertionGuard guard(builder);
  const AffineExpr own = openLoop(blocks, ParallelType::ClusterX);
  openThreads();
  AffineExpr row = constant(0), peer;
  int64_t stride = 1, senders = 1;
  Constraints isSender;
  for (ParallelType type : kThreadTypes) {
    const AffineExpr index = thread[unsigned(type) - unsigned(ParallelType::ThreadX)];
    if (!llvm::is_contained(threadTypes, type)) {
      row = row + index * stride;
      stride *= getCount(type);
    } else if (!peer) {
      peer = index;
      senders = getCount(type);
    } else {
      isSender.push_back(Constraint::equal(index, constant(0)));
    }
  }
  auto getSlotOf = [&](const TupleIndex &tuple, AffineExpr block, AffineExpr from) {
    TupleIndex index = getSlot(tuple, from * rows + row);
    index.insert(index.begin(), block);
    return index;
  };
  OpBuilder::InsertPoint end = builder.saveInsertionPoint();
  if (const int64_t rounds = llvm::divideCeil(blocks, senders); rounds > 1)
    peer = openLoop(rounds, ParallelType::Unroll) * senders + (peer ? peer : constant(0));
  if (blocks % senders != 0)
    isSender.push_back(Constraint::less(peer, constant(blocks)));
  forTuples([&](const TupleIndex &tuple) {
    move(totals, slots, tuple, getSlotOf(tuple, peer, own), isSender);
  });
  builder.restoreInsertionPoint(end);
  const SmallVector<Value> partial = addPartial();
  end = builder.saveInsertionPoint();
  // To merge tuples in lanes is as long as a loop, and all merges wait for the one before.
  const bool isLong = totals.size() > 1 && lanes > 1;
  const AffineExpr from = openLoop(blocks, isLong ? ParallelType::Serial : ParallelType::Unroll);
  forTuples([&](const TupleIndex &tuple) {
    step(loop::TileStep::Merge, slots, getAccess(getSlotOf(tuple, own, from)), partial, tuple);
  });
  builder.restoreInsertionPoint(end);
  forTuples([&](const TupleIndex &tuple) { move(partial, totals, tuple, tuple); });
}

void CombinePlanner::combineBlock(ArrayRef<ParallelType> types) {
  const SmallVector<ParallelType> warpTypes = threads.getWarpTypes(types);
  SmallVector<ParallelType> rest(types);
  if (!warpTypes.empty())
    combineWarp(std::min(threads.getCount(warpTypes), kWarp));
  if (threads.exchangesWarps(warpTypes)) {
    addWarpExchange();
    inThreads([&] {
      storeSlots();
      combineSlots(warpTypes);
    });
  }
  llvm::erase_if(rest, [&](ParallelType type) { return llvm::is_contained(warpTypes, type); });
  if (!rest.empty())
    combineThreads(rest);
}

SmallVector<ParallelType> CombinePlanner::getThreadTypes() {
  SmallVector<ParallelType> types;
  for (ParallelType type : combine.getOver().getTypes())
    if (isThreadType(type) && kernel.isSplit(type))
      types.push_back(type);
  return types;
}

bool CombinePlanner::combinesByWarps() {
  const SmallVector<ParallelType> types = getThreadTypes(), warpTypes = threads.getWarpTypes(types);
  const bool combinesCluster =
      llvm::is_contained(combine.getOver().getTypes(), ParallelType::ClusterX);
  return BlockResults::getSplitBlocks(combine).empty() && !combinesCluster &&
         threads.exchangesWarps(warpTypes) && warpTypes.size() == types.size();
}

void CombinePlanner::runTogether(MutableArrayRef<CombinePlanner> planners) {
  for (CombinePlanner &planner : planners) {
    planner.builder.setInsertionPoint(planners.front().combine);
    planner.combineWarp(kWarp);
  }
  for (CombinePlanner &planner : planners) {
    planner.addWarpExchange();
    planner.inThreads([&] { planner.storeSlots(); });
  }
  for (CombinePlanner &planner : planners)
    planner.inThreads(
        [&] { planner.combineSlots(planner.threads.getWarpTypes(planner.getThreadTypes())); });
  for (CombinePlanner &planner : planners)
    planner.combine.erase();
}

LogicalResult CombinePlanner::run(const BlockResults &results) {
  const SmallVector<ParallelType> types = getThreadTypes();
  const SmallVector<ParallelType> blocks = BlockResults::getSplitBlocks(combine);
  if (!blocks.empty() && kernel.getCluster())
    return combine.emitOpError(
        "expected no combination over blocks of the grid in a kernel with clusters");
  combineBlock(types);
  if (llvm::is_contained(combine.getOver().getTypes(), ParallelType::ClusterX) &&
      kernel.isSplit(ParallelType::ClusterX))
    combineCluster(types);
  if (!blocks.empty() && failed(combineBlocks(results, blocks, types)))
    return failure();
  combine.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The buffers of an op and of what it contains.
static void collectBuffers(Operation *op, bool ofResults, llvm::SmallPtrSetImpl<Value> &buffers) {
  op->walk([&](Operation *inner) {
    if (auto tile = dyn_cast<loop::TileOp>(inner)) {
      buffers.insert(tile.getOutputs().begin(), tile.getOutputs().end());
      if (!ofResults)
        buffers.insert(tile.getInputs().begin(), tile.getInputs().end());
    } else if (auto combine = dyn_cast<loop::CombineOp>(inner)) {
      buffers.insert(combine.getAccumulators().begin(), combine.getAccumulators().end());
    }
  });
}

/// True if the op only computes in registers.
static bool isOnRegisters(Operation *op) {
  WalkResult result = op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<loop::ForOp>(inner))
      return WalkResult::advance();
    auto tile = dyn_cast<loop::TileOp>(inner);
    return tile && !tile.touchesMemory() ? WalkResult::skip() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Moves what `combine` needs in front of `first`, and the op next to it, if nothing of it depends
/// on `first`, or on the ops between that stay.
static bool moveNextTo(loop::CombineOp first, loop::CombineOp last, loop::CombineOp combine) {
  if (first->getBlock() != combine->getBlock())
    return false;
  llvm::SmallPtrSet<Value, 8> blocked;
  SmallVector<Operation *> moved;
  collectBuffers(first, /*ofResults=*/true, blocked);
  for (Operation *op = first->getNextNode(); op != combine; op = op->getNextNode()) {
    llvm::SmallPtrSet<Value, 8> used;
    collectBuffers(op, /*ofResults=*/false, used);
    auto isBlocked = [&](Value buffer) { return blocked.contains(buffer); };
    if (isa<loop::BufferOp>(op) || (isOnRegisters(op) && llvm::none_of(used, isBlocked)))
      moved.push_back(op);
    else
      collectBuffers(op, /*ofResults=*/false, blocked);
  }
  if (llvm::any_of(combine.getAccumulators(),
                   [&](Value buffer) { return blocked.contains(buffer); }))
    return false;
  for (Operation *op : moved)
    op->moveBefore(first);
  combine->moveAfter(last);
  return true;
}

/// Combinations that do not depend on each other, next to each other: they share barriers, and hide
/// each other's latency.
static SmallVector<ArrayRef<loop::CombineOp>> groupCombines(ArrayRef<loop::CombineOp> combines) {
  SmallVector<ArrayRef<loop::CombineOp>> groups;
  for (size_t begin = 0, end; begin < combines.size(); begin = end) {
    // All of those over blocks, which one last block may finish.
    const size_t most =
        BlockResults::getSplitBlocks(combines[begin]).empty() ? kMaxGroup : combines.size();
    for (end = begin + 1; end < combines.size() && end - begin < most &&
                          moveNextTo(combines[begin], combines[end - 1], combines[end]);)
      ++end;
    groups.push_back(combines.slice(begin, end - begin));
  }
  return groups;
}

LogicalResult fuser::planReductions(loop::KernelOp kernel) {
  if (kernel.getStage() != loop::Stage::Launched)
    return success();
  if (failed(planScans(kernel)))
    return failure();
  SmallVector<loop::CombineOp> combines;
  kernel.walk([&](loop::CombineOp combine) { combines.push_back(combine); });
  if (!combines.empty()) {
    keepRows(kernel, combines);
    LoopFacts facts(kernel);
    readRowsAhead(kernel, facts);
    const SmallVector<ArrayRef<loop::CombineOp>> groups = groupCombines(combines);
    const BlockResults results(kernel, groups);
    for (ArrayRef<loop::CombineOp> group : groups) {
      SmallVector<CombinePlanner, 1> planners;
      for (loop::CombineOp combine : group)
        planners.emplace_back(kernel, facts, combine);
      if (planners.size() > 1 &&
          llvm::all_of(planners, [](CombinePlanner &each) { return each.combinesByWarps(); })) {
        CombinePlanner::runTogether(planners);
        continue;
      }
      if (results.haveOneLastBlock(group)) {
        if (failed(CombinePlanner::runWithOneLastBlock(planners, results)))
          return failure();
        continue;
      }
      for (CombinePlanner &planner : planners)
        if (failed(planner.run(results)))
          return failure();
    }
  }
  kernel.setStage(loop::Stage::Reduced);
  return success();
}

namespace {
struct PlanReductions : fuser::impl::FuserPlanReductionsBase<PlanReductions> {
  using FuserPlanReductionsBase::FuserPlanReductionsBase;

  void runOnOperation() override {
    if (failed(planReductions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
