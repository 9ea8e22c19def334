//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reduction scheduler: reads each input once and keeps no rows.
//
// Inner: adjacent threads along the row, with several vectors of a thread in flight. Outer:
// adjacent threads along the columns, 128 bytes or more of a row at a time, with several rows of a
// thread in flight. If there are too few results to fill the device, several blocks share a result.
//
//===----------------------------------------------------------------------===//

#include "ReductionFit.h"
#include "ReductionTiles.h"
#include "ReductionWindows.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// The results of a thread, next to each other, that share the element that it reads for each step:
/// 6000x6000 pairs of points take 58 us on one NVIDIA H200 with two, 71 with one, 58 to 64 with
/// four.
constexpr int64_t kResultsOfStep = 2;

struct ReductionPlan : Plan {
  ReductionShape shape;
};

class Reduction : public SchedulerOf<ReductionPlan, ReductionParamsAttr> {
public:
  StringRef getName() const override { return "reduction"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const ReductionPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const ReductionPlan &plan, ReductionParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const ReductionPlan &plan,
                            ReductionParamsAttr params) const override;
};

} // namespace

Answer Reduction::accepts(const KernelView &kernel) const {
  std::variant<ReductionShape, Refusal> answer = ReductionShape::get(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  auto &shape = std::get<ReductionShape>(answer);
  if (shape.reuse) {
    TensorViewOpInterface reuse = kernel.getOps()[*shape.reuse];
    return Refusal{RefusalCategory::Structure,
                   kNeedsPersistence,
                   {reuse},
                   "expected no use of a reduced tensor after its reduction, but '" +
                       reuse->getName().getStringRef().str() + "' does",
                   shape.getCutsAtReuse(kernel)};
  }
  auto plan = std::make_unique<ReductionPlan>();
  plan->preferences = getBoundaryPreferences(kernel, shape.order);
  plan->shape = std::move(shape);
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

static ReductionLoops getLoops(ReductionParamsAttr params) {
  return {params.getThreadsX(), params.getThreadsY(), params.getVector(),
          params.getUnroll(),   params.getSplits(),   params.getSplitRows()};
}

static ReductionPattern getPattern(const ReductionShape &shape) {
  return shape.isInner() ? ReductionPattern::Inner : ReductionPattern::Outer;
}

std::variant<Choice, Refusal>
Reduction::chooseParams(const KernelView &kernel, const ReductionPlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  if (std::optional<Choice> window = chooseWindow(kernel, shape, hints, device))
    return std::move(*window);
  ArrayRef<unsigned> vectorClasses = getVectorClasses(shape);
  int64_t vector = requirements.getVectorWidth(vectorClasses);
  const int64_t numReads = llvm::count_if(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return !tensor.isOutput && tensor.order.size() == shape.order.size();
  });
  const KernelWork work = measureWork(kernel, hints, ResourceUse());
  const Roofs roofs = getRoofs(device);
  const bool isComputeBound =
      work.operations / roofs.operationsPerSecond > work.bytesRead / roofs.bytesPerSecond;
  if (isComputeBound)
    if (std::optional<Choice> tile = chooseTile(kernel, shape, hints, device))
      return std::move(*tile);
  if (isComputeBound && vector < kResultsOfStep && hasElementsOfSteps(kernel, shape))
    vector = std::min(getWidestVector(kernel, shape, requirements), kResultsOfStep);
  bool exchangesSeveral = false;
  int64_t numReductions = 0, accumulatorBytes = 0;
  for (TensorViewOpInterface op : shape.getReductionsOfRows(kernel)) {
    exchangesSeveral |= op->getNumResults() > 1;
    ++numReductions;
    for (Type type : cast<CombinerOpInterface>(op.getOperation()).getAccumulatorTypes())
      accumulatorBytes += llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  }
  const bool writesElements = llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return tensor.isOutput && tensor.order.size() == shape.order.size();
  });
  ReductionInput input{shape,
                       requirements,
                       device,
                       vector,
                       getWidestElement(kernel),
                       numReads > 0 ? shape.getElementBytes(kernel) : getWidestElement(kernel),
                       std::max<int64_t>(numReads, 1),
                       isComputeBound,
                       exchangesSeveral,
                       writesElements,
                       numReductions,
                       accumulatorBytes};
  const ReductionLoops numbers = fitReduction(kernel, input);
  return evaluateParams(kernel, plan,
                        ReductionParamsAttr::get(kernel.getKernel().getContext(), getPattern(shape),
                                                 numbers.threadsX, numbers.threadsY, numbers.vector,
                                                 numbers.unroll, numbers.splits, numbers.splitRows),
                        hints, device);
}

