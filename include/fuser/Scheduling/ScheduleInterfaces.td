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
    attribute; `fuser-apply-schedules` finds the scheduler by the name that the attribute gives.
  }];
  let methods = [
    InterfaceMethod<"Name of the scheduler that applies these parameters.", "::llvm::StringRef", "getSchedulerName">,
  ];
}

#endif // FUSER_SCHEDULING_SCHEDULEINTERFACES_TD
