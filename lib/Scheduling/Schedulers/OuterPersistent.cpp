//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The outer persistent scheduler: strips of adjacent columns are read once and kept in shared
// memory, of one block or of a cluster, from their reductions over slower dimensions to their uses.
//
//===----------------------------------------------------------------------===//

#include "ReductionLoops.h"
#include "RowOrders.h"
#include "RowSteps.h"
#include "StripFit.h"
#include "StripLoops.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/RecomputeRows.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: no reduced dimension is used again; no slower dimension than a kept one is
/// reduced; sizes are not known; strips are too short to gain from being kept.
constexpr StringLiteral kNothingToKeep = "nothing-to-keep";
constexpr StringLiteral kNotOuter = "not-outer";
constexpr StringLiteral kUnknownSizes = "unknown-sizes";
constexpr StringLiteral kShortStrip = "short-strip";
/// A tensor's elements of a strip are not adjacent in memory.
constexpr StringLiteral kScattered = "scattered";
/// A strip does not fit into the shared memory of a cluster.
constexpr StringLiteral kStripTooLong = "strip-too-long";

/// Strips of fewer bytes stay in the first-level cache until they are read again.
constexpr int64_t kLeastStripBytes = 16 * 1024;
/// The share of the time in which strips keep memory busy, with one block or several on a
/// multiprocessor: while one combines its parts, others copy or store.
constexpr double kBusyShares[] = {0.6, 0.75};

struct OuterPersistentPlan : Plan {
  /// Of the unmodified kernel, for choose.
  ReductionShape shape;
  /// Of the kernel as `prepare` rewrites it, for apply, if that changes it.
  std::optional<ReductionShape> prepared;
};

class OuterPersistent : public SchedulerOf<OuterPersistentPlan, OuterPersistentParamsAttr> {
public:
  StringRef getName() const override { return "outer_persistent"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const OuterPersistentPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const OuterPersistentPlan &plan,
                 OuterPersistentParamsAttr params, const SizeHints &hints,
                 const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const OuterPersistentPlan &plan,
                            OuterPersistentParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

/// What apply does first: a strip is reduced in as few steps as possible, and a second pass over it
/// costs less than Welford's divisions.
static void prepare(KernelOp kernel) {
  composeSoftmaxSums(kernel);
  decomposeVariance(kernel);
}

static std::variant<ReductionShape, Refusal> check(const KernelView &kernel) {
  std::variant<ReductionShape, Refusal> answer = ReductionShape::get(kernel);
  auto *shape = std::get_if<ReductionShape>(&answer);
  if (!shape)
    return answer;
  if (!shape->reuse)
    return Refusal{RefusalCategory::OutOfScope,
                   kNothingToKeep,
                   {shape->getReference(kernel)},
                   "expected a use of the reduced tensor after its reduction, but there is none"};
  if (getStripColumns(*shape).empty())
    return Refusal{RefusalCategory::Layout,
                   kNotOuter,
                   {shape->getReference(kernel)},
                   "expected reductions over dimensions that are slower in memory than kept ones, "
                   "but no kept dimension is faster"};
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.order.size() == shape->order.size() && tensor.order.back() != shape->order.back())
      return Refusal{RefusalCategory::Layout,
                     kScattered,
                     {shape->getReference(kernel)},
                     "expected strips that are adjacent in every tensor, but " +
                         std::string(tensor.isOutput ? "output " : "argument ") +
                         std::to_string(tensor.position) + " has another fastest dimension",
                     shape->getCutsAtReuse(kernel)};
  const RowSteps steps = getRowSteps(kernel, *shape);
  if (std::optional<Refusal> refusal = checkCostlyRows(kernel, *shape, steps))
    return std::move(*refusal);
  if (std::optional<Refusal> refusal = checkOverwritten(kernel, *shape, steps))
    return std::move(*refusal);
  return answer;
}

Answer OuterPersistent::accepts(const KernelView &kernel) const {
  std::variant<ReductionShape, Refusal> answer = check(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  auto plan = std::make_unique<OuterPersistentPlan>();
  plan->shape = std::move(std::get<ReductionShape>(answer));
  plan->preferences = getBoundaryPreferences(kernel, plan->shape.order);
  if (!hasSoftmaxSum(kernel.getKernel()) && !llvm::any_of(kernel.getOps(), isVariance))
    return plan;
  OwningOpRef<KernelOp> copy(KernelOp(kernel.getKernel()).clone());
  prepare(*copy);
  std::variant<ReductionShape, Refusal> again =
      checkDecomposed<ReductionShape>(kernel, *copy, check);
  if (auto *refusal = std::get_if<Refusal>(&again))
    return std::move(*refusal);
  plan->prepared = std::move(std::get<ReductionShape>(again));
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// Collects that the threads cover a strip. False if no fact can bound it.
static bool requireCovered(Requirements &requirements, const ReductionShape &shape,
                           const StripFit &fit, int64_t vector) {
  if (fit.part == 0)
    return requirements.requireAtMost(shape.getReduced(), fit.getMostRows() * vector);
  return requirements.requireAtMost(shape.outerReduced, fit.getMostRows()) &&
         (shape.innerReduced.empty() ||
          requirements.requireAtMost(shape.innerReduced, fit.part * vector));
}

/// True for an argument of which shared memory keeps what several steps read: one with all
/// dimensions. Of one without columns (a mask of rows), each thread along the columns would keep a
/// copy, while the caches hold it.
static bool mayBeKept(const GlobalTensor &tensor, const ReductionShape &shape) {
  return !tensor.isOutput && tensor.order.size() == shape.order.size();
}

/// Bytes per element of the inputs that are kept: those that a reduction and a later step read.
static int64_t getKeptBytes(const KernelView &kernel, const ReductionShape &shape,
                            const RowSteps &steps) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (mayBeKept(tensor, shape) && steps.getReaders(tensor.value).count() > 1)
      bytes += tensor.elementBytes;
  return std::max<int64_t>(1, bytes);
}

/// Bytes of the narrowest element of the outputs with all dimensions, or 0.
static int64_t getStoredBytes(const KernelView &kernel, const ReductionShape &shape) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.isOutput && tensor.order.size() == shape.order.size())
      bytes = bytes == 0 ? tensor.elementBytes : std::min(bytes, tensor.elementBytes);
  return bytes;
}

