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
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

/// What a consumer's loops repeat may be repeated no times: then all who read it must be in them.
/// Grids have one block at least, where something else needs it.
LogicalResult LoopNest::checkStretched() {
  for (auto &scheduled : ops)
    for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id) {
      if (!scheduled->stretched.contains(id) ||
          extents.getLowerBound(getExtent(*scheduled, id)) > 0)
        continue;
      llvm::SmallBitVector made = scheduled->getDerived(id);
      ArrayRef<unsigned> own = scheduled->domain.getLoop().drop_front(scheduled->inlinePosition);
      if (llvm::any_of(own, [&](unsigned loop) {
            const bool isGrid = isBlockType(scheduled->domain.getParallelType(loop)) &&
                                scheduled->domain.getKinds()[loop] == IdKind::Broadcast;
            return made.test(loop) && !isGrid &&
                   extents.getLowerBound(getExtent(*scheduled, loop)) <= 0;
          }))
        return scheduled->op->emitOpError("expected a loop of its own for id ")
               << id << ", which has one index, but it shares one that may have none: "
               << describe(getExtent(*scheduled, id)) << " iterations";
    }
  return success();
}

/// An op in the loop `loop` of `scheduled` that has something else there than a broadcast or what
/// is made of `id`.
const ScheduledOp *LoopNest::findOtherIn(const ScheduledOp &scheduled, unsigned loop,
                                         unsigned id) const {
  for (auto &other : ops) {
    auto isOfOther = [&](unsigned ofOther) {
      return sharedIds.isEquivalent(scheduled.firstId + id, other->firstId + ofOther);
    };
    if (llvm::any_of(llvm::seq(other->domain.getNumIds()), isOfOther))
      continue;
    for (unsigned shared : other->domain.getLoop())
      if (other->domain.getKinds()[shared] != IdKind::Broadcast &&
          sharedLoops.isEquivalent(scheduled.firstId + loop, other->firstId + shared))
        return other.get();
  }
  return nullptr;
}

/// The parts of a broadcast that a split stretches beyond its one element exist at index 0 alone:
/// who has more in their loops would read what nobody computes.
LogicalResult LoopNest::checkSplitBroadcasts() const {
  for (auto &scheduled : ops)
    for (const DomainTransform &split : scheduled->loopPath) {
      const unsigned id = split.inputs[0];
      if (split.kind != TransformKind::Split ||
          scheduled->domain.getKinds()[id] != IdKind::Broadcast ||
          extents.getKnownDivisor(getExtent(*scheduled, id)) % split.value == 0)
        continue;
      llvm::SmallBitVector made = scheduled->getDerived(id);
      for (int64_t position = 0; position < scheduled->inlinePosition; ++position) {
        const unsigned loop = scheduled->domain.getLoop()[position];
        if (!made.test(loop) || extents.getConstant(getExtent(*scheduled, loop)) == 1)
          continue;
        const ScheduledOp *other = findOtherIn(*scheduled, loop, id);
        if (!other)
          continue;
        InFlightDiagnostic diagnostic = scheduled->op->emitOpError("expected shared loop ");
        diagnostic << position << " to consist of id " << id
                   << ", which has one element, in all ops that share it";
        diagnostic.attachNote(other->op->getLoc()) << "this one has something else there";
        return diagnostic;
      }
    }
  return success();
}

/// An xor stays below an extent that is a power of two only.
LogicalResult LoopNest::checkSwizzles() {
  for (auto &scheduled : ops)
    for (const DomainTransform &transform : scheduled->domain.getTransforms()) {
      if (transform.kind != TransformKind::Swizzle)
        continue;
      // Of one element that many compute, an xor takes it away from some.
      for (unsigned id : transform.getInputs())
        if (scheduled->domain.getKinds()[id] == IdKind::Broadcast)
          return scheduled->op->emitOpError("expected a swizzle of ids that are no broadcast, but "
                                            "got id ")
                 << id;
      AffineExpr extent = getExtent(*scheduled, transform.inputs[1]);
      std::optional<int64_t> constant = extents.getConstant(extent);
      if (!constant || *constant < 1 || !llvm::isPowerOf2_64(*constant))
        return scheduled->op->emitOpError("expected the extent of a swizzled id to be a constant "
                                          "power of two, but got ")
               << describe(extent);
    }
  return success();
}

/// More than a register file holds of results, and than an instruction cache of code.
static constexpr int64_t kMaxCopies = 4096;

/// Code grows with the product of the loops that are written out.
LogicalResult LoopNest::checkCopies() {
  for (auto &scheduled : ops) {
    int64_t copies = 1;
    for (auto [position, loop] : llvm::enumerate(scheduled->loops)) {
      if (loop->type == ParallelType::Unroll)
        copies *= std::max<int64_t>(*loop->getStaticBound(), 1);
      if (copies > kMaxCopies)
        return scheduled->op->emitOpError("expected at most ")
               << kMaxCopies << " copies of an op in @unroll loops, but loop " << position
               << " makes them " << copies;
    }
  }
  return success();
}

/// Ops come to share loops through a third one as well. There one may read of the other what the
/// iteration has computed, and nothing else.
LogicalResult LoopNest::checkSharedLoops() const {
  for (auto &consumer : ops)
    for (OpOperand &operand : consumer->op->getOpOperands()) {
      ScheduledOp *producer = lookup(operand.get().getDefiningOp());
      if (!producer)
        continue;
      std::optional<EdgeIds> ids;
      unsigned end = std::min(producer->loops.size(), consumer->loops.size());
      for (unsigned position = producer->inlinePosition; position < end; ++position) {
        const Loop *loop = producer->loops[position];
        if (loop != consumer->loops[position])
          break;
        unsigned id = producer->domain.getLoop()[position];
        const bool isReduced = producer->domain.getKinds()[id] == IdKind::Reduction;
        // The lanes of a vector are reduced behind it.
        const bool isAtOnce = isThreadType(loop->type) || isBlockType(loop->type) ||
                              (loop->type == ParallelType::Vectorize && !isReduced);
        if (!isAtOnce && !isReduced && !ids)
          ids.emplace(cast<TensorViewOpInterface>(producer->op), operand,
                      [&](OpOperand &use, unsigned dim, unsigned rootId) {
                        return readsAll(extents, use, dim, rootId);
                      });
        if (isAtOnce || (!isReduced && ids->correspond(id, consumer->domain.getLoop()[position])))
          continue;
        InFlightDiagnostic diagnostic = consumer->op->emitOpError("expected operand ");
        diagnostic << operand.getOperandNumber()
                   << (isReduced ? " to be reduced" : " to be computed")
                   << " before it is read, but both are in loop " << position
                   << ", as other ops share it";
        diagnostic.attachNote(producer->op->getLoc()) << "it is computed here";
        return diagnostic;
      }
    }
  return success();
}
