//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-infer-allocation-order: writes the decisions of OrderInference as hints.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERINFERALLOCATIONORDER
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Rules of this pass: it replaces only hints with these rules.
static constexpr StringLiteral kFollow = "follow-reference";
static constexpr StringLiteral kCheapest = "cheapest-reference";

/// "argument 2", or the name of the op that defines the reference.
static std::string describeReference(Value reference) {
  if (!reference)
    return "";
  if (auto argument = dyn_cast<BlockArgument>(reference))
    return "argument " + std::to_string(argument.getArgNumber());
  return reference.getDefiningOp()->getName().getStringRef().str();
}

/// True if `value` is an output, and every output that it is returned as has a requirement (S0.2).
static bool isRequiredOutput(FusionOp fusion, Value value) {
  bool isOutput = false;
  Operation *terminator = fusion.getBody().front().getTerminator();
  for (OpOperand &use : value.getUses()) {
    if (use.getOwner() != terminator)
      continue;
    isOutput = true;
    if (!fusion.getOutputStrideOrder(use.getOperandNumber()))
      return false;
  }
  return isOutput;
}

unsigned fuser::inferAllocationOrders(FusionOp fusion, ArrayRef<const Scheduler *> schedulers) {
  SmallVector<StringRef> ownRules = {kFollow, kCheapest};
  std::vector<std::string> schedulerRules;
  for (const Scheduler *scheduler : schedulers)
    schedulerRules.push_back(("scheduler-" + scheduler->getName()).str());
  llvm::append_range(ownRules, schedulerRules);
  OrderPolicy policy = [&](Value value,
                           ArrayRef<OrderReference> references) -> std::optional<InferredOrder> {
    for (auto [scheduler, rule] : llvm::zip_equal(schedulers, schedulerRules))
      if (std::optional<InferredOrder> order = scheduler->inferOrder(value, references)) {
        order->rule = rule;
        return order;
      }
    return std::nullopt;
  };
  OrderInference inference(fusion, ownRules, policy);

  unsigned numHints = 0;
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    for (OpResult result : op.getResults()) {
      LayoutHintAttr old = getLayoutHint(result);
      // Hints of other rules and frozen orders must not change.
      if (old ? !llvm::is_contained(ownRules, old.getRule()) : view.hasDomains())
        continue;
      std::optional<InferredOrder> order = inference.getOrder(result);
      if (!order || isRequiredOutput(fusion, result)) {
        setLayoutHint(result, {});
        continue;
      }
      setLayoutHint(result, LayoutHintAttr::get(op.getContext(), order->order, order->rule,
                                                describeReference(order->reference)));
      ++numHints;
    }
  }
  return numHints;
}

namespace {
struct InferAllocationOrder : fuser::impl::FuserInferAllocationOrderBase<InferAllocationOrder> {
  using FuserInferAllocationOrderBase::FuserInferAllocationOrderBase;
  InferAllocationOrder(std::shared_ptr<const SchedulerRegistry> registry,
                       const FuserInferAllocationOrderOptions &options)
      : FuserInferAllocationOrderBase(options), registry(std::move(registry)) {}

  void runOnOperation() override {
    SmallVector<const Scheduler *> asked;
    if (!scheduler.empty()) {
      const Scheduler *found = registry ? registry->find(scheduler) : nullptr;
      if (!found) {
        getOperation().emitError("expected 'scheduler' to name a registered scheduler, but got '")
            << scheduler << "'";
        return signalPassFailure();
      }
      asked.push_back(found);
    } else if (registry) {
      for (const std::unique_ptr<Scheduler> &each : registry->getSchedulers())
        asked.push_back(each.get());
    }
    numHints += inferAllocationOrders(getOperation(), asked);
  }

  std::shared_ptr<const SchedulerRegistry> registry;
};
} // namespace

std::unique_ptr<Pass>
fuser::createInferAllocationOrderPass(std::shared_ptr<const SchedulerRegistry> registry,
                                      const FuserInferAllocationOrderOptions &options) {
  return std::make_unique<InferAllocationOrder>(std::move(registry), options);
}
