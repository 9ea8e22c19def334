//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The walk over the loop tree: loops, and predicates around ops.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "ReductionState.h"
#include "TileScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

KernelEmitter::KernelEmitter(KernelOp kernel, const ExtentAnalysis &extents, LoopNest &nest,
                             EqualIds &equalIds, const LoweringOptions &options,
                             gpu::GPUFuncOp function)
    : kernel(kernel), extents(extents), nest(nest), equalIds(equalIds), function(function),
      options(options), builder(kernel.getContext()), loc(kernel.getLoc()),
      entry(function ? &function.getBody().front() : nullptr),
      placeholder(function ? Value() : nowhere.addArgument(builder.getIndexType(), loc)),
      index(function ? IndexBuilder(builder, entry, loc) : IndexBuilder(builder, placeholder, loc)),
      timeline(nest.getRoot()), hazards([this](const MemoryUse &earlier, const MemoryUse &later) {
        return getConflict(earlier, later);
      }) {
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [output, value] : llvm::enumerate(returnOp.getValues()))
    outputsOf[value].push_back(output);
}

LogicalResult KernelEmitter::emit() {
  if (emits()) {
    builder.setInsertionPointToEnd(entry);
    addKernelArguments();
  }
  if (failed(planLaunch()) || failed(placeSharedBuffers()))
    return failure();
  orderBlocks();
  gridResults.emplace(nest, [&](ParallelType type) { return isSplit(type); });
  if (failed(emitScalars()) || failed(emitItems(nest.getRoot())) || failed(checkSharedMemory()))
    return failure();
  if (!emits())
    return success();
  closePredicate();
  emitBorders();
  gpu::ReturnOp::create(builder, loc);
  finishLaunch();
  return success();
}

