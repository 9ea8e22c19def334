//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-apply-schedules.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERAPPLYSCHEDULES
#include "fuser/Scheduling/Passes.h.inc"
} // namespace fuser

LogicalResult fuser::applySchedule(KernelOp kernel, const SchedulerRegistry &registry) {
  Attribute attribute = kernel->getAttr("schedule");
  if (!attribute || isScheduled(kernel))
    return success();
  auto params = dyn_cast<ScheduleParamsInterface>(attribute);
  if (!params)
    return kernel->emitOpError("expected 'schedule' to hold parameters of a scheduler, but got ")
           << attribute;
  const Scheduler *scheduler = registry.find(params.getSchedulerName());
  if (!scheduler)
    return kernel->emitOpError("expected 'schedule' to name a registered scheduler, but got '")
           << params.getSchedulerName() << "'";
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  Answer answer = scheduler->accepts(*view);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return emitRefusal(kernel, scheduler->getName(), *refusal);
  return scheduler->apply(*view, *std::get<std::unique_ptr<Plan>>(answer), params);
}

namespace {
struct ApplySchedules : fuser::impl::FuserApplySchedulesBase<ApplySchedules> {
  ApplySchedules(SharedRegistry registry, std::shared_ptr<ScheduleCache> cache)
      : registry(std::move(registry)), cache(std::move(cache)) {}

  void getDependentDialects(DialectRegistry &dialects) const override {
    // Schedulers decompose variances and means, of known and of unknown sizes.
    dialects.insert<FuserSchedDialect, arith::ArithDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>()) {
      if (cache && cache->takeScheduled(kernel)) {
        ++numApplied;
        ++numReused;
        continue;
      }
      bool before = isScheduled(kernel);
      if (failed(applySchedule(kernel, *registry)))
        return signalPassFailure();
      numApplied += !before && isScheduled(kernel);
    }
  }

  SharedRegistry registry;
  const std::shared_ptr<ScheduleCache> cache;
};
} // namespace

std::unique_ptr<Pass> fuser::createApplySchedulesPass(SharedRegistry registry,
                                                      std::shared_ptr<ScheduleCache> cache) {
  return std::make_unique<ApplySchedules>(std::move(registry), std::move(cache));
}

void fuser::registerSchedulingPasses(SharedRegistry registry) {
  registerPass([registry] { return createChooseSchedulesPass(registry); });
  registerPass([registry] { return createApplySchedulesPass(registry); });
}
