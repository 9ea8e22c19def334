//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers: which accesses need one between them, and where it is put.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// What an op accesses
//===----------------------------------------------------------------------===//

/// The reads and writes of memory that threads share. What collects writes after its loops.
void KernelEmitter::collectReads(const ScheduledOp &scheduled, SmallVectorImpl<MemoryUse> &uses) {
  for (Value operand : scheduled.op->getOperands())
    if (ScheduledOp *producer = nest.lookup(operand.getDefiningOp()))
      collectUsesOf(*producer, scheduled, /*writes=*/false, uses);
}

void KernelEmitter::collectWrites(const ScheduledOp &scheduled, SmallVectorImpl<MemoryUse> &uses) {
  collectUsesOf(scheduled, scheduled, /*writes=*/true, uses);
}

void KernelEmitter::collectUsesOf(const ScheduledOp &producer, const ScheduledOp &user, bool writes,
                                  SmallVectorImpl<MemoryUse> &uses) {
  MemoryUse use;
  use.writes = writes;
  use.user = user.op;
  if (producer.memory == MemoryType::Global) {
    use.space = MemoryUse::Space::Global;
    use.producer = producer.op;
    uses.push_back(use);
  } else if (producer.memory == MemoryType::Shared) {
    for (unsigned region : buffers[producer.op]->regions) {
      use.region = region;
      uses.push_back(use);
    }
  }
}

void KernelEmitter::collectUses(const LoopItem &item, SmallVectorImpl<MemoryUse> &uses) {
  if (item.loop) {
    for (const LoopItem &inner : item.loop->items)
      collectUses(inner, uses);
    return;
  }
  collectReads(*nest.lookup(item.op), uses);
  collectWrites(*nest.lookup(item.op), uses);
}

//===----------------------------------------------------------------------===//
// What must not meet
//===----------------------------------------------------------------------===//

/// A value in global memory is written once. Whoever reads an element may do so without waiting if
/// it is the thread that wrote it.
SyncLevel KernelEmitter::getLevelOfGlobal(const ScheduledOp &producer,
                                          const ScheduledOp &consumer) {
  const llvm::SmallBitVector &writtenOnce = producer.resultOnce.derived;
  // True where both run over one id on the hardware dimension `type`.
  auto follows = [&](ParallelType type, unsigned operand) {
    if (!isDistributed(producer, type))
      return false;
    ArrayRef<unsigned> map = equalIds.mapProducer(producer, consumer, operand);
    auto loops = llvm::zip(producer.domain.getLoop(), producer.domain.getParallel());
    auto own = llvm::find_if(loops, [&](auto loop) { return std::get<1>(loop) == type; });
    assert(own != loops.end() && "what is distributed has a loop for it");
    unsigned id = std::get<0>(*own);
    return equalIds.runsOn(consumer, map[id], type) && !writtenOnce.test(id);
  };
  SyncLevel level = SyncLevel::None;
  for (OpOperand &operand : consumer.op->getOpOperands()) {
    if (operand.get().getDefiningOp() != producer.op)
      continue;
    for (ParallelType type : kThreadTypes)
      if (getBlockDim(type) > 1 && !follows(type, operand.getOperandNumber()))
        level = std::max(level, SyncLevel::Block);
    for (ParallelType type : kBlockTypes)
      if (isSplit(type) && !follows(type, operand.getOperandNumber()))
        level = SyncLevel::Grid;
  }
  return level;
}

SyncLevel KernelEmitter::getConflict(const MemoryUse &earlier, const MemoryUse &later) {
  if (earlier.space != later.space)
    return SyncLevel::None;
  if (earlier.space == MemoryUse::Space::Global) {
    if (earlier.producer != later.producer || !earlier.writes || later.writes)
      return SyncLevel::None;
    return getLevelOfGlobal(*nest.lookup(earlier.producer), *nest.lookup(later.user));
  }
  // Two writes to one region are one thread's writes to its own elements.
  bool meet =
      earlier.region == later.region
          ? earlier.writes != later.writes
          : (earlier.writes || later.writes) && sharedMemory.overlap(earlier.region, later.region);
  return meet ? SyncLevel::Block : SyncLevel::None;
}

//===----------------------------------------------------------------------===//
// Where barriers go
//===----------------------------------------------------------------------===//

void KernelEmitter::synchronizeBefore(ArrayRef<MemoryUse> uses) {
  SyncLevel level = SyncLevel::None;
  for (const MemoryUse &use : uses)
    level = std::max(level, hazards.getLevelBefore(use));
  synchronize(level);
}

void KernelEmitter::note(ArrayRef<MemoryUse> uses) {
  for (const MemoryUse &use : uses)
    hazards.note(use);
}

/// What an item needs is waited for before it as a whole: outside of its loops. What happens inside
/// is ordered there.
void KernelEmitter::synchronizeBefore(const LoopItem &item) {
  SmallVector<MemoryUse> uses;
  collectUses(item, uses);
  synchronizeBefore(uses);
}

void KernelEmitter::synchronize(SyncLevel level) {
  if (level == SyncLevel::None)
    return;
  closePredicate();
  if (level == SyncLevel::Block) {
    gpu::BarrierOp::create(builder, loc);
  } else {
    // One counter serves all, as it is ready again behind each.
    if (!gridCounter)
      gridCounter = addWorkspace(getAffineConstantExpr(4, builder.getContext()),
                                 builder.getI32Type(), /*zeroed=*/true);
    kernel_ir::GridSyncOp::create(builder, loc, gridCounter, ValueRange{index.constant(0)});
  }
  hazards.synchronize(level);
}

bool KernelEmitter::needsBarriers(const Loop &loop) {
  SmallVector<MemoryUse> uses;
  for (const LoopItem &item : loop.items)
    collectUses(item, uses);
  for (const MemoryUse &earlier : uses)
    for (const MemoryUse &later : uses)
      if (getConflict(earlier, later) != SyncLevel::None)
        return true;
  return finishesCollecting(loop, loop);
}

/// True where an op that collects exchanges tuples with other threads.
bool KernelEmitter::combinesThreads(const ScheduledOp &scheduled) const {
  if (scheduled.scan)
    return llvm::any_of(scheduled.scan->positions, [&](unsigned position) {
      return isThreadType(scheduled.loops[position]->type);
    });
  return !getReductionTypes(scheduled, isThreadType).empty() ||
         !getReductionTypes(scheduled, isBlockType).empty();
}

/// True where a reduction or a scan across threads or blocks is finished in `loop`, which lies in
/// `top`.
bool KernelEmitter::finishesCollecting(const Loop &loop, const Loop &top) const {
  return llvm::any_of(loop.items, [&](const LoopItem &item) {
    if (item.loop)
      return finishesCollecting(*item.loop, top);
    ScheduledOp *scheduled = nest.lookup(item.op);
    if (!scheduled->collects() || !combinesThreads(*scheduled))
      return false;
    return llvm::none_of(scheduled->loops, [&](Loop *own) {
      return (llvm::is_contained(own->reductions, item.op) ||
              llvm::is_contained(own->tiles, item.op)) &&
             !isInside(*own, top);
    });
  });
}

/// True where `inner` lies in `outer`.
bool KernelEmitter::isInside(const Loop &inner, const Loop &outer) {
  for (const Loop *loop = inner.parent; loop; loop = loop->parent)
    if (loop == &outer)
      return true;
  return false;
}
