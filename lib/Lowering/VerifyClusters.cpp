//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a kernel whose blocks are in clusters can be lowered.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "fuser/Lowering/Passes.h"

using namespace mlir;
using namespace fuser;

/// The loop of an op on the blocks of a cluster; null if it has none.
static const Loop *getClusterLoop(const ScheduledOp &scheduled) {
  for (const Loop *loop : scheduled.loops)
    if (loop->type == ParallelType::ClusterX)
      return loop;
  return nullptr;
}

/// True if loops run on the blocks of a cluster.
static bool hasClusters(const CheckedKernel &checked) {
  return llvm::any_of(checked.nest->getOps(),
                      [](const auto &scheduled) { return getClusterLoop(*scheduled); });
}

/// True if the blocks of the grid exchange values through memory that they share.
static bool sharesWithGrid(const ScheduledOp &scheduled) {
  if (scheduled.memory == MemoryType::Global &&
      !llvm::all_of(scheduled.op->getUsers(), llvm::IsaPred<ReturnOp>))
    return true;
  return llvm::any_of(scheduled.getReducedTypes(), [](ParallelType type) {
    return isBlockType(type) && type != ParallelType::ClusterX;
  });
}

LogicalResult fuser::verifyClusters(const CheckedKernel &checked, const LoweringOptions &options) {
  if (!hasClusters(checked))
    return success();
  for (const auto &scheduled : checked.nest->getOps()) {
    const Loop *loop = getClusterLoop(*scheduled);
    if (loop && *loop->constant > options.maxClusterBlocks)
      return scheduled->op->emitOpError("expected a @cluster_x extent of at most ")
             << options.maxClusterBlocks << ", the blocks of a cluster on the target, but got "
             << *loop->constant;
  }
  // The threads that scan a tile are those of one block.
  if (llvm::none_of(checked.nest->getOps(), [](const auto &scheduled) {
        return sharesWithGrid(*scheduled) || (scheduled->scan && scheduled->scan->hasTile());
      }))
    return success();
  KernelOp kernel = checked.kernel;
  return kernel.emitOpError(
      "expected elementwise ops, values in registers or shared memory and reductions within a "
      "cluster in a kernel with loops on @cluster_x, but got others (docs/lowering.md)");
}
