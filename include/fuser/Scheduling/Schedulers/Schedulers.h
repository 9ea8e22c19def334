//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedulers that fuser provides.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H
#define FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H

#include "fuser/Scheduling/SchedulerRegistry.h"

namespace fuser {

/// `pointwise`: elementwise ops and broadcasts of any rank, one value of which has all dimensions.
std::unique_ptr<Scheduler> createPointwiseScheduler();

/// `transpose`: elementwise ops whose inputs and outputs have different fastest dimensions. Tiles
/// go through shared memory.
std::unique_ptr<Scheduler> createTransposeScheduler();

/// `reduction`: reductions over the same dimensions, whose inputs are not used again after them.
std::unique_ptr<Scheduler> createReductionScheduler();

/// `inner_persistent`: reductions over the fastest dimensions whose inputs are used again after
/// them: softmax, layer norm, RMS norm. Rows are kept in registers.
std::unique_ptr<Scheduler> createInnerPersistentScheduler();

/// `inner_outer`: reductions over the fastest dimensions whose inputs are used again after them,
/// and sums over all others: gradients of norms. Rows are kept in registers; one cooperative
/// kernel.
std::unique_ptr<Scheduler> createInnerOuterScheduler();

/// `single_op`: exactly one op of any family that has an elementwise form or a combiner.
std::unique_ptr<Scheduler> createSingleOpScheduler();

/// A registry of all of these, the fallback last.
std::shared_ptr<SchedulerRegistry> createDefaultRegistry();

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H
