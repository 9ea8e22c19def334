//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel reduces and what it keeps, as its schedulers see it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_REDUCTIONSHAPE_H
#define FUSER_SCHEDULING_REDUCTIONSHAPE_H

#include "fuser/Scheduling/KernelSchedule.h"

namespace fuser {

/// Codes of refusals that schedulers of reductions share.
/// No reduction where the scheduler needs one.
inline constexpr llvm::StringLiteral kNoReduction = "no-reduction";
/// Reductions over different dimensions.
inline constexpr llvm::StringLiteral kMixedReductions = "mixed-reductions";
/// A reduced dimension is used again after its reduction, and this scheduler keeps nothing.
inline constexpr llvm::StringLiteral kNeedsPersistence = "needs-persistence";
/// The row does not fit into registers.
inline constexpr llvm::StringLiteral kRowTooLong = "row-too-long";

/// The dimensions of a kernel whose reductions all reduce the same ones of the same space. Lists of
/// classes go from slowest to fastest in memory.
struct ReductionShape {
  /// The first reduction: it has every dimension of the kernel. Ops are numbers in
  /// KernelView::getOps.
  unsigned reference = 0;
  /// All dimensions.
  llvm::SmallVector<unsigned> order;
  /// Those that are reduced, in two groups: the fastest of `order` if they are reduced, and the
  /// rest.
  llvm::SmallVector<unsigned> innerReduced, outerReduced;
  /// Those that are kept, likewise.
  llvm::SmallVector<unsigned> innerKept, outerKept;
  /// Those that an output lacks which is written in loops over them: none may be empty.
  llvm::SmallVector<unsigned> lacked;
  /// Ops that depend on a reduction.
  llvm::SmallVector<unsigned> behind;
  /// The first of them that uses a reduced dimension again.
  std::optional<unsigned> reuse;

  /// True where the fastest dimension is reduced (or where nothing is kept).
  bool isInner() const { return innerKept.empty(); }
  bool isReduced(unsigned dimClass) const {
    return llvm::is_contained(innerReduced, dimClass) || llvm::is_contained(outerReduced, dimClass);
  }

  TensorViewOpInterface getReference(const KernelView &kernel) const {
    return kernel.getOps()[reference];
  }
  /// Cuts before what uses a reduced dimension again behind a reduction, for schedulers that keep
  /// nothing: between the results that were reduced and their uses by whole rows.
  llvm::SmallVector<mlir::OpOperand *> getCutsAtReuse(const KernelView &kernel) const;

  /// The shape, or why the reductions have none in common.
  static std::variant<ReductionShape, Refusal> get(const KernelView &kernel);
};

} // namespace fuser

#endif // FUSER_SCHEDULING_REDUCTIONSHAPE_H
