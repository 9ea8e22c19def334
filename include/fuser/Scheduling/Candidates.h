//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The answers of the schedulers of a registry for a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_CANDIDATES_H
#define FUSER_SCHEDULING_CANDIDATES_H

#include "fuser/Scheduling/ScheduleVerifier.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "fuser/Scheduling/TimeModel.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace fuser {

/// The answer of one scheduler.
struct Candidate {
  const Scheduler *scheduler;
  /// The reason for which it refuses the kernel; nothing if it accepts.
  std::optional<Refusal> refusal;
  /// If it accepts: its plan and parameters, and the predicted work and time of one launch.
  std::unique_ptr<Plan> plan = nullptr;
  Choice choice = {};
  KernelWork work = {};
  double microseconds = 0;
};

/// The answers of all queried schedulers, in the order of the registry; fallbacks last, and only if
/// no other scheduler accepts.
struct Candidates {
  std::vector<Candidate> all;
  /// The chosen scheduler: the first of those whose predicted time is about the lowest; nothing if
  /// all refuse.
  std::optional<size_t> chosen;

  const Candidate *getChosen() const { return chosen ? &all[*chosen] : nullptr; }
};

/// Queries the schedulers of `registry` for `kernel`; with `only`, just the one of this name.
Candidates askSchedulers(const KernelView &kernel, const SchedulerRegistry &registry,
                         const SizeHints &hints, const artifact::DeviceDescription &device,
                         const Scheduler *only = nullptr);

/// Writes the parameters of a choice and the facts that they rely on to a kernel.
void setChoice(KernelOp kernel, const Choice &choice);

/// The code of the refusal of a schedule that lowering does not take.
inline constexpr llvm::StringLiteral kNotLowered = "not-lowered";

/// Why lowering refuses the schedule that a choice makes of the kernel (kNotLowered), which does
/// not change.
std::optional<Refusal> checkLowering(KernelOp kernel, const Choice &choice,
                                     const SchedulerRegistry &registry,
                                     const artifact::DeviceDescription &device,
                                     const ScheduleVerifier &verifier);

/// A kernel and the candidate that was chosen for it.
struct AcceptedKernel {
  mlir::OwningOpRef<KernelOp> kernel;
  /// Of the kernel.
  KernelView view;
  Candidate chosen;
};

/// Applies the choice to the kernel itself and verifies that lowering takes it; does so once.
/// Fails without a diagnostic: askAndVerify gives the reason.
mlir::LogicalResult applyAndVerify(AcceptedKernel &accepted,
                                   const artifact::DeviceDescription &device,
                                   const ScheduleVerifier &verifier);

struct VerifiedCandidates : Candidates {
  /// The kernel with the schedule of the chosen candidate applied; null if all refuse.
  mlir::OwningOpRef<KernelOp> scheduled;
};

/// Like askSchedulers, but a scheduler accepts the kernel only if lowering takes its schedule: the
/// schedule of the chosen candidate is applied to a copy of the kernel and verified. If the
/// verifier refuses it, the candidate becomes a refusal (kNotLowered) and the next fastest one is
/// tried. The kernel does not change.
VerifiedCandidates askAndVerify(const KernelView &kernel, const SchedulerRegistry &registry,
                                const SizeHints &hints, const artifact::DeviceDescription &device,
                                const ScheduleVerifier &verifier);

} // namespace fuser

#endif // FUSER_SCHEDULING_CANDIDATES_H
