//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Candidates.h"

using namespace mlir;
using namespace fuser;

/// Predicted times within this factor count as equal: the median error of the model.
constexpr double kSimilarTime = 1.05;

/// What `scheduler` makes of the kernel.
static Candidate ask(const Scheduler &scheduler, const KernelView &kernel, const SizeHints &hints,
                     const artifact::DeviceDescription &device) {
  Answer answer = scheduler.accepts(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return {&scheduler, std::move(*refusal)};
  const Plan &plan = *std::get<std::unique_ptr<Plan>>(answer);
  // Sizes can make it impossible.
  std::variant<Choice, Refusal> choice = scheduler.choose(kernel, plan, hints, device);
  if (auto *refusal = std::get_if<Refusal>(&choice))
    return {&scheduler, std::move(*refusal)};
  Candidate candidate{&scheduler, std::nullopt, std::move(std::get<Choice>(choice))};
  const ResourceUse &use = candidate.choice.use;
  candidate.work = measureWork(kernel, hints, use);
  candidate.microseconds = predictMicroseconds(candidate.work, use, device);
  return candidate;
}

/// The first in the order of the registry whose time is close to the least.
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

Candidates fuser::askSchedulers(const KernelView &kernel, const SchedulerRegistry &registry,
                                const SizeHints &hints, const artifact::DeviceDescription &device,
                                const Scheduler *only) {
  Candidates candidates;
  for (bool isFallback : {false, true}) {
    for (const std::unique_ptr<Scheduler> &scheduler : registry.getSchedulers())
      if (scheduler->isFallback() == isFallback && (!only || scheduler.get() == only))
        candidates.all.push_back(ask(*scheduler, kernel, hints, device));
    candidates.chosen = chooseFastest(candidates.all);
    if (candidates.chosen)
      break;
  }
  return candidates;
}
