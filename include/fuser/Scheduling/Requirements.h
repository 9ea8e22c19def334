//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vector widths, and the facts that make them legal.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_REQUIREMENTS_H
#define FUSER_SCHEDULING_REQUIREMENTS_H

#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/Scheduler.h"
#include "fuser/Scheduling/SizeHints.h"

namespace fuser {

/// An output is stored in a loop over a dimension that is missing from it, and the trip count of
/// the loop may be 0.
inline constexpr llvm::StringLiteral kMayBeEmpty = "may-be-empty";

/// Vectors are wider than sizes, strides and pointers allow.
inline constexpr llvm::StringLiteral kVectorTooWide = "vector-too-wide";
/// Bytes of the widest vector: several accesses.
inline constexpr int64_t kWidestVectorBytes = 64;

/// A dimension that is missing from the result of an op in the loops over this dimension.
struct LackedDim {
  unsigned dimClass;
  /// A number in KernelView::getOps.
  unsigned op;
};

/// Collects the facts that a choice relies on. Facts of the kernel, and facts that follow from
/// them, are not collected again.
class Requirements {
public:
  Requirements(const KernelView &kernel, SizeHints hints)
      : kernel(kernel), hints(std::move(hints)) {}

  /// The largest power of two up to `limit` that divides the product of the extents of `classes`,
  /// according to facts and hints; 16 for an unknown size.
  int64_t getDivisor(llvm::ArrayRef<unsigned> classes, int64_t limit) const;
  /// Collects facts that prove that `divisor` (a power of two of at most getDivisor) divides the
  /// product.
  void requireDivisor(llvm::ArrayRef<unsigned> classes, int64_t divisor);
  /// Collects that `count` divides the product if it is a power of two that divides that of the
  /// hints: no group of `count` iterations has bounds checks. Other sizes run code with these
  /// checks, which is compiled for the first of them.
  void requireWhole(llvm::ArrayRef<unsigned> classes, int64_t count);
  /// The same for the `count` rows of a block, of which the checks take little time: for tensors of
  /// many elements.
  void requireWholeBlocks(llvm::ArrayRef<unsigned> classes, int64_t count);
  /// Collects that none of the extents is 0; false if no fact can state this.
  bool requireNonEmpty(llvm::ArrayRef<unsigned> classes);
  /// The same for dimensions that ops lack, which would not be computed without iterations. Refuses
  /// the first one that is 0, or of which no fact can state that it is not; and in a kernel that
  /// allows empty values, any that may be 0. The answer depends on the kernel alone: `accepts` has
  /// it, and `choose` and `apply` collect.
  std::optional<Refusal> requireNonEmpty(llvm::ArrayRef<LackedDim> lacked);
  /// Collects that the product of the extents is at most `bound`; false if no fact can state this.
  bool requireAtMost(llvm::ArrayRef<unsigned> classes, int64_t bound);

  /// Collects that the extent is at least `bound`; false if no fact can state this.
  bool requireAtLeast(unsigned dimClass, int64_t bound);

  /// Collects that the extents equal the hints, for code specialized to one size, except for
  /// extents that facts bound to a range. Returns false and collects nothing if one is unknown or
  /// no fact can state this.
  bool requireExactly(llvm::ArrayRef<unsigned> classes);
  /// The largest product of the extents if facts bound at least one of them to a range: from both
  /// sides, to several sizes of at least 2. The others have the size of their hints. nullopt if
  /// there is no range, or a size is unknown.
  std::optional<int64_t> getRangeEnd(llvm::ArrayRef<unsigned> classes) const;

  /// The widest vector, in elements, along the merged dimensions `inner` (slowest first), `bytes`
  /// per access. It lies in some of the fastest of them, and every tensor that has any of these
  /// allows it; to others (a weight of each channel next to whole images) its elements are one.
  /// Tensors that are not `selected` are ignored.
  int64_t getVectorWidth(llvm::ArrayRef<unsigned> inner, int64_t bytes = 16,
                         llvm::function_ref<bool(const GlobalTensor &)> selected = {}) const;
  /// Refuses vectors that are wider than getVectorWidth allows.
  std::optional<Refusal>
  checkVectorWidth(llvm::ArrayRef<unsigned> inner, int64_t width,
                   llvm::function_ref<bool(const GlobalTensor &)> selected = {}) const;
  /// The same by strides and pointers alone, of vectors that may end beyond the last element.
  int64_t getAccessWidth(llvm::ArrayRef<unsigned> inner, int64_t bytes = 16,
                         llvm::function_ref<bool(const GlobalTensor &)> selected = {}) const;
  /// True if vectors along `inner` are adjacent elements of the tensor.
  bool allowsVectors(const GlobalTensor &tensor, llvm::ArrayRef<unsigned> inner) const;
  /// Collects facts that make `width` along `inner` legal for all tensors that allow vectors.
  void requireVectorWidth(llvm::ArrayRef<unsigned> inner, int64_t width);
  /// The same of vectors that may end beyond the last element.
  void requireAccessWidth(llvm::ArrayRef<unsigned> inner, int64_t width);
  /// True if no fact denies that all rows of the tensor are aligned to vectors of `width` elements.
  bool mayBeAligned(const GlobalTensor &tensor, int64_t width) const;
  /// Collects the fact that the tensor is aligned to vectors of `width` elements, as far as is
  /// known of it.
  void requireAlignment(const GlobalTensor &tensor, int64_t width);

  /// Collects that all tensors can be indexed with 32 bits, and larger values that are reduced
  /// again, if all sizes are known and small enough; otherwise nothing.
  void requireShortIndices();

  /// The product of the extents if it is known.
  std::optional<int64_t> getSize(llvm::ArrayRef<unsigned> classes) const;

  /// The collected facts, in a fixed order, without duplicates.
  llvm::SmallVector<FactAttr> takeFacts();

private:
  void add(FactAttr fact);
  /// The product of `factors` if it is known.
  std::optional<int64_t> getSize(llvm::ArrayRef<mlir::AffineExpr> factors) const;
  /// Collects that the sizes of a value are at most so large that 32 bits count its elements.
  void requireShortIndices(mlir::Value value);
  /// Collects facts of the symbols of `expr` that prove that `divisor` divides it.
  void proveDivisor(mlir::AffineExpr expr, int64_t divisor);
  /// Collects facts of the symbols of `extent` that prove that it is not 0. Returns false if no
  /// facts can.
  bool proveNonEmpty(mlir::AffineExpr extent);
  /// The largest value of an extent that facts bound to a range; nullopt for others.
  std::optional<int64_t> getRangeEnd(mlir::AffineExpr extent) const;
  /// The fastest dimensions of `inner`, as many as possible, in which vectors of `width` lie; all
  /// if they cross the ends of rows, or if it is too wide.
  llvm::ArrayRef<unsigned> getVectorDims(llvm::ArrayRef<unsigned> inner, int64_t width) const;

  const KernelView &kernel;
  SizeHints hints;
  llvm::SmallVector<FactAttr> facts;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_REQUIREMENTS_H
