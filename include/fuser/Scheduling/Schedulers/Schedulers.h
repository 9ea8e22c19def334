//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedulers that fuser provides.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H
#define FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H

#include "fuser/Scheduling/SchedulerRegistry.h"

namespace fuser {

/// A function for each scheduler in the list of include/fuser/Scheduling/CMakeLists.txt, e.g.
/// createPointwiseScheduler(). docs/schedulers.md says what each of them takes.
#define FUSER_SCHEDULER(Name) std::unique_ptr<Scheduler> create##Name##Scheduler();
#include "fuser/Scheduling/Schedulers/Schedulers.inc"
#undef FUSER_SCHEDULER

/// A registry of all of these in the order of the list, the fallback last.
std::shared_ptr<SchedulerRegistry> createDefaultRegistry();

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULERS_SCHEDULERS_H
