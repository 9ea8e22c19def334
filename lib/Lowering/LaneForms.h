//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the indices of an op differ between the lanes of its vector.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LANEFORMS_H
#define FUSER_LIB_LOWERING_LANEFORMS_H

#include "EqualIds.h"

namespace fuser {

enum class LaneForm {
  /// No loop determines the index.
  Unknown,
  /// All lanes have one index.
  Equal,
  /// base + 0, 1, 2, ... with a base that is a multiple of the width.
  Consecutive,
  Mixed,
};

/// By id of an op.
using IdForms = llvm::SmallVector<LaneForm>;

/// The indices at which an op reads an operand.
struct OperandForms {
  struct Dim {
    LaneForm form = LaneForm::Equal;
    /// The id of the op that has this index, or `kNoId`.
    unsigned id = kNoId;
  };
  llvm::SmallVector<Dim> dims;
  /// Lanes may differ in whether the operand has the element.
  bool insideVaries = false;
  /// Read at an offset or at an index that is data: read element by element, unless facts prove
  /// that it is one vector in memory.
  bool isMoved = false;
};

/// Queries on the ids of scheduled ops, for accesses of `width` elements: the vector of the op, or
/// 1 for one lane of it.
class LaneForms {
public:
  LaneForms(const ExtentAnalysis &extents, EqualIds &equalIds)
      : extents(extents), equalIds(equalIds) {}

  /// The elements of the op's vector.
  static int64_t getWidth(const ScheduledOp &scheduled);
  /// The ids from the loops back to the root.
  IdForms getIds(const ScheduledOp &scheduled, int64_t width) const;
  /// Adds ids that others determine: those of an allocation domain.
  void applyForward(const ScheduledOp &scheduled, IdForms &ids, int64_t width) const;
  /// The ids of a producer at the element that a consumer reads at `at`.
  IdForms getProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer, unsigned operand,
                         llvm::ArrayRef<LaneForm> ids, const OperandForms &at, int64_t width) const;
  /// Where an operand is read. Dimensions that are read whole have one index.
  OperandForms getOperand(const ScheduledOp &scheduled, unsigned operand,
                          llvm::ArrayRef<LaneForm> ids, int64_t width, bool isGuarded) const;
  /// True if a vector of the op may have elements that exist next to ones that do not: it was
  /// resized by an amount that is no multiple of the width. All are computed, from zeros if nothing
  /// is read.
  bool isRagged(const ScheduledOp &scheduled) const;

private:
  bool takeEqual(const ScheduledOp &scheduled, unsigned id, IdForms &ids) const;
  void undo(const ScheduledOp &scheduled, const DomainTransform &transform, IdForms &ids,
            int64_t width) const;
  LaneForm undoForm(const ScheduledOp &scheduled, const DomainTransform &transform, unsigned input,
                    llvm::ArrayRef<LaneForm> ids, int64_t width) const;
  LaneForm applyForm(const ScheduledOp &scheduled, const DomainTransform &transform,
                     unsigned output, llvm::ArrayRef<LaneForm> ids, int64_t width) const;
  OperandForms::Dim getRoot(const ScheduledOp &scheduled, unsigned root,
                            llvm::ArrayRef<LaneForm> ids) const;
  OperandForms::Dim getResized(const ScheduledOp &scheduled, const DimMap &map,
                               mlir::AffineExpr extent, llvm::ArrayRef<LaneForm> ids,
                               int64_t width) const;
  bool hasOneIndex(const ScheduledOp &scheduled, unsigned operand, llvm::ArrayRef<LaneForm> ids,
                   int64_t width) const;
  bool divides(const ScheduledOp &scheduled, unsigned id, int64_t width) const;

  const ExtentAnalysis &extents;
  EqualIds &equalIds;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LANEFORMS_H
