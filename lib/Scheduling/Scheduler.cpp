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

bool fuser::isOutOfScope(RefusalCode code) {
  switch (code) {
  case RefusalCode::NotOneOp:
  case RefusalCode::HasReduction:
  case RefusalCode::NoReduction:
  case RefusalCode::NothingToKeep:
  case RefusalCode::NothingToTranspose:
    return true;
  default:
    return false;
  }
}

void fuser::cutBefore(Operation *op, SmallVectorImpl<OpOperand *> &cuts) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getDefiningOp() && isa<RankedTensorType>(operand.get().getType()))
      cuts.push_back(&operand);
}

void fuser::cutBehind(Operation *op, SmallVectorImpl<OpOperand *> &cuts) {
  for (OpOperand &use : op->getUses())
    if (isa<TensorViewOpInterface>(use.getOwner()))
      cuts.push_back(&use);
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
  case RefusalCode::MayBeEmpty:
    return "may-be-empty";
  case RefusalCode::ReshapeOfLoops:
    return "reshape-of-loops";
  case RefusalCode::NoSharedMemory:
    return "no-shared-memory";
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