static StripFit getFit(OuterPersistentParamsAttr params) {
  return {params.getRows(),   params.getColumns(), params.getPart(),
          params.getUnroll(), params.getSteps(),   params.getCluster()};
}

/// True if the threads have all of a strip.
static bool covers(const StripSizes &sizes, const StripFit &fit) {
  if (sizes.part != 0 && fit.part == 0)
    return sizes.rows * sizes.part <= fit.getMostRows() * sizes.vector;
  return sizes.rows <= fit.getMostRows() && sizes.part <= fit.part * sizes.vector;
}

static Refusal refuse(const KernelView &kernel, const ReductionShape &shape, StringRef code,
                      std::string sentence) {
  return {RefusalCategory::Size,
          code,
          {shape.getReference(kernel)},
          std::move(sentence),
          shape.getCutsAtReuse(kernel)};
}

/// nullopt if a size is not known.
static std::optional<StripSizes> getSizes(const KernelView &kernel, const ReductionShape &shape,
                                          const Requirements &requirements, int64_t vector) {
  const SmallVector<unsigned> columnClasses = getStripColumns(shape);
  SmallVector<unsigned> outerClasses(shape.outerKept);
  llvm::erase_if(outerClasses,
                 [&](unsigned dimClass) { return llvm::is_contained(columnClasses, dimClass); });
  const std::optional<int64_t> known = requirements.getSize(shape.outerReduced),
                               columns = requirements.getSize(columnClasses),
                               outer = requirements.getSize(outerClasses),
                               part = requirements.getSize(shape.innerReduced);
  if (!known || !columns || !outer || !part)
    return std::nullopt;
  // One kernel for all lengths of a range.
  const int64_t rows = std::max(*known, requirements.getRangeEnd(shape.outerReduced).value_or(0));
  return StripSizes{rows,
                    *columns,
                    *outer,
                    shape.isInner() ? *part : 0,
                    vector,
                    shape.getElementBytes(kernel),
                    vector * getKeptBytes(kernel, shape, getRowSteps(kernel, shape)),
                    getStoredBytes(kernel, shape)};
}

std::variant<Choice, Refusal>
OuterPersistent::chooseParams(const KernelView &kernel, const OuterPersistentPlan &plan,
                              const SizeHints &hints,
                              const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  const int64_t vector = requirements.getVectorWidth(getVectorClasses(shape));
  const std::optional<StripSizes> sizes = getSizes(kernel, shape, requirements, vector);
  if (!sizes)
    return refuse(kernel, shape, kUnknownSizes,
                  "expected dimensions of known sizes, but got others");
  const int64_t part = *requirements.getSize(shape.innerReduced);
  const int64_t stripBytes =
      part == 0 ? 0
                : sizes->rows * std::max(part, kWidestStripBytes / sizes->elementBytes) *
                      (sizes->vectorBytes / vector);
  if (stripBytes < kLeastStripBytes)
    return refuse(kernel, shape, kShortStrip,
                  "expected strips of at least " + std::to_string(kLeastStripBytes) +
                      " bytes to keep, but got " + std::to_string(stripBytes));
  const std::optional<StripFit> fitted = fitStrip(*sizes, device);
  if (!fitted)
    return refuse(kernel, shape, kStripTooLong,
                  "expected strips that the shared memory of a cluster holds, but got " +
                      std::to_string(sizes->rows) + " rows");
  const auto params = OuterPersistentParamsAttr::get(
      kernel.getKernel().getContext(), fitted->rows, fitted->columns, fitted->part, sizes->vector,
      fitted->unroll, fitted->steps, fitted->cluster);
  return checkStoredOrders(kernel, shape, evaluateParams(kernel, plan, params, hints, device),
                           hints, device);
}

