//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans whose tiles are computed by blocks, each of which waits for the totals of those before it.
//
// Tiles are numbered in the order in which their blocks begin, so that a block waits for blocks
// that have begun. They form groups: a tile combines the tuple of all groups before its own, which
// the last tile of the preceding group publishes, with the totals of the tiles before it in its
// group. What is combined, and in which order, does not depend on timing.
//
//===----------------------------------------------------------------------===//

#include "TileScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuser;

/// Tiles of a group. The tuples of groups pass from one to the next, which takes about 2 us; in
/// this time the memory of a device serves about 100 tiles of 64 KB.
static constexpr int64_t kGroup = 256;

/// More tickets than any counter gets.
static constexpr int64_t kManyTickets = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Blocks in the order of their begin
//===----------------------------------------------------------------------===//

void KernelEmitter::orderBlocks() {
  const auto *chained = llvm::find_if(nest.getOps(), [](const auto &scheduled) {
    return scheduled->scan && scheduled->scan->isChained;
  });
  if (chained == nest.getOps().end())
    return;
  Value slot = addSharedMemory((*chained)->op, 1, builder.getI32Type(), {0, 0}).first;
  if (!emits())
    return;
  Value counter =
      addWorkspace(getAffineConstantExpr(4, builder.getContext()), builder.getI32Type(), true);
  Value blocks = index.constant(1), isFirst;
  for (ParallelType type : kBlockTypes)
    if (AffineExpr dim = getGridDim(type))
      blocks = index.mul(blocks, evaluate(dim));
  for (ParallelType type : kThreadTypes)
    if (getBlockDim(type) > 1)
      isFirst = index.both(isFirst, index.equal(getHardwareIndex(type), index.constant(0)));
  auto draw = [&] {
    Value participants = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), blocks);
    Value ticket = kernel_ir::TicketOp::create(builder, loc, builder.getI32Type(), counter,
                                               ValueRange{index.constant(0)}, participants);
    memref::StoreOp::create(builder, loc, ticket, slot, ValueRange{index.constant(0)});
  };
  if (isFirst) {
    auto first = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(first.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    draw();
  } else {
    draw();
  }
  gpu::BarrierOp::create(builder, loc);
  Value ticket = memref::LoadOp::create(builder, loc, slot, ValueRange{index.constant(0)});
  Value number = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), ticket);
  for (ParallelType type : kBlockTypes) {
    AffineExpr dim = getGridDim(type);
    if (!dim)
      continue;
    Value extent = evaluate(dim);
    hardwareIndices[static_cast<unsigned>(type)] = index.rem(number, extent);
    number = index.div(number, extent);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Where the tuples of tiles lie. The entries of a group are that of all groups before it, and
/// those of its tiles.
struct KernelEmitter::TileScan::Chain {
  /// The number of the tile in its row, and of tiles.
  Value tile, tiles;
  /// Its group, its number in its group, and the entry before the first one of its group.
  Value group, inGroup, base;
  /// Which of the tuples of an entry this thread has, and their number.
  Value slot;
  int64_t slots = 1;
  /// The number of this thread among those that share a row, and their number.
  Value helper;
  int64_t helpers = 1;
  /// Workspaces: one for each component of a tuple, and a counter for each entry.
  SmallVector<Value> memory;
  Value flags;
};

KernelEmitter::TileScan::Chain KernelEmitter::TileScan::planChain() {
  Chain plan;
  const ParallelType chained = scheduled.loops[loops.positions.front()]->type;
  Value row = index.constant(0);
  AffineExpr rows = getAffineConstantExpr(1, builder.getContext());
  for (ParallelType type : kBlockTypes) {
    AffineExpr dim = emitter.getGridDim(type);
    if (!dim || type == chained)
      continue;
    row = index.add(index.mul(row, emitter.evaluate(dim)), emitter.getHardwareIndex(type));
    rows = rows * dim;
  }
  plan.slot = plan.helper = index.constant(0);
  for (ParallelType type : threads) {
    int64_t size = emitter.getBlockDim(type);
    plan.helper =
        index.add(index.mul(plan.helper, index.constant(size)), emitter.getHardwareIndex(type));
    plan.helpers *= size;
  }
  for (ParallelType type : llvm::reverse(kThreadTypes)) {
    int64_t size = emitter.getBlockDim(type);
    if (size == 1 || llvm::is_contained(threads, type))
      continue;
    plan.slot =
        index.add(index.mul(plan.slot, index.constant(size)), emitter.getHardwareIndex(type));
    plan.slots *= size;
  }
  AffineExpr tiles = emitter.getGridDim(chained);
  AffineExpr groups = tiles.ceilDiv(kGroup);
  plan.tile = emitter.getHardwareIndex(chained);
  plan.tiles = emitter.evaluate(tiles);
  plan.group = index.div(plan.tile, index.constant(kGroup));
  plan.inGroup = index.rem(plan.tile, index.constant(kGroup));
  plan.base = index.mul(index.add(index.mul(row, emitter.evaluate(groups)), plan.group),
                        index.constant(kGroup + 1));
  AffineExpr entries = rows * groups * (kGroup + 1);
  const int64_t tuples = count(kept) * plan.slots * lanes;
  for (Type type : scan.getCarriedTypes()) {
    Type storage = getStorageType(type);
    plan.memory.push_back(
        emitter.addWorkspace(entries * (tuples * getElementBytes(storage)), storage, false));
  }
  plan.flags = emitter.addWorkspace(entries * 4, builder.getI32Type(), /*zeroed=*/true);
  return plan;
}

/// The total of each kept index.
KernelEmitter::Tuples KernelEmitter::TileScan::getTileTotals(const Totals &totals) {
  Tuples tile;
  const int64_t runs = count(outer);
  for (int64_t row = 0, rows = count(kept); row < rows; ++row) {
    SmallVector<Value> total = totals.all[row * runs];
    for (int64_t run = 1; run < runs; ++run)
      total = combine(total, totals.all[row * runs + run]);
    tile.push_back(std::move(total));
  }
  return tile;
}

/// Stores the tuples of an entry, then draws a ticket of its counter.
void KernelEmitter::TileScan::publish(const Chain &plan, const Tuples &tuples, Value entry) {
  auto asThread = [&](Value condition, function_ref<void()> body) {
    if (!condition)
      return body();
    auto ifOp = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    body();
  };
  Value slots = index.constant(plan.slots);
  auto write = [&] {
    Value place =
        index.add(index.mul(index.mul(entry, index.constant(count(kept))), slots), plan.slot);
    emitter.storeTuples(tuples, plan.memory, place, slots);
  };
  auto draw = [&] {
    Value many = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(kManyTickets));
    kernel_ir::TicketOp::create(builder, loc, builder.getI32Type(), plan.flags, ValueRange{entry},
                                many);
  };
  Value isHelper;
  if (plan.helpers > 1)
    isHelper = index.equal(plan.helper, index.constant(0));
  if (plan.slots == 1) {
    asThread(isHelper, [&] {
      write();
      draw();
    });
    return;
  }
  asThread(isHelper, write);
  gpu::BarrierOp::create(builder, loc);
  Value isFirst = index.equal(plan.slot, index.constant(0));
  asThread(index.both(isHelper, isFirst), draw);
}

