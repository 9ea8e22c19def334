//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-build-loops: loops, buffers and accesses of a scheduled kernel.
//
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "KernelOperands.h"
#include "LoopBuilder.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Lowering/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERBUILDLOOPS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

LoopBuilder::LoopBuilder(CheckedKernel &checked, OpBuilder &builder)
    : checked(checked), kernel(checked.kernel), extents(checked.extents),
      indices(
          checked.extents, *checked.equalIds,
          [this](const Loop &loop) { return loopIndex.lookup(&loop); },
          [this](Value scalar) { return getScalarIndex(scalar); },
          [this](AffineExpr lhs, AffineExpr rhs) { return getXor(lhs, rhs); }),
      builder(builder), context(builder.getContext()) {}

loop::KernelOp LoopBuilder::build() {
  auto none = ArrayAttr::get(context, {});
  result = loop::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymNameAttr(), none,
      loop::StageAttr::get(context, loop::Stage::Loops),
      builder.getI64IntegerAttr(fitsIn32Bits(kernel, extents) ? 32 : 64),
      loop::ConstraintsAttr::getEmpty(context, 0, 0), /*threads=*/DenseI64ArrayAttr(),
      /*grid=*/AffineMapAttr(), kernel.getFactsAttr(), /*cluster=*/IntegerAttr());
  builder.setInsertionPointToEnd(&result.getBody().emplaceBlock());
  addOperands();
  addScalars();
  buildWorkspaces();
  Loop &root = checked.nest->getRoot();
  buildItems(root, root.items);
  buildBorders();
  eraseUnusedScalars();
  finishArguments();
  return result;
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
      buildAccumulation(scheduled);
    else if (hasTile(scheduled))
      buildLift(scheduled);
    else if (isa<ScanOpInterface>(item.op))
      buildScanned(scheduled);
    else
      buildTile(scheduled);
    if (isWhole)
      finishCollecting(scheduled);
  }
}

/// Of an op that begins and ends at its one element.
void LoopBuilder::startCollecting(const ScheduledOp &scheduled) {
  if (hasTile(scheduled))
    startTile(scheduled);
  else
    startReduction(scheduled, scheduled.loops.size());
}

void LoopBuilder::finishCollecting(const ScheduledOp &scheduled) {
  if (hasTile(scheduled))
    finishTile(scheduled);
  else if (isa<CombinerOpInterface>(scheduled.op))
    finishReduction(scheduled, scheduled.loops.size());
}

void LoopBuilder::buildLoop(Loop &loop) {
  auto getPosition = [&](const ScheduledOp &scheduled) {
    return unsigned(llvm::find(scheduled.loops, &loop) - scheduled.loops.begin());
  };
  for (ArrayRef<Operation *> ops : {ArrayRef(loop.reductions), ArrayRef(loop.scans)})
    for (Operation *op : ops) {
      const ScheduledOp &scheduled = *checked.nest->lookup(op);
      if (hasTile(scheduled))
        startRow(scheduled);
      else
        startReduction(scheduled, getPosition(scheduled));
    }
  for (Operation *op : loop.tiles)
    startTile(*checked.nest->lookup(op));
  if (loop.type == ParallelType::Vectorize)
    buildLanes(loop);
  else
    buildBody(loop, loop.items);
  for (Operation *op : loop.reductions)
    finishReduction(*checked.nest->lookup(op), getPosition(*checked.nest->lookup(op)));
  for (Operation *op : loop.tiles)
    finishTile(*checked.nest->lookup(op));
}

