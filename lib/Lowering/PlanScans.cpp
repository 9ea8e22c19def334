//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the threads of a block scan the tuples of their tiles: a part of fuser-plan-reductions.
//
//===----------------------------------------------------------------------===//

#include "ScanPlanner.h"
#include "Warps.h"

using namespace mlir;
using namespace fuser;

ScanPlanner::ScanPlanner(loop::KernelOp kernel, LoopFacts &facts, loop::ScanOp scan)
    : TuplePlanner(kernel, facts, scan, scan.getBody(), scan.getTotals(), scan.getLanes()),
      scan(scan), isReversed(cast<ScanOpInterface>(scan.getElementOp()).isReversed()) {}

SmallVector<ParallelType> ScanPlanner::getSplitTypes(ArrayRef<ParallelType> types) {
  return llvm::filter_to_vector(types, [&](ParallelType type) { return kernel.isSplit(type); });
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The number of the thread, or of the group of them, that precedes one.
AffineExpr ScanPlanner::getThreadBefore(AffineExpr thread) const {
  return isReversed ? thread + 1 : thread - 1;
}

/// Each of the first `count` threads of a group, in the order of the scan, gets the tuple of the
/// threads up to it.
void ScanPlanner::scanGroup(ValueRange tuples, int64_t count) {
  for (int64_t distance = 1; distance < count; distance *= 2)
    forTuples([&](const TupleIndex &tuple) {
      step(loop::TileStep::ShuffleUp, {}, {}, tuples, tuple, distance);
    });
}

/// Gives each thread the tuple of a thread of its group.
void ScanPlanner::take(ValueRange from, ValueRange to, AffineExpr thread) {
  forTuples([&](const TupleIndex &tuple) {
    step(loop::TileStep::Take, from, getAccess(tuple), to, tuple, std::nullopt, {}, thread);
  });
}

void ScanPlanner::scanThreadX(ValueRange before) {
  const int64_t size = getCount(ParallelType::ThreadX), group = std::min(size, kWarp);
  scanGroup(totals, group);
  if (!before.empty())
    inThreads([&] { take(totals, before, getThreadBefore(thread[0] % group)); });
  if (size > kWarp)
    scanWarps(before);
  else
    take(totals, totals, constant(isReversed ? 0 : group - 1));
}

/// In loops over all threads: the last thread of each warp stores what its warp has, and thread k
/// of each warp gets what warp k of its row has stored. In the order of a reversed scan, the last
/// thread is 0, and the last threads of a warp get what the warps have: the first ones of the
/// order.
SmallVector<Value> ScanPlanner::exchangeWarps() {
  const int64_t warps = getCount(ParallelType::ThreadX) / kWarp;
  const int64_t rows = getCount(ParallelType::ThreadY) * getCount(ParallelType::ThreadZ);
  const SmallVector<Value> exchange = addExchange(warps * rows);
  const AffineExpr base = (thread[2] * getCount(ParallelType::ThreadY) + thread[1]) * warps;
  const Constraints isLast = {
      Constraint::equal(thread[0] % kWarp, constant(isReversed ? 0 : kWarp - 1))};
  forTuples([&](const TupleIndex &tuple) {
    move(totals, exchange, tuple, getSlot(tuple, base + thread[0].floorDiv(kWarp)), isLast);
  });
  const SmallVector<Value> ofWarps = addBuffers(shape, MemoryType::Register);
  const int64_t group = llvm::PowerOf2Ceil(warps);
  const AffineExpr place = isReversed ? (thread[0] + warps % group) % group : thread[0] % group;
  auto load = [&](ValueRange to, const Constraints &guard) {
    forTuples([&](const TupleIndex &tuple) {
      move(exchange, to, getSlot(tuple, base + place), tuple, guard);
    });
  };
  if (warps == group) {
    load(ofWarps, {});
    return ofWarps;
  }
  // What threads without a warp have is not used.
  const SmallVector<Value> partial = addPartial();
  load(partial, {Constraint::less(place, constant(warps))});
  forTuples([&](const TupleIndex &tuple) { move(partial, ofWarps, tuple, tuple); });
  return ofWarps;
}

/// Each warp scans what the warps of its row have.
void ScanPlanner::scanWarps(ValueRange before) {
  const int64_t warps = getCount(ParallelType::ThreadX) / kWarp;
  inThreads([&] {
    const SmallVector<Value> ofWarps = exchangeWarps();
    scanGroup(ofWarps, warps);
    if (!before.empty()) {
      const SmallVector<Value> preceding = addBuffers(shape, MemoryType::Register);
      const AffineExpr first = thread[0].floorDiv(kWarp) + (isReversed ? kWarp - warps : 0);
      take(ofWarps, preceding, getThreadBefore(first));
      forTuples([&](const TupleIndex &tuple) {
        step(loop::TileStep::Prepend, preceding, getAccess(tuple), before, tuple);
      });
    }
    take(ofWarps, totals, constant(isReversed ? kWarp - warps : warps - 1));
  });
}

//===----------------------------------------------------------------------===//
// Slots of all threads
//===----------------------------------------------------------------------===//

/// Every thread stores its tuples, and reads those of all threads that it is scanned with, in the
/// order of the scan.
void ScanPlanner::scanThroughShared(ArrayRef<ParallelType> types, ValueRange before) {
  int64_t slots = 1, count = 1;
  llvm::SmallDenseMap<ParallelType, int64_t> strides;
  for (ParallelType type : kThreadTypes) {
    strides[type] = slots;
    slots *= getCount(type);
  }
  const SmallVector<Value> exchange = addExchange(slots);
  OpBuilder::InsertionGuard guard(builder);
  openThreads();
  AffineExpr own = constant(0), base = constant(0), number = constant(0);
  for (ParallelType type : kThreadTypes) {
    own = own + getThread(type) * strides[type];
    if (!llvm::is_contained(types, type))
      base = base + getThread(type) * strides[type];
  }
  for (ParallelType type : types) {
    number = number * getCount(type) + getThread(type);
    count *= getCount(type);
  }
  forTuples([&](const TupleIndex &tuple) { move(totals, exchange, tuple, getSlot(tuple, own)); });
  const SmallVector<Value> all = addPartial();
  SmallVector<Value> preceding;
  if (!before.empty())
    preceding = addPartial();
  OpBuilder::InsertPoint end = builder.saveInsertionPoint();
  AffineExpr other = openLoop(count, ParallelType::Serial);
  if (isReversed)
    other = count - 1 - other;
  AffineExpr place = base;
  int64_t passed = 1;
  for (ParallelType type : llvm::reverse(types)) {
    AffineExpr index = other.floorDiv(passed);
    passed *= getCount(type);
    if (passed < count)
      index = index % getCount(type);
    place = place + index * strides[type];
  }
  const SmallVector<Value> loaded = addBuffers(shape, MemoryType::Register);
  forTuples([&](const TupleIndex &tuple) {
    move(exchange, loaded, getSlot(tuple, place), tuple);
    step(loop::TileStep::Merge, loaded, getAccess(tuple), all, tuple);
  });
  if (!before.empty())
    forTuples([&](const TupleIndex &tuple) {
      step(loop::TileStep::Replace, all, getAccess(tuple), preceding, tuple, std::nullopt,
           {isReversed ? Constraint::less(number, other) : Constraint::less(other, number)});
    });
  builder.restoreInsertionPoint(end);
  forTuples([&](const TupleIndex &tuple) {
    move(all, totals, tuple, tuple);
    if (!before.empty())
      move(preceding, before, tuple, tuple);
  });
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

void ScanPlanner::scanThreads(ArrayRef<ParallelType> types, ValueRange before) {
  if (types.empty()) {
    if (!before.empty())
      forTuples(
          [&](const TupleIndex &tuple) { step(loop::TileStep::Initial, {}, {}, before, tuple); });
  } else if (types == ArrayRef{ParallelType::ThreadX} &&
             canShuffleRows(getCount(ParallelType::ThreadX))) {
    scanThreadX(before);
  } else {
    scanThroughShared(types, before);
  }
}

LogicalResult ScanPlanner::run() {
  if (!scan.isOfBlocks())
    scanThreads(getSplitTypes(scan.getOver().getTypes()), scan.getBefore());
  else if (failed(chainBlocks()))
    return failure();
  scan.erase();
  return success();
}

SmallVector<AffineExpr> fuser::getGrid(loop::KernelOp kernel, const LoopFacts &facts) {
  SmallVector<AffineExpr> grid(kernel.getGrid()->getResults());
  for (AffineExpr &blocks : grid)
    if (std::optional<int64_t> constant = facts.getConstant(blocks))
      blocks = getAffineConstantExpr(*constant, kernel.getContext());
  return grid;
}

/// At the beginning of a kernel whose blocks wait for others.
static void orderBlocks(loop::KernelOp kernel, LoopFacts &facts) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  MLIRContext *context = kernel.getContext();
  const Type i32 = IntegerType::get(context, 32);
  const Location loc = kernel.getLoc();
  Value counter = createWorkspace(kernel, loc, i32, getAffineConstantExpr(1, context),
                                  /*zeroed=*/true, getValue);
  auto isOfKernel = [](Operation &op) { return isa<loop::ForOp, loop::IfOp, loop::TileOp>(op); };
  OpBuilder builder(&kernel.getBlock(), llvm::find_if(kernel.getBlock(), isOfKernel));
  Value slot = loop::BufferOp::create(builder, loc,
                                      loop::BufferType::get(context, 1, i32, MemoryType::Shared));
  createOrderBlocks(builder, loc, counter, slot, getGrid(kernel, facts), getValue);
}

LogicalResult fuser::planScans(loop::KernelOp kernel) {
  SmallVector<loop::ScanOp> scans;
  kernel.walk([&](loop::ScanOp scan) { scans.push_back(scan); });
  if (scans.empty())
    return success();
  LoopFacts facts(kernel);
  const bool isChained = llvm::any_of(scans, [](loop::ScanOp scan) { return scan.isOfBlocks(); });
  for (loop::ScanOp scan : scans)
    if (failed(ScanPlanner(kernel, facts, scan).run()))
      return failure();
  if (isChained)
    orderBlocks(kernel, facts);
  return success();
}
