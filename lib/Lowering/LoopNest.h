//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of a kernel, derived from loop domains and inline positions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOOPNEST_H
#define FUSER_LIB_LOWERING_LOOPNEST_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallBitVector.h"
#include <memory>

namespace fuser {

struct Loop;

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
  /// The constant extent, or a constant upper bound of it.
  std::optional<int64_t> constant, bound;
  Loop *parent = nullptr;
  llvm::SmallVector<LoopItem> items;
  /// Reductions whose outermost loop that is no block or thread this is.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// Scans that this loop walks along.
  llvm::SmallVector<mlir::Operation *> scans;

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

/// What lowering knows of one scheduled op.
struct ScheduledOp {
  mlir::Operation *op = nullptr;
  /// Of result 0; another result may only lack some of its dimensions.
  DomainAttr domain;
  MemoryType memory = MemoryType::Register;
  int64_t inlinePosition = 0;
  /// The loop of each loop id.
  llvm::SmallVector<Loop *> loops;
  /// Transforms between root and loop, in the order of the domain: indexing undoes them.
  llvm::SmallVector<DomainTransform> loopPath;
  /// First of its ids in the numbering of all ids of the kernel.
  unsigned firstId = 0;
  /// The size-1 dimensions (and broadcasts of its own) whose loops are those of a consumer that has
  /// more indices there: the op does the same at each.
  llvm::SmallDenseSet<unsigned> stretched;

  /// True where an id is made of a stretched one.
  bool isStretched(unsigned id) const {
    return llvm::any_of(stretched, [&](unsigned leaf) { return getDerived(leaf).test(id); });
  }
  /// The ids that are `id` or made of it, on the way to the loops.
  llvm::SmallBitVector getDerived(unsigned id) const;
  /// The domain of a result: the ids and loops of `domain`.
  DomainAttr getDomain(unsigned result) const {
    return llvm::cast<TensorViewOpInterface>(op).getDomain(result);
  }
};

/// The tree of loops of one kernel. Two ops share a loop where a producer's inline position says
/// so.
class LoopNest {
public:
  /// Emits a diagnostic and fails where inline positions contradict each other.
  static mlir::FailureOr<std::unique_ptr<LoopNest>> create(KernelOp kernel,
                                                           const ExtentAnalysis &extents);

  /// The outermost scope; its items are the kernel.
  Loop &getRoot() { return *loops.front(); }
  llvm::ArrayRef<std::unique_ptr<ScheduledOp>> getOps() const { return ops; }
  ScheduledOp *lookup(mlir::Operation *op) const { return opOf.lookup(op); }

  /// The extent of an id, where inlined broadcast ids stand for what consumers make of them.
  mlir::AffineExpr getExtent(const ScheduledOp &scheduled, unsigned id) const;

private:
  LoopNest(KernelOp kernel, const ExtentAnalysis &extents) : kernel(kernel), extents(extents) {}
  mlir::LogicalResult collectOps();
  mlir::LogicalResult shareLoops();
  mlir::LogicalResult shareWith(ScheduledOp &producer, ScheduledOp &consumer,
                                mlir::OpOperand &operand);
  void resolveExtents();
  void deriveExtents(const ScheduledOp &scheduled, const DomainTransform &transform);
  void findStretched();
  mlir::LogicalResult checkStretched();
  const ScheduledOp *findOtherIn(const ScheduledOp &scheduled, unsigned loop, unsigned id) const;
  mlir::LogicalResult checkSplitBroadcasts() const;
  mlir::LogicalResult checkSwizzles();
  mlir::LogicalResult buildTree();
  mlir::LogicalResult checkCopies();
  mlir::FailureOr<unsigned> findScanLoop(const ScheduledOp &scheduled) const;
  mlir::LogicalResult describeLoop(Loop &loop, ScheduledOp &scheduled, unsigned position);
  mlir::LogicalResult checkSharedLoops() const;
  mlir::LogicalResult orderItems(Loop &loop);

  KernelOp kernel;
  const ExtentAnalysis &extents;
  llvm::SmallVector<std::unique_ptr<Loop>> loops;
  llvm::SmallVector<std::unique_ptr<ScheduledOp>> ops;
  llvm::DenseMap<mlir::Operation *, ScheduledOp *> opOf;
  /// Ids that shared loops identify, and (by loop position) the loops themselves.
  llvm::EquivalenceClasses<unsigned> sharedIds;
  llvm::EquivalenceClasses<unsigned> sharedLoops;
  llvm::SmallVector<mlir::AffineExpr> idExtents;
};

/// The transforms that lead from the root domain to the loop domain.
llvm::SmallVector<DomainTransform> getPath(DomainAttr domain, llvm::ArrayRef<unsigned> to);

/// An extent for a diagnostic.
std::string describe(mlir::AffineExpr extent);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPNEST_H