void LoopBuilder::buildBody(Loop &loop, ArrayRef<LoopItem> items) {
  OpBuilder::InsertionGuard guard(builder);
  openLoop(loop);
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

void LoopBuilder::openLoop(const Loop &loop, AffineExpr extent, ParallelType type,
                           std::optional<int64_t> bound) {
  auto forOp = createFor(builder, kernel.getLoc(), extent, type, bound,
                         [&](AffineExpr leaf) { return getValue(leaf); });
  loopIndex[&loop] = addDim(forOp.getInductionVar());
  builder.setInsertionPointToEnd(&forOp.getBlock());
}

void LoopBuilder::openLoop(const Loop &loop) {
  // The grid has the extent as it is written, other loops what facts make of it.
  AffineExpr extent =
      isBlockType(loop.type) ? extents.canonicalize(loop.extent) : indices.getExtent(loop.extent);
  std::optional<int64_t> bound;
  const bool isUnswitched = loop.type == ParallelType::Unswitch;
  const ParallelType type = !isUnswitched       ? loop.type
                            : loop.isUnrolled() ? ParallelType::Unroll
                                                : ParallelType::Serial;
  if (type == ParallelType::Unroll || isThreadType(type))
    if (!isa<AffineConstantExpr>(extent))
      bound = loop.getStaticBound();
  openLoop(loop, extent, type, bound);
  cast<loop::ForOp>(builder.getBlock()->getParentOp()).setUnswitch(isUnswitched);
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
    shape.push_back(*extents.getUpperBound(scheduled.getExtent(id)));
  for (Value value : scheduled.op->getResults()) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    values.map(value, loop::BufferOp::create(
                          builder, scheduled.op->getLoc(),
                          loop::BufferType::get(context, shape, element, scheduled.memory)));
  }
  bufferIds[scheduled.op] = std::move(ids);
}