/// The steps of a thread whose loads are issued together: all of a row of few, whose loop is
/// unrolled, in a loop over several rows.
static int64_t countSteps(const KernelView &kernel, const ReductionShape &shape,
                          ReductionParamsAttr params) {
  constexpr int64_t mostSteps = 8;
  if (shape.outerReduced.empty() || params.getUnroll() > 1)
    return 1;
  int64_t row = 1;
  for (unsigned dimClass : shape.innerReduced) {
    auto size = dyn_cast<AffineConstantExpr>(kernel.getExtent(dimClass));
    if (!size)
      return 1;
    row *= size.getValue();
  }
  const int64_t steps = llvm::divideCeil(row, params.getThreadsX() * params.getVector());
  return steps <= mostSteps ? std::max<int64_t>(steps, 1) : 1;
}

std::variant<Choice, Refusal> Reduction::evaluateParams(const KernelView &kernel,
                                                        const ReductionPlan &plan,
                                                        ReductionParamsAttr params,
                                                        const SizeHints &hints,
                                                        const artifact::DeviceDescription &) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  if (params.getPattern() == ReductionPattern::Window)
    return evaluateWindow(kernel, shape, params, requirements);
  if (params.getPattern() == ReductionPattern::Tile)
    return evaluateTile(kernel, shape, params, requirements);
  ArrayRef<unsigned> vectorClasses = getVectorClasses(shape);
  const int64_t vector = params.getVector();
  if (vector > getWidestVector(kernel, shape, requirements, kWidestVectorBytes))
    if (std::optional<Refusal> refusal = requirements.checkVectorWidth(vectorClasses, vector))
      return std::move(*refusal);
  requirements.requireVectorWidth(vectorClasses, vector);
  if (shape.isInner())
    requirements.requireWholeBlocks(shape.getKept(), params.getThreadsY());
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreadsX() * params.getThreadsY();
  use.bytesInFlight = params.getUnroll() * countSteps(kernel, shape, params) * vector *
                      std::max(getWidestElement(kernel), shape.getBytesRead(kernel));
  use.registers = 32 + params.getUnroll() * vector;
  use.blocks = getNumBlocks(requirements, shape, getLoops(params)).value_or(0);
  use.scattered = shape.getScattered(kernel);
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

LogicalResult Reduction::applyParams(const KernelView &view, const ReductionPlan &plan,
                                     ReductionParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  const ReductionShape &shape = plan.shape;
  const ReductionPattern pattern = getPattern(shape);
  if (params.getPattern() == ReductionPattern::Window)
    return applyWindow(view, shape, params);
  if (params.getPattern() == ReductionPattern::Tile)
    return applyTile(view, shape, params);
  if (params.getPattern() != pattern)
    return kernel->emitOpError("expected a schedule of pattern '")
           << stringifyReductionPattern(pattern) << "', but got '"
           << stringifyReductionPattern(params.getPattern()) << "'";
  Requirements requirements(view, SizeHints());
  requirements.requireVectorWidth(getVectorClasses(shape), params.getVector());
  (void)requirements.requireNonEmpty(shape.lacked);
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  TensorViewOpInterface reference = shape.getReference(view);
  LoopBuilder loops(view, reference);
  if (failed(scheduleReduction(loops, shape, getLoops(params))) ||
      failed(schedule->propagate(reference)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return params.getUnroll() > 1; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createReductionScheduler() {
  return std::make_unique<Reduction>();
}
