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
  // Rewrites, layout hints, distribution, and last the default order of every value.
}

void fuser::registerPresegPipeline() {
  PassPipelineRegistration<>("fuser-preseg", "All passes on fusions before segmentation",
                             buildPresegPipeline);
}
