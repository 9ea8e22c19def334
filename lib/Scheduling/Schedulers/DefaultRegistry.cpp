//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace fuser;

/// The schedulers in the order in which they are queried, the fallback last.
#define FUSER_SCHEDULERS(SCHEDULER)                                                                \
  SCHEDULER(Transpose)                                                                             \
  SCHEDULER(Pointwise)                                                                             \
  SCHEDULER(InnerPersistent)                                                                       \
  SCHEDULER(Reduction)                                                                             \
  SCHEDULER(InnerOuter)                                                                            \
  SCHEDULER(SingleOp)

#define FUSER_DECLARE(Name)                                                                        \
  namespace fuser {                                                                                \
  std::unique_ptr<Scheduler> create##Name##Scheduler();                                            \
  }
FUSER_SCHEDULERS(FUSER_DECLARE)
#undef FUSER_DECLARE

std::shared_ptr<SchedulerRegistry> fuser::createDefaultRegistry() {
  auto registry = std::make_shared<SchedulerRegistry>();
#define FUSER_ADD(Name) registry->add(create##Name##Scheduler());
  FUSER_SCHEDULERS(FUSER_ADD)
#undef FUSER_ADD
  return registry;
}
