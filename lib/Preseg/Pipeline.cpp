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

void fuser::buildPresegPipeline(OpPassManager &manager) {
  // docs/preseg.md says why the order is this one.
  // What a front end asks of outputs is known before anything is rewritten.
  manager.addNestedPass<FusionOp>(createFuserResolveStrideOrders());
  // What is known of sizes, for all that follows.
  manager.addNestedPass<FusionOp>(createFuserSubstituteExtents());
  // Less to do.
  manager.addNestedPass<FusionOp>(createFuserRemoveEmpty());
  manager.addNestedPass<FusionOp>(createFuserSqueezeReductions());
  manager.addNestedPass<FusionOp>(createFuserCancelSplits());
  manager.addNestedPass<FusionOp>(createFuserMultiplyOuterProducts());
  manager.addNestedPass<FusionOp>(createFuserReduceScatters());
  manager.addNestedPass<FusionOp>(createFuserExpandRepeats());
  manager.addNestedPass<FusionOp>(createFuserCancelBroadcasts());
  // The same in a better place.
  manager.addNestedPass<FusionOp>(createFuserHoistGathers());
  manager.addNestedPass<FusionOp>(createFuserHoistSlices());
  manager.addNestedPass<FusionOp>(createFuserSinkRepeats());
  manager.addNestedPass<FusionOp>(createFuserHoistPads());
  manager.addNestedPass<FusionOp>(createFuserPadOperands());
  manager.addNestedPass<FusionOp>(createFuserFoldCasts());
  // Sizes of what the rewrites made.
  manager.addNestedPass<FusionOp>(createFuserSubstituteExtents());
  // Boundaries.
  manager.addNestedPass<FusionOp>(createFuserNarrowBoundaries());
  manager.addNestedPass<FusionOp>(createFuserMarkAliases());
  manager.addNestedPass<FusionOp>(createFuserProtectUpdates());
  // Hints are for the values that the rewrites leave.
  manager.addNestedPass<FusionOp>(createInferAllocationOrderPass(nullptr));
  // Distribution is what the program says; to propagate it from value to value belongs here.
  manager.addNestedPass<FusionOp>(createFuserFinalizeDomains());
  manager.addNestedPass<FusionOp>(createFuserVerifyDistribution());
}

void fuser::registerPresegPipeline() {
  PassPipelineRegistration<>("fuser-preseg", "All passes on fusions before segmentation",
                             buildPresegPipeline);
}
