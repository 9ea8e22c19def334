//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

SmallVector<DomainTransform> fuser::getPath(DomainAttr domain, ArrayRef<unsigned> to) {
  llvm::SmallBitVector live(domain.getNumIds());
  for (unsigned id : to)
    live.set(id);
  SmallVector<DomainTransform> path;
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms())) {
    if (llvm::none_of(transform.getOutputs(), [&](unsigned id) { return live.test(id); }))
      continue;
    path.push_back(transform);
    for (unsigned id : transform.getInputs())
      live.set(id);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

llvm::SmallBitVector ScheduledOp::getDerived(unsigned id) const {
  llvm::SmallBitVector made(domain.getNumIds());
  made.set(id);
  for (const DomainTransform &transform : loopPath)
    if (llvm::any_of(transform.getInputs(), [&](unsigned input) { return made.test(input); }))
      for (unsigned output : transform.getOutputs())
        made.set(output);
  return made;
}

std::string fuser::describe(AffineExpr extent) {
  std::string text;
  llvm::raw_string_ostream(text) << extent;
  return text;
}

FailureOr<std::unique_ptr<LoopNest>> LoopNest::create(KernelOp kernel,
                                                      const ExtentAnalysis &extents) {
  std::unique_ptr<LoopNest> nest(new LoopNest(kernel, extents));
  if (failed(nest->collectOps()) || failed(nest->shareLoops()))
    return failure();
  nest->resolveExtents();
  nest->findStretched();
  if (failed(nest->checkStretched()) || failed(nest->checkSplitBroadcasts()) ||
      failed(nest->checkSwizzles()) || failed(nest->buildTree()) || failed(nest->checkCopies()))
    return failure();
  return nest;
}

/// True where both have the same ids, transforms and loops; what is a dimension of one may be
/// reduced in the other.
static bool haveSameLoops(DomainAttr a, DomainAttr b) {
  return a.getRoot() == b.getRoot() && a.getLogical() == b.getLogical() &&
         a.getTransforms() == b.getTransforms() && a.getLoop() == b.getLoop() &&
         a.getParallel() == b.getParallel();
}

/// What is reduced and what is not cannot be one loop, nor can the index of one follow the other's.
static LogicalResult checkKinds(Operation &op, DomainAttr domain) {
  for (const DomainTransform &transform : domain.getTransforms()) {
    if (transform.getInputs().size() < 2)
      continue;
    IdKind first = domain.getKinds()[transform.inputs[0]];
    IdKind second = domain.getKinds()[transform.inputs[1]];
    // A merged broadcast is index 0 of what is reduced; a swizzled one follows it.
    const bool isConstant = transform.kind != TransformKind::Swizzle &&
                            (first == IdKind::Broadcast || second == IdKind::Broadcast);
    if (isConstant || (first == IdKind::Reduction) == (second == IdKind::Reduction))
      continue;
    return op.emitOpError("expected ids ")
           << transform.inputs[0] << " and " << transform.inputs[1]
           << ", which are merged or swizzled, to be both reductions or both not";
  }
  return success();
}

LogicalResult LoopNest::collectOps() {
  unsigned nextId = 0;
  for (Operation &op : kernel.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    auto scheduled = std::make_unique<ScheduledOp>();
    scheduled->op = &op;
    scheduled->domain = view.getDomain();
    for (unsigned result = 1; result < op.getNumResults(); ++result)
      if (!haveSameLoops(view.getDomain(result), scheduled->domain))
        return op.emitOpError("expected all results to have the same loops, but result ")
               << result << " differs from result 0";
    if (failed(checkKinds(op, scheduled->domain)))
      return failure();
    scheduled->memory = view.getMemoryType();
    scheduled->inlinePosition = view.getInlinePosition();
    scheduled->loopPath = getPath(scheduled->domain, scheduled->domain.getLoop());
    scheduled->firstId = nextId;
    nextId += scheduled->domain.getNumIds();
    opOf[&op] = scheduled.get();
    ops.push_back(std::move(scheduled));
  }
  for (unsigned id = 0; id < nextId; ++id)
    sharedIds.insert(id);
  return success();
}

LogicalResult LoopNest::shareLoops() {
  for (auto &scheduled : ops)
    for (unsigned id : scheduled->domain.getLoop())
      sharedLoops.insert(scheduled->firstId + id);
  for (auto &consumer : ops)
    for (OpOperand &operand : consumer->op->getOpOperands())
      if (ScheduledOp *producer = opOf.lookup(operand.get().getDefiningOp()))
        if (failed(shareWith(*producer, *consumer, operand)))
          return failure();
  return success();
}

LogicalResult LoopNest::shareWith(ScheduledOp &producer, ScheduledOp &consumer,
                                  OpOperand &operand) {
  ArrayRef<unsigned> from = producer.domain.getLoop(), to = consumer.domain.getLoop();
  int64_t shared = producer.inlinePosition;
  auto fail = [&](const Twine &message) -> LogicalResult {
    InFlightDiagnostic diagnostic = producer.op->emitOpError(message);
    diagnostic.attachNote(consumer.op->getLoc()) << "the consumer is here";
    return diagnostic;
  };
  if (shared > int64_t(to.size()))
    return fail("expected 'inline_at' of at most " + Twine(to.size()) +
                ", the number of the consumer's loops, but got " + Twine(shared));
  for (int64_t position = 0; position < shared; ++position) {
    ParallelType a = producer.domain.getParallel()[position];
    ParallelType b = consumer.domain.getParallel()[position];
    if (a != b)
      return fail("expected shared loop " + Twine(position) +
                  " to have one parallel type, but got @" + stringifyParallelType(a) + " and @" +
                  stringifyParallelType(b));
    sharedLoops.unionSets(producer.firstId + from[position], consumer.firstId + to[position]);
  }
  if (shared > 0)
    EdgeIds(cast<TensorViewOpInterface>(producer.op), operand)
        .visitShared(shared, [&](unsigned p, unsigned c) {
          sharedIds.unionSets(producer.firstId + p, consumer.firstId + c);
        });
  return success();
}

/// The broadcasts of a class take the extent of its last member that is none: the most concrete
/// one. All others keep theirs, and what shares a loop is checked to agree.
void LoopNest::resolveExtents() {
  SmallVector<bool> isBroadcast;
  for (auto &scheduled : ops)
    for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id) {
      idExtents.push_back(extents.getIdExtent(scheduled->op->getResult(0), id));
      isBroadcast.push_back(scheduled->domain.getKinds()[id] == IdKind::Broadcast);
    }
  llvm::DenseMap<unsigned, unsigned> best;
  for (unsigned id = 0; id < idExtents.size(); ++id) {
    auto [it, inserted] = best.try_emplace(sharedIds.getLeaderValue(id), id);
    if (!inserted && (!isBroadcast[id] || isBroadcast[it->second]))
      it->second = id;
  }
  // What an extent follows may follow another one itself.
  constexpr unsigned kMostSteps = 4;
  for (unsigned step = 0; step < kMostSteps; ++step) {
    SmallVector<AffineExpr> before = idExtents;
    for (unsigned id = 0; id < idExtents.size(); ++id)
      if (isBroadcast[id])
        idExtents[id] = before[best[sharedIds.getLeaderValue(id)]];
    for (auto &scheduled : ops)
      for (const DomainTransform &transform : scheduled->domain.getTransforms())
        deriveExtents(*scheduled, transform);
    if (before == idExtents)
      return;
  }
}