std::variant<Choice, Refusal>
OuterPersistent::evaluateParams(const KernelView &kernel, const OuterPersistentPlan &plan,
                                OuterPersistentParamsAttr params, const SizeHints &hints,
                                const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  const int64_t vector = params.getVector();
  if (std::optional<Refusal> refusal =
          requirements.checkVectorWidth(getVectorClasses(shape), vector))
    return std::move(*refusal);
  const std::optional<StripSizes> sizes = getSizes(kernel, shape, requirements, vector);
  if (!sizes)
    return refuse(kernel, shape, kUnknownSizes,
                  "expected dimensions of known sizes, but got others");
  const StripFit fit = getFit(params);
  const int64_t shared = getSharedBytes(*sizes, fit);
  if (!covers(*sizes, fit) || shared > getMostShared(/*resident=*/1, device))
    return refuse(kernel, shape, kStripTooLong,
                  "expected strips of at most " + std::to_string(fit.getMostRows()) +
                      " rows that the shared memory of a cluster holds, but got " +
                      std::to_string(sizes->rows) + " rows and " + std::to_string(shared) +
                      " bytes");
  // Code for one length needs fewer bounds checks.
  const bool isExact = sizes->rows == requirements.getSize(shape.outerReduced) &&
                       requirements.requireExactly(shape.getReduced());
  if (!isExact && !requireCovered(requirements, shape, fit, vector))
    return refuse(kernel, shape, kStripTooLong,
                  "expected reduced dimensions that a fact can bound, but got several of unknown "
                  "sizes");
  requirements.requireVectorWidth(getVectorClasses(shape), vector);
  requirements.requireWhole(getStripColumns(shape), countColumns(*sizes, fit));
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = fit.getThreads();
  use.blocks = countStrips(*sizes, fit) * fit.cluster;
  use.sharedBytes = shared;
  use.registers = 64;
  use.bytesInFlight = fit.unroll * fit.steps * sizes->vectorBytes;
  use.numSteps = getRowSteps(kernel, shape).getNumSteps();
  use.scattered = shape.getScattered(kernel);
  const bool areSeveral = shared <= getMostShared(/*resident=*/2, device) || !sizes->areCopied();
  use.busyShare = kBusyShares[areSeveral] / getCostOfStrip(*sizes, fit);
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

LogicalResult OuterPersistent::applyParams(const KernelView &whole, const OuterPersistentPlan &plan,
                                           OuterPersistentParamsAttr params) const {
  KernelOp kernel = whole.getKernel();
  prepare(kernel);
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  const ReductionShape &shape = plan.prepared ? *plan.prepared : plan.shape;
  TensorViewOpInterface reference = shape.getReference(*view);
  const StripFit fit = getFit(params);
  Requirements requirements(*view, SizeHints());
  if (!requireCovered(requirements, shape, fit, params.getVector()))
    return kernel->emitOpError("expected reduced dimensions of at most ")
           << fit.getMostRows() << " rows ('cluster' x 'rows' x 'unroll' x 'steps'), and a fastest "
           << "one of at most 'part' x 'vector', but no fact can bound them";
  requirements.requireVectorWidth(getVectorClasses(shape), params.getVector());
  (void)requirements.requireNonEmpty(shape.lacked);
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  llvm::SmallPtrSet<Value, 4> kept;
  for (const GlobalTensor &tensor : view->getTensors())
    if (mayBeKept(tensor, shape))
      kept.insert(tensor.value);
  auto isKept = [&](TensorViewOpInterface load) {
    return load->getNumOperands() == 1 && kept.contains(load->getOperand(0));
  };
  recomputeRows(*schedule, view->getReductions());
  separateSteps(*schedule, getRowSteps(*schedule, reference), isKept);
  splitBroadcasts(kernel);
  if (failed(setStripLoops(*view, shape, params)) || failed(schedule->propagate(reference)) ||
      failed(keepStrips(*schedule, reference, isKept, params.getVector())))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return params.getUnroll() > 1; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createOuterPersistentScheduler() {
  return std::make_unique<OuterPersistent>();
}
