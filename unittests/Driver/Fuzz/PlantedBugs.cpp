//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

static std::vector<PlantedBug> join(std::initializer_list<ArrayRef<PlantedBug>> parts) {
  std::vector<PlantedBug> bugs;
  for (ArrayRef<PlantedBug> part : parts)
    bugs.insert(bugs.end(), part.begin(), part.end());
  return bugs;
}

std::vector<PlantedBug> fuser::fuzz::getPlantedBugs() {
  return join({getBarrierBugs(), getCopyBugs(), getStoreBugs(), getLaunchBugs(), getIndexBugs(),
               getValueBugs()});
}

std::vector<PlantedBug> fuser::fuzz::getAllPlantedBugs() {
  return join({getBarrierBugs(), getCopyBugs(), getStoreBugs(), getLaunchBugs(), getIndexBugs(),
               getValueBugs(), getProductBugs()});
}

void fuser::fuzz::plant(const PlantedBug &bug, ModuleOp module) {
  module.walk([&](gpu::GPUFuncOp kernel) { bug.plant(kernel); });
}
