//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recomputation by which persistent schedulers keep only loads in registers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_RECOMPUTEROWS_H
#define FUSER_SCHEDULING_RECOMPUTEROWS_H

#include "fuser/Scheduling/KernelSchedule.h"

namespace fuser {

/// True if `op` is `source` or depends on it.
bool isReached(mlir::Operation *source, mlir::Operation *op);

/// True if a dimension of the result is not one of any operand: the op makes it, or reads at an
/// offset.
bool makesDimension(TensorViewOpInterface op);

/// Recomputing a row by more ops than this takes longer than keeping it, and chains of reductions
/// would grow with the square of their length.
inline constexpr size_t kMaxRecomputedOps = 16;

/// Recomputes rows of intermediate values after each of `reductions`, from the loads and from
/// values without rows, so that only the loads are kept, and values that take many ops to
/// recompute. A value has rows if it has a dimension that each reduction reduces. A load of a value
/// that has some of these dimensions, and not others, is repeated as well.
void recomputeRows(const KernelSchedule &schedule,
                   llvm::ArrayRef<TensorViewOpInterface> reductions);

} // namespace fuser

#endif // FUSER_SCHEDULING_RECOMPUTEROWS_H
