//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fuser;

/// The loop ids that index no buffer of the value: those it shares with its consumers, and blocks.
static llvm::SmallDenseSet<unsigned> getFixedIds(const ScheduledOp &scheduled) {
  llvm::SmallDenseSet<unsigned> fixed;
  bool shared = scheduled.memory == MemoryType::Shared;
  for (auto [position, id] : llvm::enumerate(scheduled.domain.getLoop())) {
    ParallelType type = scheduled.domain.getParallel()[position];
    // A vector is computed at once, so its consumers see all of it even where they share its loop.
    // Threads that share a loop still have elements of their own in shared memory.
    bool shares = int64_t(position) < scheduled.inlinePosition && type != ParallelType::Vectorize &&
                  !(shared && isThreadType(type));
    if (shares || isBlockType(type))
      fixed.insert(id);
  }
  // What such loops were made of is fixed with them.
  for (const DomainTransform &transform : llvm::reverse(scheduled.domain.getTransforms()))
    if (llvm::all_of(transform.getOutputs(), [&](unsigned id) { return fixed.contains(id); }))
      fixed.insert_range(transform.getInputs());
  return fixed;
}

SmallVector<unsigned> fuser::getBufferIds(const ScheduledOp &scheduled) {
  const DomainAttr domain = scheduled.domain;
  bool shared = scheduled.memory == MemoryType::Shared;
  llvm::SmallDenseSet<unsigned> fixed = getFixedIds(scheduled);
  SmallVector<unsigned> ids;
  if (shared && domain.getAllocation() != ArrayRef<unsigned>(domain.getResultIds())) {
    for (unsigned id : domain.getAllocation())
      if (!fixed.contains(id) && domain.getKinds()[id] != IdKind::Broadcast)
        ids.push_back(id);
    return ids;
  }
  for (auto [id, type] : llvm::zip(domain.getLoop(), domain.getParallel()))
    if (!fixed.contains(id) && domain.getKinds()[id] != IdKind::Reduction &&
        (shared || !isThreadType(type)))
      ids.push_back(id);
  return ids;
}

SmallVector<unsigned> fuser::getWorkspaceIds(const ScheduledOp &scheduled) {
  SmallVector<unsigned> ids;
  llvm::copy_if(scheduled.domain.getAllocation(), std::back_inserter(ids), [&](unsigned id) {
    const IdKind kind = scheduled.domain.getKinds()[id];
    return kind != IdKind::Reduction && kind != IdKind::Broadcast;
  });
  return ids;
}
