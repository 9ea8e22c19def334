//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Enumerates the schedules of a kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleSpace.h"
#include "fuser/Scheduling/HeldDiagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

/// The values next to one: doubled and halved, one more and one less, or the other one.
static SmallVector<int64_t, 2> vary(const ScheduleParameter &parameter) {
  const int64_t value = parameter.value;
  switch (parameter.kind) {
  case ScheduleParameter::Kind::Factor:
    if (value < 1)
      return {};
    if (value == 1)
      return {2};
    return {2 * value, value - value / 2};
  case ScheduleParameter::Kind::Count:
    return {value + 1, value - 1};
  case ScheduleParameter::Kind::Flag:
    return {1 - value};
  case ScheduleParameter::Kind::Fixed:
    return {};
  }
  return {};
}

SmallVector<ScheduleParamsInterface> fuser::getNeighbors(ScheduleParamsInterface params,
                                                         unsigned &numRefused) {
  const SmallVector<ScheduleParameter> parameters = params.getParameters();
  llvm::SetVector<Attribute> found;
  HeldDiagnostics refusals(params.getContext());
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(params.getContext())); };
  auto add = [&](ArrayRef<int64_t> values) {
    ScheduleParamsInterface neighbor = params.withValues(emitError, values);
    if (!neighbor)
      ++numRefused;
    else if (neighbor != params)
      found.insert(neighbor);
  };
  SmallVector<int64_t> values =
      llvm::map_to_vector(parameters, [](const ScheduleParameter &each) { return each.value; });
  for (auto [number, parameter] : llvm::enumerate(parameters))
    for (int64_t value : vary(parameter)) {
      values[number] = value;
      add(values);
      values[number] = parameter.value;
    }
  auto isFactor = [](const ScheduleParameter &each) {
    return each.kind == ScheduleParameter::Kind::Factor && each.value > 0;
  };
  for (auto [more, doubled] : llvm::enumerate(parameters))
    for (auto [less, halved] : llvm::enumerate(parameters)) {
      if (more == less || !isFactor(doubled) || !isFactor(halved) || halved.value == 1)
        continue;
      values[more] = 2 * doubled.value;
      values[less] = halved.value - halved.value / 2;
      add(values);
      values[more] = doubled.value;
      values[less] = halved.value;
    }
  return llvm::map_to_vector(
      found, [](Attribute neighbor) { return cast<ScheduleParamsInterface>(neighbor); });
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

/// The size of a dimension of an argument, from its type or the hints.
static std::optional<int64_t> getSize(KernelOp kernel, const SizeHints &hints, FactAttr fact) {
  if (fact.getArg() >= int64_t(kernel.getNumArguments()))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(kernel.getArgument(fact.getArg()).getType());
  if (type && !type.isDynamicDim(fact.getDim()))
    return type.getDimSize(fact.getDim());
  return hints.getSize(fact.getArg(), fact.getDim());
}

/// True unless the fact is known not to hold.
static bool mayHold(KernelOp kernel, const SizeHints &hints, FactAttr fact) {
  auto is = [&](auto holds) {
    std::optional<int64_t> size = getSize(kernel, hints, fact);
    return !size || holds(*size);
  };
  switch (fact.getKind()) {
  case FactKind::Divisible:
    return is([&](int64_t size) { return size % fact.getValue() == 0; });
  case FactKind::AtMost:
    return is([&](int64_t size) { return size <= fact.getValue(); });
  case FactKind::AtLeast:
    return is([&](int64_t size) { return size >= fact.getValue(); });
  default:
    return true;
  }
}

static std::string printText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

namespace {
/// Collects the schedules of one kernel.
class Enumeration {
public:
  Enumeration(const KernelView &kernel, const SizeHints &hints,
              const artifact::DeviceDescription &device, ScheduleSpace &space)
      : kernel(kernel), hints(hints), device(device), space(space) {}

  /// Adds a schedule, unless it is known.
  void add(const Scheduler *scheduler, const Choice &choice);
  /// Adds the neighbors of parameters of a scheduler with this plan to those that are considered.
  void addNeighbors(const Scheduler &scheduler, const Plan &plan, ScheduleParamsInterface params);
  /// Moves the neighbors with the lowest predicted times for which `check` holds to the space.
  void take(size_t most, function_ref<std::optional<Refusal>(const Choice &)> check);
  void refuse(StringRef code) { ++space.refused[code.str()]; }

private:
  double predict(const Choice &choice) const {
    return predictMicroseconds(kernel, hints, choice.use, device);
  }

