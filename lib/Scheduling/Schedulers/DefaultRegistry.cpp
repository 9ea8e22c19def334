//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace fuser;

std::shared_ptr<SchedulerRegistry> fuser::createDefaultRegistry() {
  auto registry = std::make_shared<SchedulerRegistry>();
#define FUSER_SCHEDULER(Name) registry->add(create##Name##Scheduler());
#include "fuser/Scheduling/Schedulers/Schedulers.inc"
#undef FUSER_SCHEDULER
  return registry;
}
