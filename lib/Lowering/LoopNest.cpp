//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "ResolveIds.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

FailureOr<std::unique_ptr<LoopNest>> LoopNest::create(KernelOp kernel,
                                                      const ExtentAnalysis &extents) {
  std::unique_ptr<LoopNest> nest(new LoopNest(kernel, extents));
  FailureOr<ResolvedOps> resolved = getResolvedOps(kernel, extents);
  if (failed(resolved))
    return failure();
  nest->ops = std::move(resolved->ops);
  for (auto &scheduled : nest->ops)
    nest->opOf[scheduled->op] = scheduled.get();
  if (failed(nest->buildTree()) || failed(nest->checkCopies()) ||
      (!resolved->loopsCorrespond && failed(verifyInlinePositions(kernel, extents))))
    return failure();
  return nest;
}

LogicalResult LoopNest::buildTree() {
  loops.push_back(std::make_unique<Loop>());
  loops.front()->extent = getAffineConstantExpr(1, kernel.getContext());
  std::map<int64_t, Loop *> loopOf;
  for (auto &scheduled : ops)
    if (failed(addToTree(*scheduled, loopOf)))
      return failure();
  for (auto &loop : loops)
    if (failed(orderItems(*loop)))
      return failure();
  return success(succeeded(checkSharedLoops()) && succeeded(checkCrops()));
}

/// Finds the loops of an op by their numbers, or makes them.
LogicalResult LoopNest::addToTree(ScheduledOp &scheduled, std::map<int64_t, Loop *> &loopOf) {
  Loop *parent = &getRoot();
  bool reducing = false;
  for (auto [position, id] : llvm::enumerate(scheduled.domain.getLoop())) {
    Loop *&loop = loopOf[scheduled.loopNumbers[position]];
    if (!loop) {
      loops.push_back(std::make_unique<Loop>());
      loop = loops.back().get();
      loop->parent = parent;
      loop->type = scheduled.domain.getParallel()[position];
      parent->items.push_back({loop, nullptr});
    }
    if (loop->parent != parent || loop->type != scheduled.domain.getParallel()[position])
      return scheduled.op->emitOpError("expected ops that share loop ")
             << scheduled.loopNumbers[position]
             << " to share the loops around it, and its parallel type";
    if (failed(describeLoop(*loop, scheduled, position)))
      return failure();
    bool parallel = isThreadType(loop->type) || isBlockType(loop->type);
    if (!reducing && !parallel && scheduled.domain.getKinds()[id] == IdKind::Reduction) {
      reducing = true;
      loop->reductions.push_back(scheduled.op);
    }
    scheduled.loops.push_back(loop);
    parent = loop;
  }
  parent->items.push_back({nullptr, scheduled.op});
  return addScan(scheduled);
}

/// Finds the loops that a scan carries its tuple along, and those that its tiles are collected in.
LogicalResult LoopNest::addScan(ScheduledOp &scheduled) {
  scheduled.scan = ScanLoops::get(cast<TensorViewOpInterface>(scheduled.op));
  if (!scheduled.scan)
    return success();
  const ScanLoops &scan = *scheduled.scan;
  if (!scan.problem.empty())
    return scheduled.op->emitOpError("expected ") << scan.problem;
  const bool isReversed = cast<ScanOpInterface>(scheduled.op).isReversed();
  for (unsigned position : ArrayRef(scan.positions).take_front(scan.numCarried)) {
    std::optional<bool> &direction = scheduled.loops[position]->isReversed;
    if (direction.value_or(isReversed) != isReversed)
      return scheduled.op->emitOpError("expected scans that carry what precedes a tile through "
                                       "loop ")
             << position << " to have one direction, but they differ";
    direction = isReversed;
  }
  if (scan.numCarried > 0 && !scan.isChained)
    scheduled.loops[scan.positions.front()]->scans.push_back(scheduled.op);
  if (scan.hasTile() && scan.tilePosition < scheduled.loops.size())
    scheduled.loops[scan.tilePosition]->tiles.push_back(scheduled.op);
  return success();
}

/// Sets the type and extent of a loop, or checks that another member agrees.
LogicalResult LoopNest::describeLoop(Loop &loop, ScheduledOp &scheduled, unsigned position) {
  AffineExpr extent = scheduled.getExtent(scheduled.domain.getLoop()[position]);
  if (loop.extent && !extents.isProvablyEqual(loop.extent, extent)) {
    InFlightDiagnostic diagnostic = scheduled.op->emitOpError("expected shared loop ")
                                    << position << " to have one extent, but got "
                                    << describe(loop.extent) << " and " << describe(extent);
    diagnostic.attachNote(loop.member->getLoc()) << "the first one is the extent of this op";
    return diagnostic;
  }
  loop.extent = extent;
  if (!loop.member)
    loop.member = scheduled.op;
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
  case ParallelType::Mma:
    if (!loop.constant)
      return scheduled.op->emitOpError("expected a @mma extent that is a constant, but got ")
             << describe(extent);
    break;
  case ParallelType::ClusterX:
    if (!loop.constant || *loop.constant < 1 || *loop.constant > kMaxClusterBlocks)
      return scheduled.op->emitOpError("expected a @cluster_x extent that is a constant from 1 to ")
             << kMaxClusterBlocks << ", but got " << describe(extent);
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
               "unswitch, vectorize, mma, block, cluster_x, thread), but got @")
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

const Loop *fuser::getBufferScope(const ScheduledOp &scheduled, const Loop &root) {
  const Loop *scope = &root;
  for (const Loop *loop : ArrayRef(scheduled.loops).take_front(scheduled.inlinePosition))
    if (loop->type != ParallelType::Vectorize &&
        !(scheduled.memory == MemoryType::Shared && isThreadType(loop->type)))
      scope = loop;
  return scope;
}