/// Scalar arithmetic of the kernel comes first; it depends on scalar arguments only.
LogicalResult KernelEmitter::emitScalars() {
  for (Operation &op : kernel.getBody().front()) {
    if (isa<TensorViewOpInterface, ReturnOp>(op))
      continue;
    AffineExpr size;
    if (llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>)) {
      size = op.getNumResults() == 1 ? extents.getScalar(op.getResult(0)) : AffineExpr();
      if (!size)
        return op.emitOpError("expected only fuser ops on tensors in a kernel");
    }
    if (!emits())
      continue;
    if (size)
      scalars.map(op.getResult(0), evaluate(size));
    else
      builder.clone(op, scalars);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitItems(Loop &loop) {
  for (const LoopItem &item : loop.items) {
    if (emits()) {
      std::optional<LocationScope> scope;
      if (item.op)
        scope.emplace(*this, item.op);
      synchronizeBefore(item);
    }
    if (failed(item.loop ? emitLoop(*item.loop) : emitOp(*nest.lookup(item.op))))
      return failure();
  }
  return success();
}

LogicalResult KernelEmitter::emitLoop(Loop &loop) {
  auto position = [&](ScheduledOp &scheduled) {
    return unsigned(llvm::find(scheduled.loops, &loop) - scheduled.loops.begin());
  };
  for (Operation *op : loop.reductions) {
    LocationScope scope(*this, op);
    closePredicate();
    ScheduledOp &scheduled = *nest.lookup(op);
    if (failed(startReduction(scheduled, position(scheduled))))
      return failure();
  }
  for (Operation *op : loop.scans) {
    LocationScope scope(*this, op);
    closePredicate();
    ScheduledOp &scheduled = *nest.lookup(op);
    if (failed(startScan(scheduled)))
      return failure();
  }
  for (Operation *op : loop.tiles) {
    closePredicate();
    if (failed(startTile(*nest.lookup(op))))
      return failure();
  }
  LogicalResult result = success();
  switch (loop.type) {
  case ParallelType::Unroll:
    result = emitUnrolledLoop(loop);
    break;
  case ParallelType::Unswitch:
    result = emitUnswitch(loop);
    break;
  case ParallelType::Vectorize:
    // Ops inside take the whole vector at once.
    loopIndex[&loop] = index.constant(0);
    result = emitItems(loop);
    break;
  case ParallelType::Serial:
    result = loop.constant == 1 ? emitUnrolledLoop(loop) : emitSerialLoop(loop);
    break;
  default:
    loopIndex[&loop] = getHardwareIndex(loop.type);
    result = emitItems(loop);
    break;
  }
  if (failed(result))
    return failure();
  for (Operation *op : loop.reductions) {
    LocationScope scope(*this, op);
    closePredicate();
    ScheduledOp &scheduled = *nest.lookup(op);
    if (failed(finishReduction(scheduled, position(scheduled))))
      return failure();
  }
  for (Operation *op : loop.tiles) {
    closePredicate();
    if (failed(tileScans[op]->finish()))
      return failure();
  }
  return success();
}

LogicalResult KernelEmitter::emitUnrolledLoop(Loop &loop) {
  // What can fail does not depend on the iteration.
  const int64_t bound = *loop.getStaticBound();
  for (int64_t i = 0, e = emits() ? bound : std::min<int64_t>(bound, 1); i < e; ++i) {
    loopIndex[&loop] = index.constant(i);
    if (failed(emitItems(loop)))
      return failure();
  }
  return success();
}

LogicalResult KernelEmitter::emitSerialLoop(Loop &loop) {
  if (!emits()) {
    loopIndex[&loop] = placeholder;
    return emitItems(loop);
  }
  closePredicate();
  auto forOp =
      scf::ForOp::create(builder, loc, index.constant(0), evaluate(loop.extent), index.constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(forOp.getBody()->getTerminator());
  IndexBuilder::Scope scope(index);
  loopIndex[&loop] = forOp.getInductionVar();
  hazards.enterLoop();
  if (failed(emitItems(loop)))
    return failure();
  closePredicate();
  synchronize(hazards.getLevelBeforeNextIteration());
  hazards.leaveLoop(/*runsAtLeastOnce=*/extents.getLowerBound(loop.extent) > 0);
  return success();
}

/// True where an op below has no elements at its first indices: that its last one exists proves
/// nothing then.
bool KernelEmitter::hasHolesInFront(const Loop &loop) const {
  return llvm::any_of(loop.items, [&](const LoopItem &item) {
    return item.loop ? hasHolesInFront(*item.loop)
                     : llvm::any_of(nest.lookup(item.op)->loopPath, [](const DomainTransform &t) {
                         return t.kind == TransformKind::Resize && t.value > 0;
                       });
  });
}

/// One copy of the body without predicates, where everything is in range, and one with them. A body
/// with barriers cannot be chosen by each thread: it keeps its predicates.
LogicalResult KernelEmitter::emitUnswitch(Loop &loop) {
  auto emitBody = [&]() -> LogicalResult {
    return loop.isUnrolled() ? emitUnrolledLoop(loop) : emitSerialLoop(loop);
  };
  closePredicate();
  Value predicate = !emits() || predicatesOff || needsBarriers(loop) || hasHolesInFront(loop)
                        ? Value()
                        : getUnswitchPredicate(loop);
  if (!predicate)
    return emitBody();
  auto ifOp = scf::IfOp::create(builder, loc, predicate, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (bool fast : {true, false}) {
    builder.setInsertionPoint((fast ? ifOp.thenBlock() : ifOp.elseBlock())->getTerminator());
    IndexBuilder::Scope scope(index);
    predicatesOff = fast;
    LogicalResult result = emitBody();
    closePredicate();
    predicatesOff = false;
    if (failed(result))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A vector that touches memory or is reduced must consist of elements that exist: predicates
/// choose whole vectors.
LogicalResult KernelEmitter::checkVector(const ScheduledOp &scheduled) {
  int64_t width = getWidth(scheduled);
  if (width == 1 || !touchesMemory(scheduled))
    return success();
  // Reads and stores of other vectors are guarded part by part.
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  auto readsAtOwnIndex = [&](OpOperand &operand) {
    return llvm::all_of(mapping.getDimMaps(operand.getOperandNumber()), [](const DimMap &map) {
      return map.kind != DimMap::Kind::Indirect && map.kind != DimMap::Kind::Whole;
    });
  };
  if (isRagged(scheduled) &&
      (!isa<ElementwiseOpInterface>(scheduled.op) || scheduled.memory == MemoryType::Shared ||
       !llvm::all_of(scheduled.op->getOpOperands(), readsAtOwnIndex)))
    return scheduled.op->emitOpError("expected a vector access of ")
           << width
           << " elements that are all in bounds or all out of bounds, but the offset by which its "
              "id is resized is not known to be a multiple of that";
  IdValues ids = deriveIds(scheduled);
  // Where no dimension runs along the vector, its lanes hold one element, which exists where the
  // first one does.
  const bool isUniform =
      scheduled.memory == MemoryType::Register && !scheduled.collects() &&
      llvm::all_of(scheduled.domain.getRootOrLogical(), [&](unsigned root) {
        return scheduled.isBroadcast(root) || ids.forms[root] == VectorForm::Independent;
      });
  for (unsigned id : getBounds(scheduled, ids)) {
    if (ids.forms[id] == VectorForm::Independent || (isUniform && scheduled.isBroadcast(id)))
      continue;
    if (ids.forms[id] != VectorForm::Trailing)
      return scheduled.op->emitOpError("expected a vector access of ")
             << width << " elements that exist all or not at all, but it does not run along id "
             << id << ", whose extent is checked";
    int64_t divisor = extents.getKnownDivisor(getExtent(scheduled, id));
    if (divisor % width != 0)
      return scheduled.op->emitOpError("expected a vector access of ")
             << width
             << " elements to hold elements that exist, but the extent it is split from is known "
             << "to be divisible by " << divisor << " only (a fact 'divisible' would say so)";
  }
  // Of lanes that differ in such an id, the first alone is stored (writeResult).
  const bool isStore = scheduled.memory == MemoryType::Global && !scheduled.collects();
  for (unsigned id : scheduled.once.checked)
    if (ids.forms[id] != VectorForm::Independent &&
        !(isStore && ids.forms[id] == VectorForm::Trailing))
      return scheduled.op->emitOpError("expected a vector access of ")
             << width << " elements to be done once, but id " << id
             << ", which has one index, has those of a consumer";
  return success();
}

LogicalResult KernelEmitter::emitOp(ScheduledOp &scheduled) {
  LocationScope scope(*this, scheduled.op);
  if (failed(checkVector(scheduled)))
    return failure();
  const bool collects = scheduled.collects();
  // Without an open `if`, an op on registers has no use for a predicate.
  Value predicate;
  if (emits() && (openPredicate || touchesMemory(scheduled)))
    predicate = getPredicate(scheduled);
  // What collects without loops of its own is started and finished around its one element.
  const bool bare = collects && llvm::none_of(scheduled.loops, [&](const Loop *loop) {
                      return llvm::is_contained(loop->reductions, scheduled.op) ||
                             llvm::is_contained(loop->tiles, scheduled.op);
                    });
  if (bare) {
    closePredicate();
    if (failed(startCollecting(scheduled)))
      return failure();
  }
  // An op on registers needs no predicate, but may stay where its own already holds.
  if (predicate && (touchesMemory(scheduled) || predicate == openPredicate))
    enterPredicate(predicate);
  else
    closePredicate();
  if (failed(collects ? collectElement(scheduled) : emitElement(scheduled)))
    return failure();
  if (emits()) {
    SmallVector<MemoryUse> uses;
    collectReads(scheduled, uses);
    if (!collects)
      collectWrites(scheduled, uses);
    note(uses);
  }
  if (bare) {
    closePredicate();
    return finishCollecting(scheduled);
  }
  return success();
}

LogicalResult KernelEmitter::startCollecting(ScheduledOp &scheduled) {
  return scheduled.scan ? startTile(scheduled) : startReduction(scheduled, scheduled.loops.size());
}

LogicalResult KernelEmitter::collectElement(ScheduledOp &scheduled) {
  return scheduled.scan ? tileScans[scheduled.op]->collect() : accumulate(scheduled);
}

LogicalResult KernelEmitter::finishCollecting(ScheduledOp &scheduled) {
  return scheduled.scan ? tileScans[scheduled.op]->finish()
                        : finishReduction(scheduled, scheduled.loops.size());
}

//===----------------------------------------------------------------------===//
// Predicates around ops
//===----------------------------------------------------------------------===//

void KernelEmitter::closePredicate() {
  if (!openPredicate)
    return;
  builder.setInsertionPointAfter(openIf);
  openPredicate = {};
  openIf = {};
  openScope.reset();
}

/// The predicate of an op, computed outside of the open `if`, so that the next one can use it as
/// well.
Value KernelEmitter::getPredicate(const ScheduledOp &scheduled) {
  OpBuilder::InsertionGuard guard(builder);
  std::unique_ptr<IndexBuilder::Outside> outside;
  if (openPredicate) {
    builder.setInsertionPoint(openIf);
    outside = std::make_unique<IndexBuilder::Outside>(index);
  }
  Value predicate;
  if (!predicatesOff)
    predicate = getBoundsPredicate(scheduled, deriveIds(scheduled));
  if (!scheduled.collects() && scheduled.memory != MemoryType::Register)
    predicate = index.both(predicate, getStorePredicate(scheduled));
  return predicate;
}

/// Ops in a row that have one predicate share one `if`.
void KernelEmitter::enterPredicate(Value predicate) {
  if (openPredicate == predicate)
    return;
  closePredicate();
  openIf = scf::IfOp::create(builder, loc, predicate, /*withElseRegion=*/false);
  builder.setInsertionPoint(openIf.thenBlock()->getTerminator());
  openScope = std::make_unique<IndexBuilder::Scope>(index);
  openPredicate = predicate;
}
