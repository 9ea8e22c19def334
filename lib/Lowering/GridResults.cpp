//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GridResults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

GridResults::GridResults(const LoopNest &nest, function_ref<bool(ParallelType)> isSplit) {
  for (auto &scheduled : nest.getOps()) {
    SmallVector<ParallelType> types;
    for (auto [id, type] : llvm::zip(scheduled->domain.getLoop(), scheduled->domain.getParallel()))
      if (scheduled->domain.getKinds()[id] == IdKind::Reduction && isBlockType(type) &&
          isSplit(type))
        types.push_back(type);
    llvm::sort(types);
    if (!types.empty())
      reduced[scheduled->op] = std::move(types);
  }
  if (reduced.empty())
    return;
  // A result that turns out to be wanted everywhere is valid everywhere for all who use it.
  bool changed = true;
  while (changed) {
    changed = false;
    sources.clear();
    for (auto &scheduled : nest.getOps())
      changed |= propagate(nest, *scheduled);
  }
}

ArrayRef<ParallelType> GridResults::getReducedTypes(Operation *op) const {
  auto it = reduced.find(op);
  return it == reduced.end() ? ArrayRef<ParallelType>() : ArrayRef(it->second);
}

/// The loops around the point where a reduction is finished, without blocks and threads.
static SmallVector<const Loop *> getFinishingLoops(const ScheduledOp &reduction) {
  SmallVector<const Loop *> around;
  for (const Loop *loop : reduction.loops) {
    if (llvm::is_contained(loop->reductions, reduction.op))
      break;
    if (!isBlockType(loop->type) && !isThreadType(loop->type))
      around.push_back(loop);
  }
  return around;
}

/// True if the op carries a tuple from one iteration of the loop to the next: it is of results of
/// several last blocks.
static bool carriesAlong(const ScheduledOp &scheduled, const Loop &loop) {
  return scheduled.scan && llvm::any_of(scheduled.scan->positions, [&](unsigned position) {
           return scheduled.loops[position] == &loop;
         });
}

/// Derives the source of one op from those of its operands; true where a result became wanted.
bool GridResults::propagate(const LoopNest &nest, const ScheduledOp &scheduled) {
  llvm::SmallSetVector<Operation *, 2> from;
  for (Value operand : scheduled.op->getOperands()) {
    ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
    // A value in global memory is read behind a barrier of all blocks.
    if (producer && producer->memory != MemoryType::Global)
      if (Operation *source = sources.lookup(producer->op))
        from.insert(source);
  }
  if (reduced.count(scheduled.op) && !isWantedEverywhere(scheduled.op))
    from.insert(scheduled.op);
  size_t known = wanted.size();
  for (Operation *source : from) {
    if (source == scheduled.op)
      continue;
    bool spread = llvm::any_of(scheduled.domain.getParallel(), [&](ParallelType type) {
      return llvm::is_contained(getReducedTypes(source), type);
    });
    // A reduction that reads it in the loop stores its own result behind it.
    bool leavesLoop = llvm::any_of(getFinishingLoops(*nest.lookup(source)), [&](const Loop *loop) {
      return !llvm::is_contained(scheduled.loops, loop) ||
             llvm::is_contained(loop->reductions, scheduled.op) || carriesAlong(scheduled, *loop);
    });
    if (spread || leavesLoop || from.size() > 1)
      wanted.insert(source);
  }
  if (wanted.size() == known && from.size() == 1)
    sources[scheduled.op] = from.front();
  return wanted.size() != known;
}
