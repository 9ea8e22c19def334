//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Dialect/IR/HostStreamOps.h"

using namespace mlir;
using namespace fuser;

LaunchOp fuser::getPrecedingLaunch(LaunchOp launch) {
  if (!isa_and_nonnull<HostOp>(launch->getParentOp()))
    return {};
  for (Operation *op = launch->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto other = dyn_cast<LaunchOp>(op))
      return other;
    if (isa<CopyOp, LibraryCallOp, ForOp, StreamOp, RecordOp, WaitOp>(op))
      return {};
  }
  return {};
}
