//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What persistent schedulers do so that loads alone stay in registers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_RECOMPUTEROWS_H
#define FUSER_SCHEDULING_RECOMPUTEROWS_H

#include "fuser/Scheduling/KernelSchedule.h"

namespace fuser {

/// True where `op` depends on `source`, or is it.
bool isReached(mlir::Operation *source, mlir::Operation *op);

/// Computes rows of intermediate values again behind each of `reductions`, from the loads and from
/// what has no row: so the loads alone are kept. A row is what has a dimension that the first of
/// them reduces.
void recomputeRows(const KernelSchedule &schedule,
                   llvm::ArrayRef<TensorViewOpInterface> reductions);

} // namespace fuser

#endif // FUSER_SCHEDULING_RECOMPUTEROWS_H
