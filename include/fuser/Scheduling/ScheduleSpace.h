//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedules of a kernel to choose from by measuring: what its schedulers choose, and what is
// near that.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULESPACE_H
#define FUSER_SCHEDULING_SCHEDULESPACE_H

#include "fuser/Scheduling/Candidates.h"
#include <map>

namespace fuser {

/// The parameters next to `params`, in a fixed order: each varied as its kind says
/// (ScheduleParameter::Kind), and each two factors of which one is doubled and the other one
/// halved, so that their product stays. `numRefused` counts those that their verifier refuses.
llvm::SmallVector<ScheduleParamsInterface> getNeighbors(ScheduleParamsInterface params,
                                                        unsigned &numRefused);

/// One schedule of a kernel.
struct ScheduleOption {
  const Scheduler *scheduler;
  Choice choice;
  /// Predicted, of one launch.
  double microseconds = 0;
};

struct ScheduleSpace {
  /// The schedule that was given, if one was; the one that the model chooses, what other schedulers
  /// that accept the kernel choose, in the order of the registry, then the neighbors of all of
  /// these, those with the lowest predicted time first. Empty if all refuse the kernel.
  std::vector<ScheduleOption> options;
  /// The numbers of neighbors that were refused, by the code of the refusal: `kInvalidParams` of
  /// their verifier, kFalseFact, kNotLowered, or what a scheduler defines.
  std::map<std::string, unsigned> refused;
  /// Neighbors that were not refused, but are left out: their predicted time is higher.
  unsigned numLeftOut = 0;
};

inline constexpr llvm::StringLiteral kInvalidParams = "invalid-parameters";
/// A fact that the parameters rely on does not hold at the expected sizes.
inline constexpr llvm::StringLiteral kFalseFact = "false-fact";

/// Enumerates at most `most` schedules of a kernel without one. Each of them can be lowered (as
/// `given` can, of a scheduler of the registry), and holds at the sizes of `hints`. The kernel does
/// not change.
ScheduleSpace enumerateSchedules(const KernelView &kernel, const SchedulerRegistry &registry,
                                 const SizeHints &hints, const artifact::DeviceDescription &device,
                                 const ScheduleVerifier &verifier, size_t most,
                                 const Choice *given = nullptr);

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULESPACE_H