/// An id follows the extents that its inputs took; transforms are in order of definition.
void LoopNest::deriveExtents(const ScheduledOp &scheduled, const DomainTransform &transform) {
  auto extent = [&](unsigned id) -> AffineExpr & { return idExtents[scheduled.firstId + id]; };
  if (transform.kind == TransformKind::Merge)
    extent(transform.outputs[0]) = extent(transform.inputs[0]) * extent(transform.inputs[1]);
  if (transform.kind == TransformKind::Split) {
    AffineExpr factor = getAffineConstantExpr(transform.value, kernel.getContext());
    extent(transform.outputs[transform.inner ? 0 : 1]) =
        extent(transform.inputs[0]).ceilDiv(transform.value);
    extent(transform.outputs[transform.inner ? 1 : 0]) = factor;
  }
  if (transform.kind == TransformKind::Swizzle)
    for (unsigned position : {0, 1})
      extent(transform.outputs[position]) = extent(transform.inputs[position]);
}

void LoopNest::findStretched() {
  for (auto &scheduled : ops)
    for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id) {
      int definition = scheduled->domain.getDefinition(id);
      const bool isLeaf = definition < 0 || scheduled->domain.getTransforms()[definition].kind ==
                                                TransformKind::Broadcast;
      if (isLeaf && scheduled->domain.getKinds()[id] == IdKind::Broadcast &&
          extents.getConstant(getExtent(*scheduled, id)) != 1)
        scheduled->stretched.insert(id);
    }
}

