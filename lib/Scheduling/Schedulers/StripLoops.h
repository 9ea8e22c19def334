//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of strips of columns, and the copies of them in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPLOOPS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPLOOPS_H

#include "fuser/Scheduling/ReductionShape.h"

namespace fuser {

/// The kept dimensions that are faster than a reduced one, slowest first: those of a strip.
llvm::SmallVector<unsigned> getStripColumns(const ReductionShape &shape);

/// Sets the loops of the reference: [strips by block, steps, unroll, cluster, rows, columns, part,
/// vector].
mlir::LogicalResult setStripLoops(const KernelView &kernel, const ReductionShape &shape,
                                  OuterPersistentParamsAttr params);

/// Loads for which `isKept` holds and that several steps read go to shared memory, by asynchronous
/// copies where a thread copies 4, 8 or 16 bytes.
mlir::LogicalResult keepStrips(const KernelSchedule &schedule, TensorViewOpInterface reference,
                               llvm::function_ref<bool(TensorViewOpInterface)> isKept,
                               int64_t vector);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_STRIPLOOPS_H