/// Values that ops share through global memory, and no output is.
void LoopBuilder::buildWorkspaces() {
  for (const auto &scheduled : checked.nest->getOps()) {
    if (scheduled->memory != MemoryType::Global)
      continue;
    SmallVector<unsigned> ids = getWorkspaceIds(*scheduled);
    SmallVector<AffineExpr> shape = llvm::map_to_vector(
        ids, [&](unsigned id) { return indices.getExtent(scheduled->getExtent(id)); });
    for (Value value : scheduled->op->getResults())
      if (!values.contains(value))
        values.map(value, createWorkspace(
                              result, scheduled->op->getLoc(),
                              cast<RankedTensorType>(value.getType()).getElementType(), shape,
                              /*zeroed=*/false, [&](AffineExpr leaf) { return getValue(leaf); }));
    bufferIds[scheduled->op] = std::move(ids);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The ids that index the value of a result.
SmallVector<unsigned> LoopBuilder::getValueIds(const ScheduledOp &scheduled,
                                               unsigned result) const {
  // An output has those of its tensor.
  if (isa<BlockArgument>(values.lookup(scheduled.op->getResult(result))))
    return scheduled.getDomain(result).getResultIds();
  return bufferIds.find(scheduled.op)->second;
}

/// The types whose index at the consumer has written what it reads in global memory.
SmallVector<ParallelType> LoopBuilder::getFollowedTypes(const ScheduledOp &producer,
                                                        const ScheduledOp &consumer,
                                                        unsigned operand) const {
  ArrayRef<unsigned> map = checked.equalIds->mapProducer(producer, consumer, operand);
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(producer.domain.getLoop(), producer.domain.getParallel()))
    if ((isThreadType(type) || isBlockType(type)) &&
        producer.domain.getKinds()[id] != IdKind::Reduction && !producer.replicated.test(id) &&
        !producer.resultOnce.derived.test(id) && checked.equalIds->runsOn(consumer, map[id], type))
      types.push_back(type);
  llvm::sort(types);
  return types;
}

AccessExprs LoopBuilder::getRead(const ScheduledOp &scheduled, OpOperand &operand,
                                 ArrayRef<AffineExpr> ids, ArrayRef<AffineExpr> own) const {
  auto element = dyn_cast<ElementwiseOpInterface>(scheduled.op);
  const unsigned number = operand.getOperandNumber();
  AccessExprs access;
  const bool mayBeOutside =
      element ? element.mayReadOutside(number) : isa<WholeReadOpInterface>(scheduled.op);
  SmallVector<AffineExpr> at =
      indices.indexOperand(scheduled, number, ids, mayBeOutside ? &access.guard : nullptr, own);
  const ScheduledOp *producer = checked.nest->lookup(operand.get().getDefiningOp());
  if (!producer) {
    access.results.assign(at.begin(), at.end());
    return access;
  }
  IdIndices producerIds = indices.getProducerIds(*producer, scheduled, number, ids, at);
  const unsigned result = cast<OpResult>(operand.get()).getResultNumber();
  for (unsigned id : getValueIds(*producer, result))
    access.results.push_back(producerIds[id]);
  if (producer->memory == MemoryType::Global)
    llvm::append_range(access.follows, getFollowedTypes(*producer, scheduled, number));
  return access;
}

AccessExprs LoopBuilder::getWrite(const ScheduledOp &scheduled, unsigned result,
                                  IdIndices ids) const {
  indices.applyForward(scheduled, ids);
  AccessExprs access;
  for (unsigned id : getValueIds(scheduled, result))
    access.results.push_back(ids[id]);
  return access;
}

void LoopBuilder::addReads(const ScheduledOp &scheduled, ArrayRef<AffineExpr> ids, TileExprs &exprs,
                           SmallVectorImpl<Value> &inputs) {
  SmallVector<AffineExpr> wholes;
  for (OpOperand &operand : scheduled.op->getOpOperands()) {
    inputs.push_back(values.lookup(operand.get()));
    exprs.reads.emplace_back();
    if (isa<RankedTensorType>(operand.get().getType()))
      exprs.reads.back() =
          getRead(scheduled, operand, ids, buildIndices(scheduled, operand, ids, wholes));
  }
  if (isa<WholeReadOpInterface>(scheduled.op))
    addRoots(scheduled, ids, exprs);
  llvm::append_range(exprs.roots, wholes);
}

void LoopBuilder::addRoots(const ScheduledOp &scheduled, ArrayRef<AffineExpr> ids,
                           TileExprs &exprs) const {
  for (unsigned root = 0, e = scheduled.domain.getRootOrLogical().size(); root < e; ++root)
    exprs.roots.push_back(indices.getRoot(scheduled, root, ids));
}

void LoopBuilder::buildTile(const ScheduledOp &scheduled) {
  Operation *op = scheduled.op;
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  addReads(scheduled, ids, exprs, inputs);
  SmallVector<Value> outputs;
  for (OpResult result : op->getResults()) {
    exprs.writes.push_back(getWrite(scheduled, result.getResultNumber(), ids));
    outputs.push_back(values.lookup(result));
  }
  if (auto element = dyn_cast<ElementwiseOpInterface>(op); element && element.dependsOnIndex())
    addRoots(scheduled, ids, exprs);
  exprs.guard = indices.getExistence(scheduled, ids);
  auto tile =
      createTile(builder, op->getLoc(), inputs, outputs, exprs, getReplicatedTypes(scheduled),
                 [&](AffineExpr leaf) { return getValue(leaf); });
  eraseUnusedIndices();
  Operation *element = buildElement(tile.getBody(), op);
  // An op that folds to its operand moves an element.
  Block &block = tile.getBody().front();
  SmallVector<OpFoldResult> folded;
  if (block.getNumArguments() == 1 && succeeded(element->fold(folded)) && folded.size() == 1 &&
      llvm::dyn_cast_if_present<Value>(folded[0]) == block.getArgument(0)) {
    element->replaceAllUsesWith(block.getArguments());
    element->erase();
  }
}

/// Without its schedule and hints.
Operation *LoopBuilder::buildElement(Region &region, Operation *op) {
  OpBuilder::InsertionGuard guard(builder);
  Block &block = region.emplaceBlock();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(block.addArgument(operand.getType(), op->getLoc()));
  builder.setInsertionPointToEnd(&block);
  Operation *element = builder.clone(*op);
  element->setOperands(operands);
  for (StringRef name : {"domains", "memory", "inline_at"})
    element->removeAttr(name);
  element->setDiscardableAttrs(DictionaryAttr::get(context));
  // Partial results have dimensions of the schedule (rfactor).
  if (auto dims = element->getAttrOfType<DenseI64ArrayAttr>("dims");
      dims && isa<CombinerOpInterface>(element))
    for (OpResult result : element->getResults())
      result.setType(detail::inferReductionType(element->getOperand(0), dims,
                                                getElementTypeOrSelf(result.getType())));
  loop::YieldOp::create(builder, op->getLoc(), element->getResults());
  return element;
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
