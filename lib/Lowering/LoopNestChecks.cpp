//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which loops cannot be one, or cannot be written out: what lowering refuses of schedules before it
// emits anything.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

/// Code grows with the product of the loops that are written out.
LogicalResult LoopNest::checkCopies() {
  for (auto &scheduled : ops) {
    int64_t copies = 1;
    for (auto [position, loop] : llvm::enumerate(scheduled->loops)) {
      if (loop->type == ParallelType::Unroll)
        copies *= std::max<int64_t>(*loop->getStaticBound(), 1);
      if (copies > kMaxUnrolledCopies)
        return scheduled->op->emitOpError("expected at most ")
               << kMaxUnrolledCopies << " copies of an op in @unroll loops, but loop " << position
               << " makes them " << copies;
    }
  }
  return success();
}

/// True if the loops that `ids` become run in the order of their indices, on one thread.
static bool runInOrder(const ScheduledOp &scheduled, const llvm::SmallBitVector &ids) {
  ArrayRef<unsigned> loops = scheduled.domain.getLoop();
  for (auto [id, type] : llvm::zip(loops, scheduled.domain.getParallel()))
    if (ids.test(id) && (isThreadType(type) || isBlockType(type)))
      return false;
  return llvm::all_of(scheduled.loopPath, [&](const DomainTransform &transform) {
    if (transform.kind != TransformKind::Split || !ids.test(transform.inputs[0]))
      return true;
    // All loops of the outer part are outside of those of the inner part.
    const llvm::SmallBitVector outer = scheduled.getDerived(transform.outputs[0]),
                               inner = scheduled.getDerived(transform.outputs[1]);
    const auto *firstInner = llvm::find_if(loops, [&](unsigned id) { return inner.test(id); });
    return std::none_of(firstInner, loops.end(), [&](unsigned id) { return outer.test(id); });
  });
}

/// A value in global memory is stored at index 0 of the ids that a consumer's loop repeats. In a
/// loop that merges such an id with others, the consumer reads elements that other iterations
/// store: earlier ones of the same thread. Where only a third op makes both share a loop, threads
/// and blocks wait for each other between the two.
static LogicalResult checkStoredOnce(const ScheduledOp &producer, const ScheduledOp &consumer,
                                     unsigned numShared) {
  llvm::SmallBitVector merged = producer.resultOnce.derived;
  merged.reset(producer.resultOnce.zero);
  for (unsigned position = 0; position < numShared; ++position) {
    const bool isWaitedFor =
        position >= producer.inlinePosition && isHardwareType(producer.loops[position]->type);
    if (isWaitedFor || !merged.test(producer.domain.getLoop()[position]) ||
        runInOrder(producer, merged))
      continue;
    InFlightDiagnostic diagnostic = producer.op->emitOpError("expected loop ");
    diagnostic << position
               << " not to be shared: it merges a dimension of size 1 with others, and other "
                  "threads or later iterations store elements that the consumer reads in it";
    diagnostic.attachNote(consumer.op->getLoc()) << "the consumer is here";
    return diagnostic;
  }
  return success();
}

/// How many of their outermost loops both ops are in.
static unsigned countSharedLoops(const ScheduledOp &a, const ScheduledOp &b) {
  unsigned position = 0;
  while (position < std::min(a.loops.size(), b.loops.size()) &&
         a.loops[position] == b.loops[position])
    ++position;
  return position;
}

