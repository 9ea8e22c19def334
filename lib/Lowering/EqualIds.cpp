//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equal ids of ops that share loops, and the check that reads are legal.
//
//===----------------------------------------------------------------------===//

#include "EqualIds.h"
#include "fuser/Ids/EdgeIds.h"

using namespace mlir;
using namespace fuser;

const OpIds &EqualIds::getOpIds(const ScheduledOp &scheduled) {
  auto [it, isNew] = opIds.try_emplace(scheduled.op);
  if (!isNew)
    return *it->second;
  auto view = cast<TensorViewOpInterface>(scheduled.op);
  SmallVector<const ScheduledOp *, 2> &others = distinct[scheduled.domain];
  auto *equal = llvm::find_if(
      others, [&](const ScheduledOp *other) { return other->extents == scheduled.extents; });
  if (equal != others.end()) {
    it->second = std::make_unique<OpIds>(view, *opIds[(*equal)->op]);
    return *it->second;
  }
  others.push_back(&scheduled);
  it->second = std::make_unique<OpIds>(
      view, [&](unsigned id) { return extents.getConstant(scheduled.getExtent(id)); },
      [&](unsigned id) { return extents.getKnownDivisor(scheduled.getExtent(id)); });
  return *it->second;
}

bool EqualIds::runsOn(const ScheduledOp &scheduled, unsigned id, ParallelType type) {
  if (id == kNoId)
    return false;
  const OpIds &ids = getOpIds(scheduled);
  return llvm::any_of(llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()),
                      [&](auto loop) {
                        return std::get<1>(loop) == type && ids.haveOneIndex(std::get<0>(loop), id);
                      });
}

/// The number of outermost loops in which the consumer reads what the same iteration computes: the
/// shared ones, and those that both share with other ops only.
static unsigned getNumCommonLoops(const ScheduledOp &producer, const ScheduledOp &consumer) {
  unsigned position = producer.inlinePosition;
  for (unsigned end = std::min(producer.loops.size(), consumer.loops.size()); position < end;
       ++position) {
    // All indices of a hardware dimension run at once, so that the consumer may read any of them.
    ParallelType type = producer.domain.getParallel()[position];
    const unsigned id = producer.domain.getLoop()[position];
    if (producer.loops[position] != consumer.loops[position] || isThreadType(type) ||
        isBlockType(type) || producer.domain.getKinds()[id] == IdKind::Reduction)
      break;
  }
  return position;
}

ArrayRef<unsigned> EqualIds::mapProducer(const ScheduledOp &producer, const ScheduledOp &consumer,
                                         unsigned operand) {
  auto [it, isNew] = idMaps.try_emplace({consumer.op, operand});
  if (isNew)
    it->second = mapProducerIds(
        getOpIds(producer), getOpIds(consumer), operand, getNumCommonLoops(producer, consumer),
        producer.concrete, consumer.concrete, [&](OpOperand &use, unsigned dim, unsigned rootId) {
          return readsAll(extents, use, dim, rootId);
        });
  return it->second;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// True if only thread (or block) 0 of this type stores the results computed from the op's value.
static bool isStoredByFirst(const LoopNest &nest, const ScheduledOp &scheduled, ParallelType type) {
  // For a dimension of size 1, all threads compute the same value, and the first one stores it.
  for (auto [id, own] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    if (own == type && !scheduled.isBroadcast(id))
      return false;
  if (scheduled.memory == MemoryType::Global)
    return true;
  return scheduled.isPrivate() && llvm::all_of(scheduled.op->getUsers(), [&](Operation *user) {
           const ScheduledOp *consumer = nest.lookup(user);
           return consumer && isStoredByFirst(nest, *consumer, type);
         });
}

LogicalResult EqualIds::verifyRead(const LoopNest &nest, const ScheduledOp &producer,
                                   const ScheduledOp &consumer, unsigned operand) {
  ArrayRef<unsigned> map = mapProducer(producer, consumer, operand);
  unsigned result = cast<OpResult>(consumer.op->getOperand(operand)).getResultNumber();
  ArrayRef<IdKind> kinds = producer.getDomain(result).getKinds();
  for (auto [id, type] : llvm::zip(producer.domain.getLoop(), producer.domain.getParallel())) {
    bool own = isBlockType(type) || (isThreadType(type) && producer.isPrivate());
    if (!own || kinds[id] == IdKind::Reduction || producer.replicated.test(id))
      continue;
    if (runsOn(consumer, map[id], type))
      continue;
    // A value that is the same at each index of a concrete broadcast may be read at index 0.
    if (kinds[id] == IdKind::Broadcast && producer.isConcrete(id) &&
        isStoredByFirst(nest, consumer, type))
      continue;
    InFlightDiagnostic diagnostic = producer.op->emitOpError("expected a value in ");
    diagnostic << (producer.isPrivate() ? "registers" : "shared memory")
               << " to be read where it was computed, but its id " << id << " is @"
               << stringifyParallelType(type) << " and the consumer's is not";
    diagnostic.attachNote(consumer.op->getLoc()) << "the consumer is here";
    return diagnostic;
  }
  return success();
}

LogicalResult EqualIds::verifyReads(const LoopNest &nest) {
  for (auto &consumer : nest.getOps())
    for (OpOperand &operand : consumer->op->getOpOperands()) {
      const ScheduledOp *producer = nest.lookup(operand.get().getDefiningOp());
      if (producer && producer->memory != MemoryType::Global &&
          failed(verifyRead(nest, *producer, *consumer, operand.getOperandNumber())))
        return failure();
    }
  return success();
}
