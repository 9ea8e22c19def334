//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The steps of a kernel whose rows are reduced and used again.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSTEPS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSTEPS_H

#include "fuser/Scheduling/ReductionShape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {

/// True if the op reduces a dimension.
bool isReduction(mlir::Operation *op);

/// The steps of a kernel: a step computes what needs the results of the reductions of the steps
/// before it. A row is computed in each step that reads it, and a reduction or an output in one.
class RowSteps {
public:
  RowSteps(llvm::ArrayRef<TensorViewOpInterface> ops,
           llvm::function_ref<bool(TensorViewOpInterface)> hasRows);

  /// The steps that read the rows of the value.
  llvm::SmallBitVector getReaders(mlir::Value value) const;
  /// The steps that compute the op.
  const llvm::SmallBitVector &getSteps(mlir::Operation *op) const { return steps.find(op)->second; }
  int64_t getNumSteps() const { return numSteps; }
  bool hasRows(mlir::Operation *op) const { return rows.contains(op); }

private:
  unsigned numSteps = 1;
  llvm::DenseMap<mlir::Operation *, llvm::SmallBitVector> steps;
  llvm::SmallPtrSet<mlir::Operation *, 16> rows;
};

/// The steps of a kernel whose reductions have the given shape.
RowSteps getRowSteps(const KernelView &kernel, const ReductionShape &shape);
/// The same of a kernel with caches; `reference` is its first reduction.
RowSteps getRowSteps(const KernelSchedule &schedule, TensorViewOpInterface reference);

/// What rows are computed from is too much to compute again; a step would read what an earlier one
/// has overwritten.
inline constexpr llvm::StringLiteral kCostlyRows = "costly-rows", kOverwritten = "overwritten";

/// Refuses rows that more than one step reads and that many ops compute: each step would compute
/// them again.
std::optional<Refusal> checkCostlyRows(const KernelView &kernel, const ReductionShape &shape,
                                       const RowSteps &steps);
/// Refuses an output that overwrites an argument which a later step reads.
std::optional<Refusal> checkOverwritten(const KernelView &kernel, const ReductionShape &shape,
                                        const RowSteps &steps);

/// Gives each step rows of its own, from loads of its own: afterwards, no row crosses steps, except
/// for results of ops for which `mayCross` holds.
void separateSteps(KernelSchedule &schedule, const RowSteps &steps,
                   llvm::function_ref<bool(TensorViewOpInterface)> mayCross = {});

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSTEPS_H
