//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-build-loops: loops, buffers and accesses of a scheduled kernel.
//
//===----------------------------------------------------------------------===//

#include "BorderBuilder.h"
#include "BufferIds.h"
#include "KernelOperands.h"
#include "ReductionBuilder.h"
#include "ScanBuilder.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Lowering/Passes.h"
#include "mlir/Dialect/Affine/Utils.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERBUILDLOOPS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// Walks the loop tree of a scheduled kernel and writes its fuser_loop.kernel.
class LoopBuilder {
public:
  LoopBuilder(CheckedKernel &checked, OpBuilder &builder)
      : tiles(checked, builder), reductions(tiles), scans(tiles), checked(checked),
        kernel(checked.kernel), builder(tiles.builder) {}
  loop::KernelOp build();

private:
  void addScalars();
  Value buildSize(AffineExpr size);
  void eraseUnusedScalars();
  void buildWorkspaces();
  void buildBuffers(Loop &loop, const LoopItem &item);
  void buildItems(Loop &loop, ArrayRef<LoopItem> items);
  void buildLoop(Loop &loop);
  void buildBody(Loop &loop, ArrayRef<LoopItem> items);
  void buildLanes(Loop &loop);
  void startCollecting(const ScheduledOp &scheduled);
  void finishCollecting(const ScheduledOp &scheduled);
  void buildBorders();

  TileBuilder tiles;
  ReductionBuilder reductions;
  ScanBuilder scans;
  CheckedKernel &checked;
  KernelOp kernel;
  OpBuilder &builder;
  loop::KernelOp result;
};
} // namespace

loop::KernelOp LoopBuilder::build() {
  auto none = ArrayAttr::get(tiles.context, {});
  result = loop::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymNameAttr(), none,
      loop::StageAttr::get(tiles.context, loop::Stage::Loops),
      builder.getI64IntegerAttr(fitsIn32Bits(kernel, tiles.extents) ? 32 : 64),
      loop::ConstraintsAttr::getEmpty(tiles.context, 0, 0), /*threads=*/DenseI64ArrayAttr(),
      /*grid=*/AffineMapAttr(), kernel.getFactsAttr(), /*cluster=*/IntegerAttr());
  builder.setInsertionPointToEnd(&result.getBody().emplaceBlock());
  tiles.arguments.addOperands(result, tiles.values);
  addScalars();
  buildWorkspaces();
  Loop &root = checked.nest->getRoot();
  buildItems(root, root.items);
  buildBorders();
  eraseUnusedScalars();
  tiles.arguments.finish();
  fillOperands(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The argument that has a size, or the arithmetic on arguments that computes it.
Value LoopBuilder::buildSize(AffineExpr size) {
  if (isa<AffineSymbolExpr>(size))
    return tiles.getValue(size);
  SmallVector<Value> symbols(tiles.extents.getSymbols().size());
  size.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols[symbol.getPosition()] = tiles.getValue(symbol);
  });
  return affine::expandAffineExpr(builder, kernel.getLoc(), size, /*dimValues=*/{}, symbols);
}

/// Arithmetic on scalars is copied.
void LoopBuilder::addScalars() {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<TensorViewOpInterface>(op))
      continue;
    if (llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      tiles.values.map(op.getResult(0), buildSize(tiles.indices.getExtent(
                                            tiles.extents.getScalar(op.getResult(0)))));
    else
      builder.clone(op, tiles.values);
  }
}

/// What only the sizes of tensors were computed from.
void LoopBuilder::eraseUnusedScalars() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(result.getBlock())))
    if (op.use_empty() && isPure(&op))
      op.erase();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool hasTile(const ScheduledOp &scheduled) {
  return scheduled.scan && scheduled.scan->hasTile();
}

/// True for a scan of one element, and for a reduction or a tile without loops of its own but
/// hardware ones: it begins and ends at its one element.
static bool isBare(Operation *op, const LoopNest &nest) {
  if (isa_and_present<ScanOpInterface>(op)) {
    const ScheduledOp &scheduled = *nest.lookup(op);
    return !scheduled.scan ||
           (hasTile(scheduled) && scheduled.scan->tilePosition == scheduled.loops.size());
  }
  return isa_and_present<CombinerOpInterface>(op) &&
         llvm::none_of(nest.lookup(op)->loops,
                       [&](const Loop *loop) { return llvm::is_contained(loop->reductions, op); });
}

void LoopBuilder::buildItems(Loop &loop, ArrayRef<LoopItem> items) {
  for (const LoopItem &item : items) {
    buildBuffers(loop, item);
    if (item.loop) {
      buildLoop(*item.loop);
      continue;
    }
    const ScheduledOp &scheduled = *checked.nest->lookup(item.op);
    const bool isWhole = loop.type != ParallelType::Vectorize && isBare(item.op, *checked.nest);
    if (isWhole)
      startCollecting(scheduled);
    if (isa<CombinerOpInterface>(item.op))
      reductions.buildAccumulation(scheduled);
    else if (hasTile(scheduled))
      scans.buildLift(scheduled);
    else if (isa<ScanOpInterface>(item.op))
      reductions.buildScanned(scheduled);
    else
      tiles.buildTile(scheduled);
    if (isWhole)
      finishCollecting(scheduled);
  }
}

/// Of an op that begins and ends at its one element.
void LoopBuilder::startCollecting(const ScheduledOp &scheduled) {
  if (hasTile(scheduled))
    scans.startTile(scheduled);
  else
    reductions.start(scheduled, scheduled.loops.size());
}

