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

bool fuser::hasClusters(const CheckedKernel &checked) {
  return llvm::any_of(checked.nest->getOps(),
                      [](const auto &scheduled) { return getClusterLoop(*scheduled); });
}

/// A type of blocks that no loop of the kernel has.
static std::optional<ParallelType> getFreeBlockType(const CheckedKernel &checked) {
  for (ParallelType type : {ParallelType::BlockX, ParallelType::BlockY, ParallelType::BlockZ})
    if (llvm::none_of(checked.nest->getOps(), [&](const auto &scheduled) {
          return llvm::is_contained(scheduled->domain.getParallel(), type);
        }))
      return type;
  return std::nullopt;
}

/// The kernel with other blocks in place of those of a cluster.
static OwningOpRef<KernelOp> copyWithoutClusters(KernelOp kernel, ParallelType type) {
  OwningOpRef<KernelOp> copy(kernel.clone());
  copy->walk([&](TensorViewOpInterface op) {
    for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
      DomainAttr domain = op.getDomain(result);
      DomainBuilder builder(domain);
      for (auto [id, own] : llvm::zip(domain.getLoop(), domain.getParallel()))
        if (own == ParallelType::ClusterX)
          builder.parallelize(id, type);
      op.setDomain(builder.build(), result);
    }
  });
  return copy;
}

/// True if the blocks of the grid exchange values through memory that they share.
static bool sharesWithGrid(const ScheduledOp &scheduled) {
  if (scheduled.memory == MemoryType::Global &&
      !llvm::all_of(scheduled.op->getUsers(), llvm::IsaPred<ReturnOp>))
    return true;
  auto loops = llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel());
  return isa<CombinerOpInterface>(scheduled.op) && llvm::any_of(loops, [&](auto loop) {
           auto [id, type] = loop;
           return isBlockType(type) && type != ParallelType::ClusterX &&
                  scheduled.domain.getKinds()[id] == IdKind::Reduction;
         });
}

LogicalResult fuser::verifyClusters(const CheckedKernel &checked, const LoweringOptions &options) {
  for (const auto &scheduled : checked.nest->getOps()) {
    const Loop *loop = getClusterLoop(*scheduled);
    if (loop && *loop->constant > options.maxClusterBlocks)
      return scheduled->op->emitOpError("expected a @cluster_x extent of at most ")
             << options.maxClusterBlocks << ", the blocks of a cluster on the target, but got "
             << *loop->constant;
  }
  KernelOp kernel = checked.kernel;
  const bool isShared = llvm::any_of(
      checked.nest->getOps(), [](const auto &scheduled) { return sharesWithGrid(*scheduled); });
  if (isShared || !isStaged(checked))
    return kernel.emitOpError(
        "expected elementwise ops, values in registers or shared memory and reductions within a "
        "cluster in a kernel with loops on @cluster_x, but got others (docs/lowering.md)");
  std::optional<ParallelType> type = getFreeBlockType(checked);
  if (!type)
    return kernel.emitOpError("expected loops on at most two of block_x, block_y and block_z in a "
                              "kernel with loops on @cluster_x, but got all three");
  OwningOpRef<KernelOp> copy = copyWithoutClusters(kernel, *type);
  return verifySchedule(*copy, options);
}