AffineExpr LoopNest::getExtent(const ScheduledOp &scheduled, unsigned id) const {
  return idExtents[scheduled.firstId + id];
}

LogicalResult LoopNest::buildTree() {
  loops.push_back(std::make_unique<Loop>());
  loops.front()->extent = getAffineConstantExpr(1, kernel.getContext());
  llvm::DenseMap<unsigned, Loop *> loopOf;
  for (auto &scheduled : ops) {
    Loop *parent = &getRoot();
    bool reducing = false;
    for (auto [position, id] : llvm::enumerate(scheduled->domain.getLoop())) {
      unsigned leader = sharedLoops.getLeaderValue(scheduled->firstId + id);
      Loop *&loop = loopOf[leader];
      if (!loop) {
        loops.push_back(std::make_unique<Loop>());
        loop = loops.back().get();
        loop->parent = parent;
        parent->items.push_back({loop, nullptr});
      }
      assert(loop->parent == parent && "ops that share a loop share those around it");
      if (failed(describeLoop(*loop, *scheduled, position)))
        return failure();
      bool parallel = isThreadType(loop->type) || isBlockType(loop->type);
      if (!reducing && !parallel && scheduled->domain.getKinds()[id] == IdKind::Reduction) {
        reducing = true;
        loop->reductions.push_back(scheduled->op);
      }
      scheduled->loops.push_back(loop);
      parent = loop;
    }
    parent->items.push_back({nullptr, scheduled->op});
    if (!isa<ScanOpInterface>(scheduled->op))
      continue;
    FailureOr<unsigned> scanned = findScanLoop(*scheduled);
    if (failed(scanned))
      return failure();
    scheduled->loops[*scanned]->scans.push_back(scheduled->op);
  }
  for (auto &loop : loops)
    if (failed(orderItems(*loop)))
      return failure();
  return checkSharedLoops();
}

/// The position of the loop that walks along a scan: all of the scanned id, in order, by one
/// thread.
FailureOr<unsigned> LoopNest::findScanLoop(const ScheduledOp &scheduled) const {
  unsigned root = cast<ScanOpInterface>(scheduled.op).getScannedId();
  unsigned id = scheduled.domain.getRootOrLogical()[root];
  auto position = llvm::find(scheduled.domain.getLoop(), id) - scheduled.domain.getLoop().begin();
  if (position == int64_t(scheduled.loops.size()))
    return scheduled.op->emitOpError("expected the scanned dimension ")
           << root << " to be a loop as a whole, but it is split, merged or resized";
  ParallelType type = scheduled.loops[position]->type;
  if (type != ParallelType::Serial && type != ParallelType::Unroll)
    return scheduled.op->emitOpError("expected the loop over the scanned dimension ")
           << root << " to be serial or unrolled, but got " << stringifyParallelType(type);
  return unsigned(position);
}

