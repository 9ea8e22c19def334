//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-verify-schedules: whether scheduled kernels can be lowered.
//
//===----------------------------------------------------------------------===//

#include "fuser/Lowering/Passes.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERVERIFYSCHEDULES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

LogicalResult fuser::verifySchedule(KernelOp kernel, LoweringOptions options) {
  options.verifyOnly = true;
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(kernel.getLoc());
  auto copy = cast<KernelOp>(kernel->clone());
  scratch->push_back(copy);
  OpBuilder builder(copy);
  return success(succeeded(lowerKernel(copy, builder, options)));
}

namespace {
struct VerifySchedules : fuser::impl::FuserVerifySchedulesBase<VerifySchedules> {
  using FuserVerifySchedulesBase::FuserVerifySchedulesBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    bool isRefused = false;
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      isRefused |= failed(verifySchedule(kernel, options));
    if (isRefused)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
