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

Plan::~Plan() = default;

Scheduler::~Scheduler() = default;

std::optional<InferredOrder> Scheduler::inferOrder(Value, ArrayRef<OrderReference>) const {
  return std::nullopt;
}

std::variant<Choice, Refusal> Scheduler::evaluate(const KernelView &, const Plan &,
                                                  ScheduleParamsInterface params, const SizeHints &,
                                                  const artifact::DeviceDescription &) const {
  return refuseParams(getName(), params);
}

/// The code of the refusal of parameters of another scheduler, or of one that evaluates none.
static constexpr StringLiteral kForeignParams = "foreign-params";

Refusal fuser::refuseParams(StringRef scheduler, ScheduleParamsInterface params) {
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(params);
  return {RefusalCategory::Structure,
          kForeignParams,
          {},
          ("expected parameters that '" + scheduler + "' evaluates, but got " + text).str(),
          {}};
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

LogicalResult fuser::emitForeignParams(KernelOp kernel, StringRef scheduler,
                                       ScheduleParamsInterface params) {
  return kernel->emitOpError("expected 'schedule' to hold parameters of '")
         << scheduler << "', but got " << Attribute(params);
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
