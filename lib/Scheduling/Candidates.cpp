//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Candidates.h"
#include "KernelLimits.h"
#include "fuser/Scheduling/HeldDiagnostics.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Passes.h"

using namespace mlir;
using namespace fuser;

/// Predicted times within this factor count as equal: the median error of the model.
constexpr double kSimilarTime = 1.05;

/// The answer of `scheduler` for the kernel.
static Candidate ask(const Scheduler &scheduler, const KernelView &kernel, const SizeHints &hints,
                     const artifact::DeviceDescription &device) {
  if (std::optional<Refusal> refusal = checkKernelLimits(kernel, device))
    return {&scheduler, std::move(*refusal)};
  Answer answer = scheduler.accepts(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return {&scheduler, std::move(*refusal)};
  std::unique_ptr<Plan> plan = std::move(std::get<std::unique_ptr<Plan>>(answer));
  // `choose` may refuse because of sizes.
  std::variant<Choice, Refusal> choice = scheduler.choose(kernel, *plan, hints, device);
  if (auto *refusal = std::get_if<Refusal>(&choice))
    return {&scheduler, std::move(*refusal)};
  Candidate candidate{&scheduler, std::nullopt, std::move(plan),
                      std::move(std::get<Choice>(choice))};
  const ResourceUse &use = candidate.choice.use;
  candidate.work = measureWork(kernel, hints, use);
  candidate.microseconds = predictMicroseconds(candidate.work, use, device);
  return candidate;
}

/// The first in the order of the registry whose time is close to the lowest.
static std::optional<size_t> chooseFastest(ArrayRef<Candidate> all) {
  const Candidate *best = nullptr;
  for (const Candidate &candidate : all)
    if (!candidate.refusal && (!best || candidate.microseconds < best->microseconds))
      best = &candidate;
  for (auto [number, candidate] : llvm::enumerate(all))
    if (!candidate.refusal && candidate.microseconds <= kSimilarTime * best->microseconds)
      return number;
  return std::nullopt;
}

/// Asks the schedulers for which `isAsked` holds. A chosen candidate that `check` refuses counts as
/// a refusal.
static Candidates askSchedulers(const KernelView &kernel, const SchedulerRegistry &registry,
                                const SizeHints &hints, const artifact::DeviceDescription &device,
                                function_ref<bool(const Scheduler &)> isAsked,
                                function_ref<std::optional<Refusal>(const Candidate &)> check) {
  Candidates candidates;
  for (bool isFallback : {false, true}) {
    for (const std::unique_ptr<Scheduler> &scheduler : registry.getSchedulers())
      if (scheduler->isFallback() == isFallback && isAsked(*scheduler))
        candidates.all.push_back(ask(*scheduler, kernel, hints, device));
    while ((candidates.chosen = chooseFastest(candidates.all))) {
      Candidate &chosen = candidates.all[*candidates.chosen];
      if (!(chosen.refusal = check(chosen)))
        return candidates;
    }
  }
  return candidates;
}

Candidates fuser::askSchedulers(const KernelView &kernel, const SchedulerRegistry &registry,
                                const SizeHints &hints, const artifact::DeviceDescription &device,
                                const Scheduler *only) {
  return ::askSchedulers(
      kernel, registry, hints, device,
      [&](const Scheduler &scheduler) { return !only || &scheduler == only; },
      [](const Candidate &) { return std::nullopt; });
}

void fuser::setChoice(KernelOp kernel, const Choice &choice) {
  kernel->setAttr("schedule", choice.params);
  addFacts(kernel, choice.facts);
}

LogicalResult fuser::applyAndVerify(AcceptedKernel &accepted,
                                    const artifact::DeviceDescription &device,
                                    const ScheduleVerifier &verifier) {
  HeldDiagnostics diagnostics(accepted.kernel->getContext());
  const Candidate &chosen = accepted.chosen;
  setChoice(*accepted.kernel, chosen.choice);
  return success(
      succeeded(accepted.view.updateFacts()) &&
      succeeded(chosen.scheduler->apply(accepted.view, *chosen.plan, chosen.choice.params)) &&
      succeeded(verifier(*accepted.kernel, device)));
}

/// The same as the function below; sets `scheduled` if lowering does not refuse.
static std::optional<Refusal> checkLowering(KernelOp kernel, const Choice &choice,
                                            const SchedulerRegistry &registry,
                                            const artifact::DeviceDescription &device,
                                            const ScheduleVerifier &verifier,
                                            OwningOpRef<KernelOp> &scheduled) {
  OwningOpRef<KernelOp> copy(kernel.clone());
  setChoice(*copy, choice);
  HeldDiagnostics diagnostics(kernel.getContext());
  if (succeeded(applySchedule(*copy, registry)) && succeeded(verifier(*copy, device))) {
    scheduled = std::move(copy);
    return std::nullopt;
  }
  return Refusal{RefusalCategory::Structure,
                 kNotLowered,
                 {},
                 diagnostics.getFirstError("expected a schedule that can be lowered")};
}

std::optional<Refusal> fuser::checkLowering(KernelOp kernel, const Choice &choice,
                                            const SchedulerRegistry &registry,
                                            const artifact::DeviceDescription &device,
                                            const ScheduleVerifier &verifier) {
  OwningOpRef<KernelOp> scheduled;
  return ::checkLowering(kernel, choice, registry, device, verifier, scheduled);
}

VerifiedCandidates fuser::askAndVerify(const KernelView &kernel, const SchedulerRegistry &registry,
                                       const SizeHints &hints,
                                       const artifact::DeviceDescription &device,
                                       const ScheduleVerifier &verifier) {
  OwningOpRef<KernelOp> scheduled;
  Candidates candidates = ::askSchedulers(
      kernel, registry, hints, device, [](const Scheduler &) { return true; },
      [&](const Candidate &candidate) {
        return ::checkLowering(kernel.getKernel(), candidate.choice, registry, device, verifier,
                               scheduled);
      });
  return {std::move(candidates), std::move(scheduled)};
}
