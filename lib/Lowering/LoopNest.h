//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of a kernel, from the loop domains and resolved ids of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOOPNEST_H
#define FUSER_LIB_LOWERING_LOOPNEST_H

#include "ScheduledOp.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>

namespace fuser {

/// A child of a loop: another loop, or an op computed there.
struct LoopItem {
  Loop *loop = nullptr;
  mlir::Operation *op = nullptr;
};

/// One loop that all its members share.
struct Loop {
  ParallelType type = ParallelType::Serial;
  /// Iterations, with broadcast ids standing for what consumers make of them.
  mlir::AffineExpr extent;
  /// The op whose extent this is.
  mlir::Operation *member = nullptr;
  /// The constant extent, or a constant upper bound of it.
  std::optional<int64_t> constant, bound;
  Loop *parent = nullptr;
  llvm::SmallVector<LoopItem> items;
  /// Reductions whose outermost loop that is no block or thread this is.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// Of a loop through which scans carry tuples: true if they begin at the last index, which is
  /// then that of the first iteration.
  std::optional<bool> isReversed;
  /// Scans whose outermost carried loop this is.
  llvm::SmallVector<mlir::Operation *> scans;
  /// Scans whose tiles are collected in this loop, their outermost one that is no thread.
  llvm::SmallVector<mlir::Operation *> tiles;

  /// The bound if the loop is emitted iteration by iteration, for buffers and unrolling.
  std::optional<int64_t> getStaticBound() const { return constant ? constant : bound; }
  /// True where the iterations are written out, up to the bound. Of a loop that is only unswitched
  /// they are as long as they are few, with those of the loops around it that are written out.
  bool isUnrolled() const {
    constexpr int64_t kMaxUnswitched = 64, kMaxNested = 256;
    if (type != ParallelType::Unswitch)
      return type == ParallelType::Unroll;
    int64_t copies = getStaticBound().value_or(kMaxUnswitched + 1);
    if (copies > kMaxUnswitched)
      return false;
    for (const Loop *around = parent; around && copies <= kMaxNested; around = around->parent)
      if (around->isUnrolled())
        copies *= std::max<int64_t>(*around->getStaticBound(), 1);
    return copies <= kMaxNested;
  }
};

/// The tree of loops of one kernel, as `fuser_gpu.ids` on its ops says.
class LoopNest {
public:
  /// Emits a diagnostic and fails where ops cannot share their loops.
  static mlir::FailureOr<std::unique_ptr<LoopNest>> create(KernelOp kernel,
                                                           const ExtentAnalysis &extents);

  /// The outermost scope; its items are the kernel.
  Loop &getRoot() { return *loops.front(); }
  llvm::ArrayRef<std::unique_ptr<ScheduledOp>> getOps() const { return ops; }
  ScheduledOp *lookup(mlir::Operation *op) const { return opOf.lookup(op); }

private:
  LoopNest(KernelOp kernel, const ExtentAnalysis &extents) : kernel(kernel), extents(extents) {}
  mlir::LogicalResult buildTree();
  mlir::LogicalResult addToTree(ScheduledOp &scheduled, std::map<int64_t, Loop *> &loopOf);
  mlir::LogicalResult checkCopies();
  mlir::LogicalResult addScan(ScheduledOp &scheduled);
  mlir::LogicalResult describeLoop(Loop &loop, ScheduledOp &scheduled, unsigned position);
  mlir::LogicalResult checkSharedLoops() const;
  mlir::LogicalResult checkCrops() const;
  mlir::LogicalResult checkCrop(const ScheduledOp &producer, unsigned id,
                                mlir::OpOperand &use) const;
  mlir::LogicalResult orderItems(Loop &loop);

  KernelOp kernel;
  const ExtentAnalysis &extents;
  llvm::SmallVector<std::unique_ptr<Loop>> loops;
  ScheduledOps ops;
  llvm::DenseMap<mlir::Operation *, ScheduledOp *> opOf;
};

/// The loop in which a value is new in each iteration: the innermost that it shares with all of its
/// readers. The ops in a vectorized loop process all lanes at once, and all threads of a block have
/// one buffer in shared memory.
const Loop *getBufferScope(const ScheduledOp &scheduled, const Loop &root);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPNEST_H