  /// Parameters that were added or considered.
  llvm::DenseSet<Attribute> seen;
  const KernelView &kernel;
  const SizeHints &hints;
  const artifact::DeviceDescription &device;
  ScheduleSpace &space;
  std::vector<ScheduleOption> neighbors;
};
} // namespace

void Enumeration::add(const Scheduler *scheduler, const Choice &choice) {
  if (seen.insert(choice.params).second)
    space.options.push_back({scheduler, choice, predict(choice)});
}

void Enumeration::addNeighbors(const Scheduler &scheduler, const Plan &plan,
                               ScheduleParamsInterface of) {
  unsigned numInvalid = 0;
  for (ScheduleParamsInterface params : getNeighbors(of, numInvalid)) {
    if (!seen.insert(params).second)
      continue;
    std::variant<Choice, Refusal> answer = scheduler.evaluate(kernel, plan, params, hints, device);
    if (auto *refusal = std::get_if<Refusal>(&answer)) {
      refuse(refusal->code);
      continue;
    }
    auto &choice = std::get<Choice>(answer);
    if (!llvm::all_of(choice.facts,
                      [&](FactAttr fact) { return mayHold(kernel.getKernel(), hints, fact); })) {
      refuse(kFalseFact);
      continue;
    }
    const double microseconds = predict(choice);
    neighbors.push_back({&scheduler, std::move(choice), microseconds});
  }
  if (numInvalid > 0)
    space.refused[kInvalidParams.str()] += numInvalid;
}

void Enumeration::take(size_t most, function_ref<std::optional<Refusal>(const Choice &)> check) {
  llvm::sort(neighbors, [](const ScheduleOption &a, const ScheduleOption &b) {
    if (a.microseconds != b.microseconds)
      return a.microseconds < b.microseconds;
    return printText(a.choice.params) < printText(b.choice.params);
  });
  for (ScheduleOption &neighbor : neighbors) {
    if (space.options.size() >= most)
      ++space.numLeftOut;
    else if (std::optional<Refusal> refusal = check(neighbor.choice))
      refuse(refusal->code);
    else
      space.options.push_back(std::move(neighbor));
  }
}

ScheduleSpace fuser::enumerateSchedules(const KernelView &kernel, const SchedulerRegistry &registry,
                                        const SizeHints &hints,
                                        const artifact::DeviceDescription &device,
                                        const ScheduleVerifier &verifier, size_t most,
                                        const Choice *given) {
  ScheduleSpace space;
  const VerifiedCandidates candidates = askAndVerify(kernel, registry, hints, device, verifier);
  const Candidate *chosen = candidates.getChosen();
  if (!chosen && !given)
    return space;
  auto check = [&](const Choice &choice) {
    return checkLowering(kernel.getKernel(), choice, registry, device, verifier);
  };
  Enumeration enumeration(kernel, hints, device, space);
  const Scheduler *scheduler = given ? registry.find(given->params.getSchedulerName()) : nullptr;
  if (scheduler)
    enumeration.add(scheduler, *given);
  if (chosen)
    enumeration.add(chosen->scheduler, chosen->choice);
  for (const Candidate &candidate : candidates.all) {
    if (candidate.refusal || &candidate == chosen)
      continue;
    if (std::optional<Refusal> refusal = check(candidate.choice))
      enumeration.refuse(refusal->code);
    else
      enumeration.add(candidate.scheduler, candidate.choice);
  }
  if (space.options.size() > most)
    space.options.erase(space.options.begin() + std::max<size_t>(most, 1), space.options.end());
  if (scheduler)
    if (Answer answer = scheduler->accepts(kernel);
        std::holds_alternative<std::unique_ptr<Plan>>(answer))
      enumeration.addNeighbors(*scheduler, *std::get<std::unique_ptr<Plan>>(answer), given->params);
  for (const Candidate &candidate : candidates.all)
    if (!candidate.refusal)
      enumeration.addNeighbors(*candidate.scheduler, *candidate.plan, candidate.choice.params);
  enumeration.take(most, check);
  return space;
}
