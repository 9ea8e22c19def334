//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of the preseg passes.
//
//===----------------------------------------------------------------------===//

#include "fuser/Preseg/Pipeline.h"
#include "fuser/Preseg/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fuser;

void fuser::buildPresegPipeline(OpPassManager &manager, StringRef markBoundaries,
                                std::shared_ptr<const SchedulerRegistry> registry) {
  // docs/preseg.md explains this order.
  // Marks name the operations of the program, which rewrites replace.
  if (!markBoundaries.empty()) {
    FuserMarkBoundariesOptions options;
    options.at = markBoundaries.str();
    manager.addNestedPass<FusionOp>(createFuserMarkBoundaries(options));
  }
  // Front-end requests for output orders must be known before any rewrite.
  manager.addNestedPass<FusionOp>(createFuserResolveStrideOrders());
  // Known sizes enable the rewrites below.
  manager.addNestedPass<FusionOp>(createFuserSubstituteExtents());
  // Remove redundant work.
  manager.addNestedPass<FusionOp>(createFuserRemoveEmpty());
  manager.addNestedPass<FusionOp>(createFuserReducePads());
  manager.addNestedPass<FusionOp>(createFuserSqueezeReductions());
  manager.addNestedPass<FusionOp>(createFuserDeriveMaxima());
  manager.addNestedPass<FusionOp>(createFuserExpandPowers());
  manager.addNestedPass<FusionOp>(createFuserJoinInsertions());
  manager.addNestedPass<FusionOp>(createFuserCancelSplits());
  manager.addNestedPass<FusionOp>(createFuserHoistRolls());
  // Flips move above what scans become, and pads and slices still are at them.
  manager.addNestedPass<FusionOp>(createFuserHoistFlips());
  manager.addNestedPass<FusionOp>(createFuserShiftScans());
  manager.addNestedPass<FusionOp>(createFuserMultiplyOuterProducts());
  // Its slices are hoisted below.
  manager.addNestedPass<FusionOp>(createFuserUnrollReductions());
  // Before slices move across insertions, and scatters become selections.
  manager.addNestedPass<FusionOp>(createFuserPushUpdates());
  manager.addNestedPass<FusionOp>(createFuserReduceScatters());
  manager.addNestedPass<FusionOp>(createFuserSumSelections());
  manager.addNestedPass<FusionOp>(createFuserExpandRepeats());
  manager.addNestedPass<FusionOp>(createFuserCancelBroadcasts());
  // Move the remaining work to a better place.
  manager.addNestedPass<FusionOp>(createFuserHoistGathers());
  manager.addNestedPass<FusionOp>(createFuserHoistSlices());
  // Of functions that slices were below.
  manager.addNestedPass<FusionOp>(createFuserHoistGathers());
  manager.addNestedPass<FusionOp>(createFuserSinkRepeats());
  manager.addNestedPass<FusionOp>(createFuserSinkJoins());
  manager.addNestedPass<FusionOp>(createFuserHoistPads());
  manager.addNestedPass<FusionOp>(createFuserPadOperands());
  manager.addNestedPass<FusionOp>(createFuserJoinOperands());
  // No pass below looks for concatenations.
  manager.addNestedPass<FusionOp>(createFuserInterleaveParts());
  // Selections of parts have reshapes of their own.
  manager.addNestedPass<FusionOp>(createFuserFoldReshapes());
  manager.addNestedPass<FusionOp>(createFuserFoldCasts());
  // After the passes that change dimensions.
  manager.addNestedPass<FusionOp>(createFuserCloneIndices());
  // Sizes of values that the rewrites created.
  manager.addNestedPass<FusionOp>(createFuserSubstituteExtents());
  // What the next passes split is for a reason.
  manager.addNestedPass<FusionOp>(createFuserMergeReductions());
  // By the memory orders that hints will follow.
  manager.addNestedPass<FusionOp>(createFuserSplitReductions());
  manager.addNestedPass<FusionOp>(createFuserShareReductions());
  // Of reductions that are final.
  manager.addNestedPass<FusionOp>(createFuserDeriveMoments());
  // Boundaries.
  manager.addNestedPass<FusionOp>(createFuserNarrowBoundaries());
  // Boundaries that stay where they are.
  manager.addNestedPass<FusionOp>(createFuserPlacePushes());
  manager.addNestedPass<FusionOp>(createFuserMarkAliases());
  manager.addNestedPass<FusionOp>(createFuserProtectUpdates());
  // Hints apply to the values that remain after the rewrites.
  manager.addNestedPass<FusionOp>(createInferAllocationOrderPass(std::move(registry)));
  // Distribution is what the program states. A pass that propagates it between values would run
  // here.
  manager.addNestedPass<FusionOp>(createFuserFinalizeDomains());
  manager.addNestedPass<FusionOp>(createFuserVerifyDistribution());
}

void fuser::registerPresegPipeline(std::shared_ptr<const SchedulerRegistry> registry) {
  PassPipelineRegistration<>("fuser-preseg", "All passes on fusions before segmentation",
                             [registry = std::move(registry)](OpPassManager &manager) {
                               buildPresegPipeline(manager, "", registry);
                             });
}
