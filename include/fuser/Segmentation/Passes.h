//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td. Segmentation asks schedulers, which the
// caller supplies.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_PASSES_H
#define FUSER_SEGMENTATION_PASSES_H

#include "fuser/Scheduling/ScheduleVerifier.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <optional>

namespace fuser {

class ScheduleCache;

#define GEN_PASS_DECL
#include "fuser/Segmentation/Passes.h.inc"

#define GEN_PASS_REGISTRATION_FUSEROUTLINEKERNELS
#include "fuser/Segmentation/Passes.h.inc"

/// Segments for `device`, if it is given, instead of the known device that `options.target` names.
/// `cache` gets the schedules that `verifier` has checked, for the passes that follow; may be null.
std::unique_ptr<mlir::Pass>
createSegmentFusionsPass(std::shared_ptr<const SchedulerRegistry> registry,
                         const FuserSegmentFusionsOptions &options = {},
                         std::optional<artifact::DeviceDescription> device = std::nullopt,
                         ScheduleVerifier verifier = {},
                         std::shared_ptr<ScheduleCache> cache = nullptr);

/// Predicts times for `device`, if it is given, instead of the known device that `options.target`
/// names. `verifier` checks that lowering takes the schedules of changed kernels; may be empty.
std::unique_ptr<mlir::Pass>
createSettleBoundariesPass(std::shared_ptr<const SchedulerRegistry> registry,
                           const FuserSettleBoundariesOptions &options = {},
                           std::optional<artifact::DeviceDescription> device = std::nullopt,
                           ScheduleVerifier verifier = {});

/// Registers all passes of the room with the global pass registry, over these schedulers.
void registerSegmentationPasses(std::shared_ptr<const SchedulerRegistry> registry,
                                ScheduleVerifier verifier = {});

} // namespace fuser

#endif // FUSER_SEGMENTATION_PASSES_H
