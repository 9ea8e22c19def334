//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-verify-schedules: whether scheduled kernels can be lowered.
//
//===----------------------------------------------------------------------===//

#include "fuser/Lowering/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERVERIFYSCHEDULES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
struct VerifySchedules : fuser::impl::FuserVerifySchedulesBase<VerifySchedules> {
  using FuserVerifySchedulesBase::FuserVerifySchedulesBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    options.maxClusterBlocks = maxClusterBlocks;
    bool isRefused = false;
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      isRefused |= failed(verifySchedule(kernel, options));
    if (isRefused)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
