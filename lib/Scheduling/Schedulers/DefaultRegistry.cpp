//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace fuser;

std::shared_ptr<SchedulerRegistry> fuser::createDefaultRegistry() {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(createTransposeScheduler());
  registry->add(createPointwiseScheduler());
  registry->add(createInnerPersistentScheduler());
  registry->add(createReductionScheduler());
  registry->add(createInnerOuterScheduler());
  registry->add(createSingleOpScheduler());
  return registry;
}
