//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Candidates.h"

using namespace mlir;
using namespace fuser;

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

Candidates fuser::askSchedulers(const KernelView &kernel, const SchedulerRegistry &registry,
                                const SizeHints &hints, const artifact::DeviceDescription &device,
                                const Scheduler *only) {
  Candidates candidates;
  for (const std::unique_ptr<Scheduler> &scheduler : registry.getSchedulers()) {
    if (only && scheduler.get() != only)
      continue;
    candidates.all.push_back(ask(*scheduler, kernel, hints, device));
    if (!candidates.all.back().refusal) {
      candidates.chosen = candidates.all.size() - 1;
      break;
    }
  }
  return candidates;
}
