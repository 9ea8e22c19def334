//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Indices of ids as expressions over the loops of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_OPINDICES_H
#define FUSER_LIB_LOWERING_OPINDICES_H

#include "EqualIds.h"
#include "LoopExprs.h"
#include <functional>

namespace fuser {

/// By id of an op; null where unknown.
using IdIndices = llvm::SmallVector<mlir::AffineExpr>;

/// An extent, as a constant if facts say so.
mlir::AffineExpr getKnownExtent(const ExtentAnalysis &extents, mlir::AffineExpr extent);

/// True if the transform adds indices at which no element exists.
bool addsIndices(const DomainTransform &transform);

/// Ids whose indices from the loops may be beyond their extents.
struct CheckedIds {
  /// The inputs of splits with a remainder, and of transforms that add indices.
  llvm::SmallVector<unsigned> ids;
  /// The ids that need no check of their own, as one of those covers them.
  llvm::SmallBitVector bounded;
};

/// Added indices of transforms for which `isSkipped` holds are not checked.
CheckedIds getCheckedIds(const ScheduledOp &scheduled, const ExtentAnalysis &extents,
                         llvm::function_ref<bool(const DomainTransform &)> isSkipped = nullptr);

/// Queries only: no op is created but by `getXor`, and nothing is cached but equal ids.
class OpIndices {
public:
  /// `getLoopIndex` returns the induction variable of a loop, `getScalarIndex` that of a scalar,
  /// and `getXor` the exclusive or of two indices.
  OpIndices(const ExtentAnalysis &extents, EqualIds &equalIds,
            std::function<mlir::AffineExpr(const Loop &)> getLoopIndex,
            std::function<mlir::AffineExpr(mlir::Value)> getScalarIndex,
            std::function<mlir::AffineExpr(mlir::AffineExpr, mlir::AffineExpr)> getXor)
      : extents(extents), equalIds(equalIds), getLoopIndex(std::move(getLoopIndex)),
        getScalarIndex(std::move(getScalarIndex)), getXor(std::move(getXor)) {}

  /// The ids of an op, from its loops back to its root.
  IdIndices getIds(const ScheduledOp &scheduled) const;
  /// Adds ids that others determine: those of an allocation domain.
  void applyForward(const ScheduledOp &scheduled, IdIndices &ids) const;
  /// The index of each dimension of an operand: `own` has those of the dimensions that are read
  /// whole or at data, in order. Those that may lie outside of the operand are added to `guard`.
  llvm::SmallVector<mlir::AffineExpr> indexOperand(const ScheduledOp &scheduled, unsigned operand,
                                                   llvm::ArrayRef<mlir::AffineExpr> ids,
                                                   Constraints *guard,
                                                   llvm::ArrayRef<mlir::AffineExpr> own = {}) const;
  /// The ids of a producer at the element that an operand with index `at` reads.
  IdIndices getProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer,
                           unsigned operand, llvm::ArrayRef<mlir::AffineExpr> ids,
                           llvm::ArrayRef<mlir::AffineExpr> at) const;
  /// The index of a root id: 0 for a broadcast.
  mlir::AffineExpr getRoot(const ScheduledOp &scheduled, unsigned root,
                           llvm::ArrayRef<mlir::AffineExpr> ids) const;
  /// What must hold for the op's element to exist, beyond the extents of its loops. Of a reduction,
  /// that is an element that it accumulates, or one of its result.
  Constraints getExistence(const ScheduledOp &scheduled, llvm::ArrayRef<mlir::AffineExpr> ids,
                           bool ofResult = false) const;
  /// Moves the index of an element to where a window stores it; does nothing for other ops.
  void moveIntoWindow(mlir::Operation *op, llvm::MutableArrayRef<mlir::AffineExpr> at) const;
  mlir::AffineExpr getExtent(mlir::AffineExpr extent) const {
    return getKnownExtent(extents, extent);
  }

private:
  void undo(const ScheduledOp &scheduled, const DomainTransform &transform, IdIndices &ids) const;
  void apply(const ScheduledOp &scheduled, const DomainTransform &transform, IdIndices &ids) const;
  mlir::AffineExpr swizzle(const ScheduledOp &scheduled, const DomainTransform &transform,
                           mlir::AffineExpr first, mlir::AffineExpr second) const;
  bool takeEqual(const ScheduledOp &scheduled, unsigned id, IdIndices &ids) const;
  mlir::AffineExpr indexResized(const ScheduledOp &scheduled, const DimMap &map,
                                llvm::ArrayRef<mlir::AffineExpr> ids) const;
  bool staysInside(const ScheduledOp &scheduled, const DimMap &map, mlir::AffineExpr extent) const;
  mlir::AffineExpr getScalar(mlir::Value scalar) const;
  mlir::AffineExpr constant(const ScheduledOp &scheduled, int64_t value) const {
    return mlir::getAffineConstantExpr(value, scheduled.op->getContext());
  }
  mlir::AffineExpr getIdExtent(const ScheduledOp &scheduled, unsigned id) const {
    return getExtent(scheduled.getExtent(id));
  }

  const ExtentAnalysis &extents;
  EqualIds &equalIds;
  std::function<mlir::AffineExpr(const Loop &)> getLoopIndex;
  std::function<mlir::AffineExpr(mlir::Value)> getScalarIndex;
  std::function<mlir::AffineExpr(mlir::AffineExpr, mlir::AffineExpr)> getXor;
};

/// The @vectorize loop of an op, which is its innermost; null if there is none.
const Loop *getVectorLoop(const ScheduledOp &scheduled);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_OPINDICES_H