/// Ops come to share loops through a third one as well. There one may read of the other what the
/// iteration has computed, and nothing else.
LogicalResult LoopNest::checkSharedLoops() const {
  for (auto &consumer : ops)
    for (OpOperand &operand : consumer->op->getOpOperands()) {
      ScheduledOp *producer = lookup(operand.get().getDefiningOp());
      if (!producer)
        continue;
      const unsigned numShared = countSharedLoops(*producer, *consumer);
      if (numShared < producer->inlinePosition) {
        InFlightDiagnostic diagnostic =
            producer->op->emitOpError("expected 'fuser_gpu.ids' to give its first ");
        diagnostic << producer->inlinePosition
                   << " loops ('inline_at') the numbers of its consumer's";
        diagnostic.attachNote(consumer->op->getLoc()) << "the consumer is here";
        return diagnostic;
      }
      if (failed(checkStoredOnce(*producer, *consumer, numShared)))
        return failure();
      std::optional<EdgeIds> ids;
      for (unsigned position = producer->inlinePosition; position < numShared; ++position) {
        const Loop *loop = producer->loops[position];
        unsigned id = producer->domain.getLoop()[position];
        const bool isScanned = producer->scan && producer->scan->isInTile(position);
        const bool isReduced = isScanned || producer->domain.getKinds()[id] == IdKind::Reduction;
        // The lanes of a vector are combined after it.
        const bool isAtOnce = isThreadType(loop->type) || isBlockType(loop->type) ||
                              (loop->type == ParallelType::Vectorize && !isReduced);
        if (!isAtOnce && !isReduced && !ids)
          ids.emplace(
              cast<TensorViewOpInterface>(producer->op), operand,
              [&](OpOperand &use, unsigned dim, unsigned rootId) {
                return readsAll(extents, use, dim, rootId);
              },
              EdgeIds::Resolved{extents, producer->extents, consumer->extents});
        if (isAtOnce || (!isReduced && ids->correspond(id, consumer->domain.getLoop()[position])))
          continue;
        InFlightDiagnostic diagnostic = consumer->op->emitOpError("expected operand ");
        diagnostic << operand.getOperandNumber()
                   << (isScanned   ? " to be scanned"
                       : isReduced ? " to be reduced"
                                   : " to be computed")
                   << " before it is read, but both are in loop " << position
                   << ", as other ops share it";
        diagnostic.attachNote(producer->op->getLoc()) << "it is computed here";
        return diagnostic;
      }
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Crops
//===----------------------------------------------------------------------===//

namespace {
/// How many of the first and of the last indices of a dimension the loops do not compute.
struct Crop {
  int64_t first = 0, last = 0;
};
} // namespace

/// The crop by the resizes of an id in the loops of an op.
static Crop getCrop(const ScheduledOp &scheduled, unsigned id) {
  Crop crop;
  int64_t first = 0, last = 0;
  for (const DomainTransform &transform : scheduled.loopPath) {
    if (transform.kind != TransformKind::Resize || transform.inputs[0] != id)
      continue;
    id = transform.outputs[0];
    first -= transform.value;
    last -= transform.after;
    crop.first = std::max(crop.first, first);
    crop.last = std::max(crop.last, last);
  }
  return crop;
}

/// Checks what `use` reads of a dimension whose loops are cropped.
LogicalResult LoopNest::checkCrop(const ScheduledOp &producer, unsigned id, OpOperand &use) const {
  const Crop crop = getCrop(producer, id);
  auto fail = [&](const Twine &reader) -> LogicalResult {
    InFlightDiagnostic diagnostic =
        producer.op->emitOpError("expected loops over all elements of id ");
    diagnostic << id << " that " << reader << ", but a resize drops the first " << crop.first
               << " and the last " << crop.last;
    diagnostic.attachNote(use.getOwner()->getLoc()) << "they are read here";
    return diagnostic;
  };
  if (isa<ReturnOp>(use.getOwner()))
    return fail("the kernel returns");
  const ScheduledOp *consumer = lookup(use.getOwner());
  auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
  if (!consumer || !mapping)
    return success();
  SmallVector<unsigned> ids = producer.domain.getResultIds();
  const DimMap map = mapping.getDimMaps(use.getOperandNumber())[llvm::find(ids, id) - ids.begin()];
  if (map.kind == DimMap::Kind::Whole || map.kind == DimMap::Kind::Indirect)
    return fail("its consumer reads");
  std::optional<int64_t> offset =
      map.kind == DimMap::Kind::Mapped ? std::optional<int64_t>(0) : getStaticOffset(map);
  // Of a reshape, the loops are not those of its root ids.
  if (!offset || map.kind == DimMap::Kind::Broadcast || !consumer->domain.getRoot().empty())
    return success();
  const unsigned root = consumer->domain.getRootOrLogical()[map.id];
  const Crop own = getCrop(*consumer, root);
  // Indices below 0 and beyond the extent are no elements of the producer.
  if (std::max<int64_t>(*offset + own.first, 0) < crop.first)
    return fail("its consumer reads");
  AffineExpr end = consumer->getExtent(root) + *offset - own.last;
  AffineExpr computed = producer.getExtent(id) - crop.last;
  if (crop.last > 0 && extents.getLowerBound(end - computed) > 0)
    return fail("its consumer reads");
  return success();
}

LogicalResult LoopNest::checkCrops() const {
  for (auto &producer : ops) {
    if (llvm::none_of(producer->loopPath, [](const DomainTransform &transform) {
          return transform.kind == TransformKind::Resize &&
                 (transform.value < 0 || transform.after < 0);
        }))
      continue;
    for (unsigned id : producer->domain.getResultIds()) {
      const Crop crop = getCrop(*producer, id);
      for (OpOperand &use : producer->op->getUses())
        if ((crop.first > 0 || crop.last > 0) && use.get() == producer->op->getResult(0) &&
            failed(checkCrop(*producer, id, use)))
          return failure();
    }
  }
  return success();
}
