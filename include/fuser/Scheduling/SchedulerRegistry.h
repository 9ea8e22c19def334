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

/// An ordered list of schedulers. Of the schedulers that accept a kernel, the one with the lowest
/// predicted time is chosen; among times that are about equal, the first one. An instance belongs
/// to its creator: there is no global one.
class SchedulerRegistry {
public:
  enum class Place { First, Last };

  /// Adds a scheduler; false if the registry already has one of this name.
  bool add(std::unique_ptr<Scheduler> scheduler, Place place = Place::Last);
  /// The scheduler of a name, or null.
  const Scheduler *find(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<Scheduler>> getSchedulers() const { return schedulers; }

private:
  llvm::SmallVector<std::unique_ptr<Scheduler>> schedulers;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULERREGISTRY_H
