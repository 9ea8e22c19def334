//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels that are lowered in stages.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "Stages.h"

using namespace mlir;
using namespace fuser;

static bool isStagedOp(const ScheduledOp &scheduled) {
  return isa<CombinerOpInterface, ScanOpInterface, ElementwiseOpInterface, WholeReadOpInterface>(
      scheduled.op);
}

bool fuser::isStaged(const CheckedKernel &checked) {
  return llvm::all_of(checked.nest->getOps(),
                      [](const auto &scheduled) { return isStagedOp(*scheduled); });
}
