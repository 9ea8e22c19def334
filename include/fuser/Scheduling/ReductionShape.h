//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reduced and the kept dimensions of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_REDUCTIONSHAPE_H
#define FUSER_SCHEDULING_REDUCTIONSHAPE_H

#include "fuser/Scheduling/KernelSchedule.h"

namespace fuser {

/// Codes of refusals that schedulers of reductions share. The kernel has no reduction, but the
/// scheduler needs one.
inline constexpr llvm::StringLiteral kNoReduction = "no-reduction";
/// Reductions over different dimensions.
inline constexpr llvm::StringLiteral kMixedReductions = "mixed-reductions";
/// A reduced dimension is used again after its reduction, and this scheduler is not persistent.
inline constexpr llvm::StringLiteral kNeedsPersistence = "needs-persistence";
/// The row does not fit into registers.
inline constexpr llvm::StringLiteral kRowTooLong = "row-too-long";

/// Whether a scheduler accepts reductions over the fastest of the reduced dimensions alone (the
/// scale of each block of a row), next to those over all of them.
enum class PartsOfRows { None, Accepted };

/// The dimensions of a kernel whose reductions all reduce the same ones of the same space, or the
/// fastest of these (PartsOfRows). Lists of classes go from slowest to fastest in memory.
struct ReductionShape {
  /// The first reduction over all reduced dimensions: it has every dimension of the kernel. Ops are
  /// numbers in KernelView::getOps.
  unsigned reference = 0;
  /// All dimensions.
  llvm::SmallVector<unsigned> order;
  /// Those that are reduced, in two groups: the fastest of `order` if they are reduced, and the
  /// rest.
  llvm::SmallVector<unsigned> innerReduced, outerReduced;
  /// Those that are kept, likewise.
  llvm::SmallVector<unsigned> innerKept, outerKept;
  /// The last of `innerReduced`, whose threads are adjacent: those that some reductions reduce
  /// alone, or the runs in memory of a tile. Empty if a row has no such parts.
  llvm::SmallVector<unsigned> part;
  /// Dimensions that are missing from an output stored inside their loops: none may be empty.
  llvm::SmallVector<LackedDim> lacked;
  /// Ops that depend on a reduction.
  llvm::SmallVector<unsigned> behind;
  /// The first of them that uses a reduced dimension again.
  std::optional<unsigned> reuse;

  /// True if the fastest dimension is reduced (or if no dimension is kept).
  bool isInner() const { return innerKept.empty(); }
  bool isReduced(unsigned dimClass) const {
    return llvm::is_contained(innerReduced, dimClass) || llvm::is_contained(outerReduced, dimClass);
  }

  TensorViewOpInterface getReference(const KernelView &kernel) const {
    return kernel.getOps()[reference];
  }
  /// The reductions over all reduced dimensions.
  llvm::SmallVector<TensorViewOpInterface> getReductionsOfRows(const KernelView &kernel) const;
  /// Cuts before the uses of a reduced dimension after a reduction, for schedulers that are not
  /// persistent: between the reduced results and their uses by whole rows.
  llvm::SmallVector<mlir::OpOperand *> getCutsAtReuse(const KernelView &kernel) const;

  /// Bytes of the widest element of the arguments that have all dimensions; at least 1.
  int64_t getElementBytes(const KernelView &kernel) const;
  /// Bytes of one element of each of these.
  int64_t getBytesRead(const KernelView &kernel) const;

  /// Tensors (numbers in KernelView::getTensors) with all dimensions, but another fastest one, and
  /// outputs that are written across their rows: adjacent threads of a loop over `order` access
  /// elements that are apart.
  llvm::SmallVector<unsigned, 2> getScattered(const KernelView &kernel) const;

  /// All reduced dimensions.
  llvm::SmallVector<unsigned> getReduced() const;
  /// All kept dimensions.
  llvm::SmallVector<unsigned> getKept() const;
  /// Those that are not in `part`.
  llvm::SmallVector<unsigned> getPartsOfRow() const;

  /// The common shape of the reductions, or the reason for which there is none. Values of which
  /// `parts` permits to read a part have the dimensions of the whole.
  static std::variant<ReductionShape, Refusal> get(const KernelView &kernel,
                                                   PartsOfValues parts = PartsOfValues::None,
                                                   PartsOfRows rows = PartsOfRows::None);

private:
  std::optional<Refusal> findReduced(const KernelView &kernel, PartsOfRows rows,
                                     llvm::SmallVectorImpl<unsigned> &reduced);
  void setOrder(const KernelView &kernel, llvm::ArrayRef<unsigned> all,
                llvm::ArrayRef<unsigned> reduced);
};

} // namespace fuser

#endif // FUSER_SCHEDULING_REDUCTIONSHAPE_H
