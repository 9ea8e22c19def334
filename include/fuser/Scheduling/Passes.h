//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td. They work with a registry of schedulers
// that the caller supplies.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_PASSES_H
#define FUSER_SCHEDULING_PASSES_H

#include "fuser/Scheduling/SchedulerRegistry.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <optional>

namespace fuser {

class ScheduleCache;
class ScheduleLibrary;

#define GEN_PASS_DECL
#include "fuser/Scheduling/Passes.h.inc"

/// Writes the parameters of the scheduler with the lowest predicted time to one kernel. Refusals
/// become remarks if `explain` is set. Fails with a diagnostic if no scheduler accepts the kernel.
/// `only`: queries just this scheduler of the registry.
mlir::LogicalResult chooseSchedule(KernelOp kernel, const SchedulerRegistry &registry,
                                   const SizeHints &hints,
                                   const artifact::DeviceDescription &device, bool explain,
                                   const Scheduler *only = nullptr);

/// Applies the parameters of one kernel; does nothing if it has none or if its ops are already
/// scheduled.
mlir::LogicalResult applySchedule(KernelOp kernel, const SchedulerRegistry &registry);

/// True if an op of the fusion or kernel has loop transforms, a parallel type, a memory type or an
/// inline position. (An allocation alone is no schedule.)
bool isScheduled(mlir::FunctionOpInterface program);

/// True if the op is scheduled: a stride order alone is not a schedule.
bool hasSchedule(mlir::Operation *op);

using SharedRegistry = std::shared_ptr<const SchedulerRegistry>;
/// Chooses for `device`, if it is given, instead of the known device that `options.target` names:
/// an available device has its own limits and rates. `cache`: what segmentation has already
/// scheduled in this compilation, or null. `library`: schedules of kernels that no scheduler is
/// asked for, or null.
std::unique_ptr<mlir::Pass>
createChooseSchedulesPass(SharedRegistry registry, const FuserChooseSchedulesOptions &options = {},
                          std::optional<artifact::DeviceDescription> device = std::nullopt,
                          std::shared_ptr<ScheduleCache> cache = nullptr,
                          std::shared_ptr<const ScheduleLibrary> library = nullptr);
std::unique_ptr<mlir::Pass>
createApplySchedulesPass(SharedRegistry registry, std::shared_ptr<ScheduleCache> cache = nullptr);

/// Registers both passes with the global pass registry, over this registry of schedulers.
void registerSchedulingPasses(SharedRegistry registry);

} // namespace fuser

#endif // FUSER_SCHEDULING_PASSES_H