/// Sets the type and extent of a loop, or checks that another member agrees.
LogicalResult LoopNest::describeLoop(Loop &loop, ScheduledOp &scheduled, unsigned position) {
  AffineExpr extent = getExtent(scheduled, scheduled.domain.getLoop()[position]);
  loop.type = scheduled.domain.getParallel()[position];
  if (loop.extent && !extents.isProvablyEqual(loop.extent, extent))
    return scheduled.op->emitOpError("expected shared loop ")
           << position << " to have one extent, but got " << describe(loop.extent) << " and "
           << describe(extent);
  loop.extent = extent;
  loop.constant = extents.getConstant(extent);
  loop.bound = extents.getUpperBound(extent);
  switch (loop.type) {
  case ParallelType::Vectorize:
    if (!loop.constant || *loop.constant < 1 || *loop.constant > 16 ||
        !llvm::isPowerOf2_64(*loop.constant))
      return scheduled.op->emitOpError("expected a @vectorize extent of 1, 2, 4, 8 or 16, but got ")
             << describe(extent);
    break;
  case ParallelType::ThreadX:
  case ParallelType::ThreadY:
  case ParallelType::ThreadZ:
  case ParallelType::Unroll:
    if (!loop.getStaticBound())
      return scheduled.op->emitOpError("expected loop ")
             << position << " (@" << stringifyParallelType(loop.type)
             << ") to have a constant extent or a fact that bounds it, but got "
             << describe(extent);
    break;
  case ParallelType::Serial:
  case ParallelType::Unswitch:
  case ParallelType::BlockX:
  case ParallelType::BlockY:
  case ParallelType::BlockZ:
    break;
  default:
    return scheduled.op->emitOpError(
               "expected a parallel type that lowering knows (serial, unroll, "
               "unswitch, vectorize, block, thread), but got @")
           << stringifyParallelType(loop.type);
  }
  return success();
}

/// All ops below an item.
static void collect(const LoopItem &item, llvm::SmallVectorImpl<Operation *> &below) {
  if (item.op) {
    below.push_back(item.op);
    return;
  }
  for (const LoopItem &inner : item.loop->items)
    collect(inner, below);
}

/// Orders the items of a loop so that producers come first; stable in program order.
LogicalResult LoopNest::orderItems(Loop &loop) {
  unsigned size = loop.items.size();
  SmallVector<SmallVector<Operation *>> below(size);
  llvm::DenseMap<Operation *, unsigned> itemOf;
  for (unsigned i = 0; i < size; ++i) {
    collect(loop.items[i], below[i]);
    for (Operation *op : below[i])
      itemOf[op] = i;
  }
  SmallVector<llvm::SmallDenseSet<unsigned>> needs(size);
  for (unsigned i = 0; i < size; ++i)
    for (Operation *op : below[i])
      for (Value operand : op->getOperands())
        if (auto it = itemOf.find(operand.getDefiningOp()); it != itemOf.end() && it->second != i)
          needs[i].insert(it->second);
  SmallVector<LoopItem> ordered;
  llvm::SmallBitVector done(size);
  while (ordered.size() < size) {
    bool progress = false;
    for (unsigned i = 0; i < size; ++i) {
      if (done.test(i) || llvm::any_of(needs[i], [&](unsigned need) { return !done.test(need); }))
        continue;
      done.set(i);
      ordered.push_back(loop.items[i]);
      progress = true;
      break;
    }
    if (!progress)
      return below[done.find_first_unset()].front()->emitOpError(
          "expected inline positions that allow an order, but shared loops need each other's "
          "results");
  }
  loop.items = std::move(ordered);
  return success();
}
