//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedulers that a compilation may use.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERREGISTRY_H
#define FUSER_SCHEDULING_SCHEDULERREGISTRY_H

#include "fuser/Scheduling/Scheduler.h"
#include <memory>

namespace fuser {

/// An ordered list of schedulers. Of those that accept a kernel, the one with the least predicted
/// time gets it; of times that are about equal, the first. An instance belongs to
/// its creator: there is no global one.
class SchedulerRegistry {
public:
  enum class Place { First, Last };

  /// Adds a scheduler; false where one of its name is there already.
  bool add(std::unique_ptr<Scheduler> scheduler, Place place = Place::Last);
  /// The scheduler of a name, or null.
  const Scheduler *find(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<Scheduler>> getSchedulers() const { return schedulers; }

private:
  llvm::SmallVector<std::unique_ptr<Scheduler>> schedulers;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULERREGISTRY_H