void LoopBuilder::finishCollecting(const ScheduledOp &scheduled) {
  if (hasTile(scheduled))
    scans.finishTile(scheduled);
  else if (isa<CombinerOpInterface>(scheduled.op))
    reductions.finish(scheduled, scheduled.loops.size());
}

void LoopBuilder::buildLoop(Loop &loop) {
  auto getPosition = [&](const ScheduledOp &scheduled) {
    return unsigned(llvm::find(scheduled.loops, &loop) - scheduled.loops.begin());
  };
  for (ArrayRef<Operation *> ops : {ArrayRef(loop.reductions), ArrayRef(loop.scans)})
    for (Operation *op : ops) {
      const ScheduledOp &scheduled = *checked.nest->lookup(op);
      if (hasTile(scheduled))
        scans.startRow(scheduled);
      else
        reductions.start(scheduled, getPosition(scheduled));
    }
  for (Operation *op : loop.tiles)
    scans.startTile(*checked.nest->lookup(op));
  if (loop.type == ParallelType::Vectorize)
    buildLanes(loop);
  else
    buildBody(loop, loop.items);
  for (Operation *op : loop.reductions)
    reductions.finish(*checked.nest->lookup(op), getPosition(*checked.nest->lookup(op)));
  for (Operation *op : loop.tiles)
    scans.finishTile(*checked.nest->lookup(op));
}

void LoopBuilder::buildBody(Loop &loop, ArrayRef<LoopItem> items) {
  OpBuilder::InsertionGuard guard(builder);
  tiles.openLoop(loop);
  buildItems(loop, items);
}

/// A reduction over threads that has a tuple for each lane begins and ends outside of the loop over
/// them.
void LoopBuilder::buildLanes(Loop &loop) {
  ArrayRef<LoopItem> items = loop.items;
  while (!items.empty()) {
    const ArrayRef<LoopItem> rest =
        items.drop_while([&](const LoopItem &item) { return !isBare(item.op, *checked.nest); });
    if (rest.size() < items.size())
      buildBody(loop, items.drop_back(rest.size()));
    items = rest;
    if (items.empty())
      return;
    const ScheduledOp &scheduled = *checked.nest->lookup(items.front().op);
    startCollecting(scheduled);
    buildBody(loop, items.take_front());
    finishCollecting(scheduled);
    items = items.drop_front();
  }
}

/// The buffers of this scope that ops of the item write.
void LoopBuilder::buildBuffers(Loop &loop, const LoopItem &item) {
  if (item.loop) {
    for (const LoopItem &inner : item.loop->items)
      buildBuffers(loop, inner);
    return;
  }
  const ScheduledOp &scheduled = *checked.nest->lookup(item.op);
  if (scheduled.memory == MemoryType::Global ||
      getBufferScope(scheduled, checked.nest->getRoot()) != &loop)
    return;
  SmallVector<unsigned> ids = getBufferIds(scheduled);
  SmallVector<int64_t> shape;
  for (unsigned id : ids)
    shape.push_back(*tiles.extents.getUpperBound(scheduled.getExtent(id)));
  for (Value value : scheduled.op->getResults()) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    auto buffer = loop::BufferOp::create(
        builder, scheduled.op->getLoc(),
        loop::BufferType::get(tiles.context, shape, element, scheduled.memory));
    if (std::optional<int64_t> stages = getStages(scheduled.op))
      buffer.setStages(*stages);
    buffer.setBulk(asksForBulkCopies(scheduled.op));
    buffer.setProducer(asksForProducer(scheduled.op));
    buffer.setRegistersAttr(getRoleRegisters(scheduled.op));
    tiles.values.map(value, buffer);
  }
  tiles.bufferIds[scheduled.op] = std::move(ids);
}

/// Values that ops share through global memory, and no output is.
void LoopBuilder::buildWorkspaces() {
  for (const auto &scheduled : checked.nest->getOps()) {
    if (scheduled->memory != MemoryType::Global)
      continue;
    SmallVector<unsigned> ids = getWorkspaceIds(*scheduled);
    SmallVector<AffineExpr> shape = llvm::map_to_vector(
        ids, [&](unsigned id) { return tiles.indices.getExtent(scheduled->getExtent(id)); });
    for (Value value : scheduled->op->getResults())
      if (!tiles.values.contains(value))
        tiles.values.map(
            value, createWorkspace(result, scheduled->op->getLoc(),
                                   cast<RankedTensorType>(value.getType()).getElementType(), shape,
                                   /*zeroed=*/false,
                                   [&](AffineExpr leaf) { return tiles.getValue(leaf); }));
    tiles.bufferIds[scheduled->op] = std::move(ids);
  }
}

void LoopBuilder::buildBorders() {
  for (Operation &op : kernel.getBody().front())
    if (auto border = dyn_cast<BorderOp>(op))
      BorderBuilder(tiles, border).build();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<loop::KernelOp> fuser::buildLoops(CheckedKernel &checked, OpBuilder &builder,
                                            const LoweringOptions &options) {
  if (failed(verifySchedule(checked, options)))
    return failure();
  loop::KernelOp loops = LoopBuilder(checked, builder).build();
  if (ArrayAttr reasons = describeFacts(checked.kernel))
    loops->setAttr(kKernelFactReasonsAttrName, reasons);
  return loops;
}

namespace {
struct BuildLoops : fuser::impl::FuserBuildLoopsBase<BuildLoops> {
  using FuserBuildLoopsBase::FuserBuildLoopsBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    options.maxClusterBlocks = maxClusterBlocks;
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
      OpBuilder builder(kernel);
      if (failed(checked) || failed(buildLoops(**checked, builder, options)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
