//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One op of a kernel before its loops are created.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SCHEDULEDOP_H
#define FUSER_LIB_LOWERING_SCHEDULEDOP_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Ids/ScanLoops.h"
#include "llvm/ADT/SmallBitVector.h"
#include <memory>

namespace fuser {

struct Loop;

/// True for types of thread and block: all indices of a loop run at once.
inline bool isHardwareType(ParallelType type) { return isThreadType(type) || isBlockType(type); }

/// Ids of an op whose accumulation or store is predicated to their index 0.
struct IdsDoneOnce {
  /// The ids derived from concrete ones; those of them that are 0; and the subset of these that is
  /// compared with 0.
  llvm::SmallBitVector derived, zero;
  llvm::SmallVector<unsigned> checked;
};

/// One scheduled op. Ids are those of `domain`.
struct ScheduledOp {
  mlir::Operation *op = nullptr;
  /// The domain of result 0; other results may only lack some of its dimensions.
  DomainAttr domain;
  MemoryType memory = MemoryType::Register;
  /// True if each thread has a value of its own.
  bool isPrivate() const { return memory == MemoryType::Register; }
  int64_t inlinePosition = 0;
  /// Transforms between root and loop, in the order of the domain: indexing undoes them.
  llvm::SmallVector<DomainTransform> loopPath;
  /// The loop of each loop id.
  llvm::SmallVector<Loop *> loops;
  /// The loops over the dimension that the op scans, if it scans one.
  std::optional<ScanLoops> scan;

  // From #fuser_gpu.resolved_ids.

  /// The number of the loop of each loop id: ops that share a loop have one number for it.
  llvm::SmallVector<int64_t> loopNumbers;
  /// The extent of each id; a broadcast has that of its resolution.
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// The broadcasts that share a loop with an id of another op of larger extent (concrete ids).
  llvm::SmallBitVector concrete;
  /// Loop ids of extent 1 that all blocks or threads execute redundantly.
  llvm::SmallBitVector replicated;
  /// The predicates for parts that the op computes once: its accumulation (or its element), and its
  /// result.
  IdsDoneOnce once, resultOnce;

  mlir::AffineExpr getExtent(unsigned id) const { return extents[id]; }
  /// True where the op collects elements in its loops, and its results are stored after them.
  bool collects() const { return llvm::isa<CombinerOpInterface>(op) || (scan && scan->hasTile()); }
  const IdsDoneOnce &getOnce(bool ofResult) const { return ofResult ? resultOnce : once; }
  /// The types of thread and block of the loops that the op reduces over, in ascending order.
  llvm::SmallVector<ParallelType> getReducedTypes() const;
  /// True for a broadcast: a dimension of size 1.
  bool isBroadcast(unsigned id) const { return domain.getKinds()[id] == IdKind::Broadcast; }
  /// True for a broadcast that is not derived from other ids.
  bool isBroadcastLeaf(unsigned id) const;
  /// True if an id is derived from a concrete one.
  bool isConcrete(unsigned id) const;
  /// `id` and the ids derived from it, down to the loops.
  llvm::SmallBitVector getDerived(unsigned id) const;
  /// The domain of a result: the ids and loops of `domain`.
  DomainAttr getDomain(unsigned result) const {
    return llvm::cast<TensorViewOpInterface>(op).getDomain(result);
  }
};

using ScheduledOps = llvm::SmallVector<std::unique_ptr<ScheduledOp>>;

/// The ops of a kernel, in order, without resolutions. Fails with a diagnostic if the domains of
/// one op contradict each other.
mlir::FailureOr<ScheduledOps> collectScheduledOps(KernelOp kernel);

/// Sets the extents of the outputs of the transforms from those of their inputs.
void deriveExtents(ScheduledOp &scheduled);

/// Sets `once` and `resultOnce`, from the concrete ids that the op computes once.
void setDoneOnce(ScheduledOp &scheduled, llvm::ArrayRef<int64_t> ids);

/// The transforms that lead from the root domain to the loop domain.
llvm::SmallVector<DomainTransform> getPath(DomainAttr domain, llvm::ArrayRef<unsigned> to);

/// An extent for a diagnostic.
std::string describe(mlir::AffineExpr extent);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SCHEDULEDOP_H
