//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//

#ifndef FUSER_SCHEDULING_SCHEDULEINTERFACES_TD
#define FUSER_SCHEDULING_SCHEDULEINTERFACES_TD

include "mlir/IR/OpBase.td"

def FuserSched_ScheduleParamsInterface : AttrInterface<"ScheduleParamsInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    Parameters of a schedule: what a scheduler's *choose* returns and its *apply* reads. Any dialect may have such an
    attribute; `fuser-apply-schedules` finds the scheduler by the name that the attribute gives. An attribute that
    describes its parameters, as those of `fuser_sched` do, can be varied: `fuser-tune` measures what is near a choice.
  }];
  let methods = [
    InterfaceMethod<"Name of the scheduler that applies these parameters.", "::llvm::StringRef", "getSchedulerName">,
    InterfaceMethod<"The parameters in the order of their text; by default none are described.",
      "::llvm::SmallVector<::fuser::ScheduleParameter>", "getParameters", (ins), "", "return {};">,
    InterfaceMethod<"The same parameters with other values, one for each of getParameters. Null, after `emitError`, if the "
      "verifier refuses them.",
      "::fuser::ScheduleParamsInterface", "withValues",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError, "::llvm::ArrayRef<int64_t>":$values), "",
      "return {};">,
  ];
}

#endif // FUSER_SCHEDULING_SCHEDULEINTERFACES_TD
