//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plan of a transposition, which both kinds of its tiles share.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEPLAN_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEPLAN_H

#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/Scheduler.h"
#include "llvm/ADT/STLExtras.h"

namespace fuser {

/// What is transposed, and the loops that do it.
struct TransposePlan : Plan {
  ReferenceOutput reference;
  /// The dimensions of the loops from slowest to fastest: in the order of the reference, or of the
  /// arguments.
  llvm::SmallVector<unsigned> order;
  /// The fastest dimensions of the reference and of the transposed tensors, slowest first: merged,
  /// they are the sides of a tile.
  llvm::SmallVector<unsigned> out, in;
  /// Arguments and outputs that are transposed.
  llvm::SmallVector<unsigned> transposedArguments, transposedOutputs;
  /// Bytes that they have for each element.
  int64_t transposedBytes = 0;
  /// The dimensions that are faster than `in` in all tensors of the order of `out`, and those that
  /// are faster than `out` in all transposed tensors: sides that a thread may have as a whole. None
  /// if these tensors differ, or have gaps.
  llvm::SmallVector<unsigned> shortOut, shortIn;

  bool isTransposed(const GlobalTensor &tensor) const {
    return llvm::is_contained(tensor.isOutput ? transposedOutputs : transposedArguments,
                              tensor.position);
  }
  /// True for a tensor whose fastest dimension is that of `in` or of `out`: a transposed one, or
  /// one with all dimensions.
  bool isOfSide(const GlobalTensor &tensor, bool isIn) const {
    return isTransposed(tensor) == isIn && (isIn || tensor.order.size() == order.size());
  }
  /// True for a tensor that is read or stored in vectors along `dims`, the fastest dimensions of
  /// `in` or of `out`: one of that side, or a broadcast operand that is contiguous along `dims`.
  bool hasVectors(const GlobalTensor &tensor, bool isIn, llvm::ArrayRef<unsigned> dims,
                  const Requirements &requirements) const {
    return isOfSide(tensor, isIn) ||
           (tensor.order.size() < order.size() && requirements.allowsVectors(tensor, dims));
  }
  /// Those of `dims` that are no side of a tile.
  llvm::SmallVector<unsigned> getOthers(llvm::ArrayRef<unsigned> dims) const {
    llvm::SmallVector<unsigned> others(dims);
    llvm::erase_if(others, [&](unsigned dim) {
      return llvm::is_contained(in, dim) || llvm::is_contained(out, dim);
    });
    return others;
  }
  int64_t getNumTiles() const { return transposedArguments.size() + transposedOutputs.size(); }
  /// The dimensions of both sides, the one whose vectors cross the ends of its rows last.
  llvm::SmallVector<unsigned> getCrossed(bool crossesIn) const {
    llvm::SmallVector<unsigned> dims(crossesIn ? out : in);
    llvm::append_range(dims, crossesIn ? in : out);
    return dims;
  }
  /// True if the loops follow the arguments, so that the reference itself is transposed.
  bool followsArguments() const {
    return llvm::is_contained(transposedOutputs, reference.position);
  }
};

/// True if a part of some dimension is read or joined: its index in a merged dimension, or in the
/// tile of a thread, needs a check or a division.
bool isResized(const KernelView &kernel, llvm::ArrayRef<unsigned> dims);

/// Finds the tensors that are transposed where loops have this order, and the sides of tiles. All
/// of them must have one fastest dimension.
std::optional<Refusal> findTransposed(const KernelView &kernel, llvm::ArrayRef<unsigned> order,
                                      TransposePlan &plan);

/// Lets the loops follow the transposed arguments if less is transposed then: a function of several
/// arguments is computed before its result becomes a tile.
void followArguments(const KernelView &kernel, TransposePlan &plan);

/// Adds slower dimensions to sides that are too short for tiles (the two columns of a patch, and
/// the patches of a row).
void extendShortSides(const KernelView &kernel, TransposePlan &plan);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSEPLAN_H
