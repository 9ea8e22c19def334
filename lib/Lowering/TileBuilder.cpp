//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops and tiles of a fuser_loop.kernel: indices, reads, writes, the op of each element.
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "PrivatizedUpdate.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/Updates.h"

using namespace mlir;
using namespace fuser;

TileBuilder::TileBuilder(CheckedKernel &checked, OpBuilder &builder)
    : checked(checked), kernel(checked.kernel), extents(checked.extents),
      arguments(checked.kernel, checked.extents),
      indices(
          checked.extents, *checked.equalIds,
          [this](const Loop &loop) { return loopIndex.lookup(&loop); },
          [this](Value scalar) { return getScalarIndex(scalar); },
          [this](AffineExpr lhs, AffineExpr rhs) { return getXor(lhs, rhs); }),
      builder(builder), context(builder.getContext()) {}

AffineExpr TileBuilder::getScalarIndex(Value scalar) {
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    for (auto [number, symbol] : llvm::enumerate(extents.getSymbols()))
      if (symbol.dim < 0 && symbol.arg == argument.getArgNumber())
        return getAffineSymbolExpr(number, context);
  Value value = values.lookup(scalar);
  auto *it = llvm::find(dims, value);
  if (it == dims.end()) {
    dims.push_back(value);
    return getAffineDimExpr(dims.size() - 1, context);
  }
  return getAffineDimExpr(it - dims.begin(), context);
}

