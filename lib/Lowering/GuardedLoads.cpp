//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads under guards: paddings, shifted reads, parts that are joined.
//
//===----------------------------------------------------------------------===//

#include "GuardedLoads.h"
#include "BufferedLoads.h"
#include "CommonGuards.h"
#include "EarlyLoads.h"
#include "InteriorVersion.h"
#include "LoadedConstants.h"
#include "SharedLoads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuser;

static bool hasBranches(gpu::GPUFuncOp function) {
  return function.walk([](scf::IfOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void fuser::optimizeGuardedLoads(gpu::GPUFuncOp function, const LaunchSizes &launch) {
  if (isStraight(function) && hasBranches(function)) {
    foldKnownIndices(function, launch);
    branchOnCommonGuard(function);
    addInteriorVersion(function, launch);
    promoteLoadedBuffers(function);
    shareLoads(function);
  }
  selectBeforeLoads(function);
  yieldLoadedWords(function);
}