KernelEmitter::Tuples KernelEmitter::TileScan::chain(const Tuples &tile) {
  Chain plan = planChain();
  Value own = index.add(plan.base, index.add(plan.inGroup, index.constant(1)));
  publish(plan, tile, own);

  // Each helper combines some adjacent entries before that of the tile.
  const int64_t each = llvm::divideCeil(kGroup + 1, plan.helpers);
  Value slots = index.constant(plan.slots);
  Value hasGroupsBefore = index.lessThan(index.constant(0), plan.group);
  auto loop = scf::ForOp::create(builder, loc, index.constant(0), index.constant(each),
                                 index.constant(1), flatten(neutralLike(tile)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexBuilder::Scope scope(index);
    Value number = index.add(index.mul(plan.helper, index.constant(each)), loop.getInductionVar());
    Value isTile = index.lessThan(index.constant(0), number);
    Value isBefore = index.lessThan(number, index.add(plan.inGroup, index.constant(1)));
    Value exists =
        index.both(isBefore, arith::OrIOp::create(builder, loc, isTile, hasGroupsBefore));
    auto ifOp =
        scf::IfOp::create(builder, loc, loop.getResultTypes(), exists, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(ifOp.thenBlock());
      IndexBuilder::Scope innerScope(index);
      Value entry = index.add(plan.base, number);
      kernel_ir::AwaitOp::create(builder, loc, plan.flags, ValueRange{entry});
      Value place =
          index.add(index.mul(index.mul(entry, index.constant(count(kept))), slots), plan.slot);
      Tuples loaded = emitter.loadTuples(tile, plan.memory, place, slots, /*throughL2=*/true);
      Tuples sum = combineAll(unflatten(tile, loop.getRegionIterArgs()), loaded);
      scf::YieldOp::create(builder, loc, flatten(sum));
      builder.setInsertionPointToStart(ifOp.elseBlock());
      scf::YieldOp::create(builder, loc, ValueRange(loop.getRegionIterArgs()));
    }
    scf::YieldOp::create(builder, loc, ifOp.getResults());
  }
  Tuples before = scanThreads(unflatten(tile, loop.getResults())).all;

  // The last tile of a group has what the next group waits for.
  Value isLastOfGroup = index.equal(plan.inGroup, index.constant(kGroup - 1));
  Value isFollowed = index.lessThan(index.add(plan.tile, index.constant(1)), plan.tiles);
  auto ifOp = scf::IfOp::create(builder, loc, index.both(isLastOfGroup, isFollowed),
                                /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    publish(plan, combineAll(before, tile), index.add(plan.base, index.constant(kGroup + 1)));
  }
  return before;
}
