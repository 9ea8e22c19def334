//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Codes of refusals, and the registry.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/SchedulerRegistry.h"

using namespace mlir;
using namespace fuser;

Scheduler::~Scheduler() = default;

std::optional<InferredOrder> Scheduler::inferOrder(Value, ArrayRef<OrderReference>) const {
  return std::nullopt;
}

StringRef fuser::stringifyRefusalCode(RefusalCode code) {
  switch (code) {
  case RefusalCode::UnsupportedOp:
    return "unsupported-op";
  case RefusalCode::NotOneOp:
    return "not-one-op";
  case RefusalCode::HasReduction:
    return "has-reduction";
  case RefusalCode::NoReduction:
    return "no-reduction";
  case RefusalCode::MixedReductions:
    return "mixed-reductions";
  case RefusalCode::UncoveredDimension:
    return "uncovered-dimension";
  case RefusalCode::NeedsPersistence:
    return "needs-persistence";
  case RefusalCode::NothingToKeep:
    return "nothing-to-keep";
  case RefusalCode::NotInner:
    return "not-inner";
  case RefusalCode::RowTooLong:
    return "row-too-long";
  case RefusalCode::NothingToTranspose:
    return "nothing-to-transpose";
  case RefusalCode::MixedOrders:
    return "mixed-orders";
  case RefusalCode::TileTooSmall:
    return "tile-too-small";
  }
  llvm_unreachable("unknown refusal code");
}

bool SchedulerRegistry::add(std::unique_ptr<Scheduler> scheduler, Place place) {
  if (find(scheduler->getName()))
    return false;
  schedulers.insert(place == Place::First ? schedulers.begin() : schedulers.end(),
                    std::move(scheduler));
  return true;
}

const Scheduler *SchedulerRegistry::find(StringRef name) const {
  for (const std::unique_ptr<Scheduler> &scheduler : schedulers)
    if (scheduler->getName() == name)
      return scheduler.get();
  return nullptr;
}