Value TileBuilder::getValue(AffineExpr leaf) {
  if (auto dim = dyn_cast<AffineDimExpr>(leaf))
    return dims[dim.getPosition()];
  return arguments.getSymbolValue(cast<AffineSymbolExpr>(leaf).getPosition());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void TileBuilder::openLoop(const Loop &loop, AffineExpr extent, ParallelType type,
                           std::optional<int64_t> bound) {
  auto forOp = createFor(builder, kernel.getLoc(), extent, type, bound,
                         [&](AffineExpr leaf) { return getValue(leaf); });
  const AffineExpr iteration = addDim(forOp.getInductionVar());
  const AffineExpr count = bound ? getAffineConstantExpr(*bound, context) : extent;
  loopIndex[&loop] = loop.isReversed.value_or(false) ? count - 1 - iteration : iteration;
  builder.setInsertionPointToEnd(&forOp.getBlock());
}

void TileBuilder::openLoop(const Loop &loop) {
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

void TileBuilder::openResultLoop(const Loop &loop) {
  if (isHardwareType(loop.type) || loop.type == ParallelType::Vectorize ||
      loop.type == ParallelType::Mma)
    return openLoop(loop);
  const AffineExpr extent = indices.getExtent(loop.extent);
  openLoop(loop, extent, ParallelType::Unroll,
           isa<AffineConstantExpr>(extent) ? std::nullopt : loop.getStaticBound());
}

void TileBuilder::openLanes(const Loop &lanes) {
  openLoop(lanes, getAffineConstantExpr(*lanes.constant, context), ParallelType::Vectorize,
           std::nullopt);
}

SmallVector<ParallelType> TileBuilder::getTypesAround() const {
  SmallVector<ParallelType> types;
  for (Operation *op = builder.getBlock()->getParentOp(); op; op = op->getParentOp())
    if (auto loop = dyn_cast<loop::ForOp>(op))
      if (isHardwareType(loop.getType()) && !llvm::is_contained(types, loop.getType()))
        types.push_back(loop.getType());
  llvm::sort(types);
  return types;
}

SmallVector<ParallelType> TileBuilder::getReplicatedTypes(const ScheduledOp &scheduled,
                                                          bool ofResult) {
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    if (isHardwareType(type) &&
        (scheduled.replicated.test(id) ||
         (ofResult && scheduled.domain.getKinds()[id] == IdKind::Reduction)))
      types.push_back(type);
  return types;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The ids that index the value of a result.
SmallVector<unsigned> TileBuilder::getValueIds(const ScheduledOp &scheduled,
                                               unsigned result) const {
  // An output has those of its tensor.
  if (isa<BlockArgument>(values.lookup(scheduled.op->getResult(result))))
    return scheduled.getDomain(result).getResultIds();
  return bufferIds.find(scheduled.op)->second;
}

/// The types whose index at the consumer has written what it reads in global memory, or in a
/// circular buffer. A consumer that all indices execute redundantly reads what index 0 has written.
SmallVector<ParallelType> TileBuilder::getFollowedTypes(const ScheduledOp &producer,
                                                        const ScheduledOp &consumer,
                                                        unsigned operand) const {
  ArrayRef<unsigned> map = checked.equalIds->mapProducer(producer, consumer, operand);
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(producer.domain.getLoop(), producer.domain.getParallel()))
    if (isHardwareType(type) && producer.domain.getKinds()[id] != IdKind::Reduction &&
        !producer.replicated.test(id) && !producer.resultOnce.derived.test(id) &&
        map[id] != kNoId && !consumer.replicated.test(map[id]) &&
        checked.equalIds->runsOn(consumer, map[id], type))
      types.push_back(type);
  llvm::sort(types);
  return types;
}

AccessExprs TileBuilder::getRead(const ScheduledOp &scheduled, OpOperand &operand,
                                 ArrayRef<AffineExpr> ids, ArrayRef<AffineExpr> own) const {
  auto element = dyn_cast<ElementwiseOpInterface>(scheduled.op);
  const unsigned number = operand.getOperandNumber();
  AccessExprs access;
  const bool mayBeOutside = element ? element.mayReadOutside(number)
                                    : isa<WholeReadOpInterface>(scheduled.op) || isUpdated(operand);
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
  if (producer->memory == MemoryType::Global || getStages(producer->op))
    llvm::append_range(access.follows, getFollowedTypes(*producer, scheduled, number));
  return access;
}

AccessExprs TileBuilder::getWrite(const ScheduledOp &scheduled, unsigned result,
                                  IdIndices ids) const {
  indices.applyForward(scheduled, ids);
  AccessExprs access;
  for (unsigned id : getValueIds(scheduled, result))
    access.results.push_back(ids[id]);
  indices.moveIntoWindow(scheduled.op, access.results);
  return access;
}

void TileBuilder::addReads(const ScheduledOp &scheduled, ArrayRef<AffineExpr> ids, TileExprs &exprs,
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

SmallVector<Value> TileBuilder::addWrites(const ScheduledOp &scheduled, const IdIndices &ids,
                                          TileExprs &exprs) const {
  SmallVector<Value> outputs;
  for (auto [number, value] : llvm::enumerate(scheduled.op->getResults())) {
    exprs.writes.push_back(getWrite(scheduled, number, ids));
    outputs.push_back(values.lookup(value));
  }
  return outputs;
}

void TileBuilder::addRoots(const ScheduledOp &scheduled, ArrayRef<AffineExpr> ids,
                           TileExprs &exprs) const {
  for (unsigned root = 0, e = scheduled.domain.getRootOrLogical().size(); root < e; ++root)
    exprs.roots.push_back(indices.getRoot(scheduled, root, ids));
}

/// An element is moved to where the updated operand would be read.
void TileBuilder::buildUpdate(const ScheduledOp &scheduled, UpdateOpInterface update) {
  Operation *op = scheduled.op;
  OpOperand &stored = op->getOpOperand(update.getStoredOperand()),
            &updated = op->getOpOperand(update.getUpdatedOperand());
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<AffineExpr> wholes;
  exprs.reads.push_back(getRead(scheduled, stored, ids, {}));
  exprs.writes.push_back(
      getRead(scheduled, updated, ids, buildIndices(scheduled, updated, ids, wholes)));
  exprs.guard = indices.getExistence(scheduled, ids);
  Value buffer = values.lookup(op->getResult(0));
  if (SmallVectorImpl<AffineExpr> &at = exprs.writes.front().results; isPrivatized(op))
    buffer = PrivatizedUpdate(*this, scheduled, update, at).build(at);
  auto tile =
      createMove(builder, op->getLoc(), values.lookup(stored.get()), buffer, exprs,
                 getReplicatedTypes(scheduled), [&](AffineExpr leaf) { return getValue(leaf); });
  tile.setCombinationAttr(update.getCombination());
  eraseUnusedIndices();
}

void TileBuilder::buildTile(const ScheduledOp &scheduled) {
  Operation *op = scheduled.op;
  if (auto update = dyn_cast<UpdateOpInterface>(op))
    return buildUpdate(scheduled, update);
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  addReads(scheduled, ids, exprs, inputs);
  const SmallVector<Value> outputs = addWrites(scheduled, ids, exprs);
  if (auto element = dyn_cast<ElementwiseOpInterface>(op); element && element.dependsOnIndex())
    addRoots(scheduled, ids, exprs);
  exprs.guard = indices.getExistence(scheduled, ids);
  const bool isStore = asksForBulkCopies(op) && !getStages(op);
  if (isStore)
    for (unsigned id : getValueIds(scheduled, /*result=*/0))
      exprs.roots.push_back(indices.getExtent(scheduled.getExtent(id)));
  auto tile =
      createTile(builder, op->getLoc(), inputs, outputs, exprs, getReplicatedTypes(scheduled),
                 [&](AffineExpr leaf) { return getValue(leaf); });
  if (isStore)
    tile.setStep(loop::TileStep::Store);
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
Operation *TileBuilder::buildElement(Region &region, Operation *op) {
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

loop::TileOp TileBuilder::buildStep(const ScheduledOp &scheduled, loop::TileStep step,
                                    ValueRange inputs, ValueRange outputs, const TileExprs &exprs,
                                    ArrayRef<ParallelType> replicated) {
  auto tile = createTile(builder, scheduled.op->getLoc(), inputs, outputs, exprs, replicated,
                         [&](AffineExpr leaf) { return getValue(leaf); });
  eraseUnusedIndices();
  tile.setStep(step);
  buildElement(tile.getBody(), scheduled.op);
  return tile;
}

SmallVector<Value> TileBuilder::addTuples(const ScheduledOp &scheduled, ArrayRef<int64_t> shape) {
  SmallVector<Value> buffers;
  auto scan = dyn_cast<ScanOpInterface>(scheduled.op);
  for (Type component : scan ? scan.getCarriedTypes()
                             : cast<CombinerOpInterface>(scheduled.op).getAccumulatorTypes())
    buffers.push_back(loop::BufferOp::create(
        builder, scheduled.op->getLoc(),
        loop::BufferType::get(context, shape, component, MemoryType::Register)));
  return buffers;
}
