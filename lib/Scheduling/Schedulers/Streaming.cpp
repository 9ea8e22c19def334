//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The streaming scheduler: rows of any length that are reduced and used again. A block reads its
// rows again for each step that needs an earlier result, from the L2 cache if the rows of all
// resident blocks fit there.
//
//===----------------------------------------------------------------------===//

#include "ReductionLoops.h"
#include "RowOrders.h"
#include "RowSteps.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Scheduling/RecomputeRows.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: no reduced dimension is used again; all dimensions are reduced; kernels of
/// their own for the reductions take less time.
constexpr StringLiteral kNoReuse = "no-reuse";
constexpr StringLiteral kNothingKept = "nothing-kept";
constexpr StringLiteral kTooFewBlocks = "too-few-blocks";

/// Threads of a block that shares columns: more blocks hide each other's barriers.
constexpr int64_t kThreads = 256;
/// Threads and vectors in flight of a block with one long row. If it is read more than twice, one
/// block for each multiprocessor: the L2 cache holds their rows best.
constexpr int64_t kLongRowThreads = 256;
constexpr int64_t kReadAgainThreads = 1024;
constexpr int64_t kLongRowUnroll = 8;
/// Vectors or rows of a thread in flight.
constexpr int64_t kUnroll = 4;
/// Adjacent bytes of the columns of a block.
constexpr int64_t kStripBytes = 128;
/// The part of the L2 cache that holds rows until they are read again.
constexpr double kUsableL2 = 0.5;
/// What a byte costs that the L2 cache holds, as a part of one that memory holds.
constexpr double kL2Cost = 0.5;
/// What a byte of a strip of columns costs, relative to one of a row.
constexpr double kStripCost = 1.4;
/// The time between two launches.
constexpr double kStreamLaunchMicroseconds = 2.5;
/// How much longer than kernels of their own for the reductions is accepted: one kernel compiles
/// faster.
constexpr double kAcceptedStreamRatio = 1.15;

struct StreamingPlan : Plan {
  /// Of the unmodified kernel, for choose.
  ReductionShape shape;
  /// Of the kernel with its softmax sums composed, for apply, if it has any.
  std::optional<ReductionShape> composed;
  /// How often a block reads the rows of an argument (a number in KernelView::getTensors).
  SmallVector<std::pair<unsigned, int64_t>> reads;
  /// Kernels of their own for the steps: how many, and the bytes that they would store of each
  /// element of a row.
  int64_t numSteps = 1, storedBytes = 0;
};

class Streaming : public SchedulerOf<StreamingPlan, StreamingParamsAttr> {
public:
  StringRef getName() const override { return "streaming"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const StreamingPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const StreamingPlan &plan, StreamingParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const StreamingPlan &plan,
                            StreamingParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

/// Bytes of each element of a row that kernels of their own for the steps would store: of values
/// that several steps read and that are not cheap to compute again.
static int64_t getStoredBytes(const KernelView &kernel, const RowSteps &steps) {
  auto isShared = [&](Operation *op) {
    return steps.hasRows(op) && steps.getSteps(op).count() > 1;
  };
  int64_t bytes = 0;
  for (TensorViewOpInterface op : kernel.getOps())
    if (isShared(op) && !op->hasTrait<fuser::CheapElement>() &&
        llvm::none_of(op->getUsers(), isShared))
      bytes += getElementBytes(getElementTypeOrSelf(op->getResult(0).getType()));
  return bytes;
}

/// How often a block reads the rows of each argument, or the reason for which it cannot.
static std::variant<SmallVector<std::pair<unsigned, int64_t>>, Refusal>
countReads(const KernelView &kernel, const ReductionShape &shape) {
  const RowSteps steps = getRowSteps(kernel, shape);
  if (std::optional<Refusal> refusal = checkCostlyRows(kernel, shape, steps))
    return std::move(*refusal);
  if (std::optional<Refusal> refusal = checkOverwritten(kernel, shape, steps))
    return std::move(*refusal);
  SmallVector<std::pair<unsigned, int64_t>> reads;
  for (auto [number, tensor] : llvm::enumerate(kernel.getTensors()))
    if (!tensor.isOutput &&
        llvm::any_of(tensor.order, [&](unsigned dimClass) { return shape.isReduced(dimClass); }))
      reads.emplace_back(number, std::max<int64_t>(1, steps.getReaders(tensor.value).count()));
  return reads;
}

/// Fills in the plan for the kernel with its softmax sums composed; false if it has none, or if
/// that cannot be scheduled.
static bool planComposed(const KernelView &kernel, StreamingPlan &plan) {
  if (!hasSoftmaxSum(kernel.getKernel()))
    return false;
  OwningOpRef<KernelOp> copy(kernel.getKernel().clone());
  composeSoftmaxSums(*copy);
  FailureOr<KernelView> view = KernelView::create(*copy);
  if (failed(view))
    return false;
  auto shape = ReductionShape::get(*view);
  if (std::holds_alternative<Refusal>(shape))
    return false;
  plan.composed = std::move(std::get<ReductionShape>(shape));
  auto reads = countReads(*view, *plan.composed);
  if (std::holds_alternative<Refusal>(reads)) {
    plan.composed.reset();
    return false;
  }
  plan.reads = std::move(std::get<0>(reads));
  return true;
}

Answer Streaming::accepts(const KernelView &kernel) const {
  std::variant<ReductionShape, Refusal> answer = ReductionShape::get(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  auto plan = std::make_unique<StreamingPlan>();
  plan->shape = std::move(std::get<ReductionShape>(answer));
  if (!plan->shape.reuse)
    return Refusal{RefusalCategory::OutOfScope,
                   kNoReuse,
                   {plan->shape.getReference(kernel)},
                   "expected a use of the reduced tensor after its reduction, but there is none"};
  // One block would have everything.
  if (plan->shape.outerKept.empty() && plan->shape.innerKept.empty())
    return Refusal{RefusalCategory::Size,
                   kNothingKept,
                   {plan->shape.getReference(kernel)},
                   "expected reductions that keep a dimension, but they reduce all",
                   plan->shape.getCutsAtReuse(kernel)};
  const RowSteps steps = getRowSteps(kernel, plan->shape);
  plan->numSteps = steps.getNumSteps();
  plan->storedBytes = getStoredBytes(kernel, steps);
  if (planComposed(kernel, *plan))
    return plan;
  auto reads = countReads(kernel, plan->shape);
  if (auto *refusal = std::get_if<Refusal>(&reads))
    return std::move(*refusal);
  plan->reads = std::move(std::get<0>(reads));
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// Threads and unrolling for rows (inner) or columns (outer) of known or unknown size.
static ReductionLoops chooseLoops(const Requirements &requirements, const StreamingPlan &plan,
                                  int64_t vector, int64_t elementBytes) {
  const ReductionShape &shape = plan.shape;
  ReductionLoops loops{kThreads, 1, vector, kUnroll, 1};
  if (shape.isInner()) {
    const bool isReadAgain = llvm::any_of(plan.reads, [](auto reads) { return reads.second > 2; });
    loops.threadsX = isReadAgain ? kReadAgainThreads : kLongRowThreads;
    loops.unroll = kLongRowUnroll;
    std::optional<int64_t> row = requirements.getSize(shape.innerReduced);
    if (!row)
      return loops;
    int64_t vectors = std::max<int64_t>(1, llvm::divideCeil(*row, vector));
    if (vectors < loops.threadsX * loops.unroll)
      fitRow(vectors, vector * elementBytes < 16, requirements.getSize(shape.outerKept), loops);
    return loops;
  }
  int64_t lanes = std::max<int64_t>(1, kStripBytes / (vector * elementBytes));
  if (std::optional<int64_t> columns = requirements.getSize(shape.innerKept))
    lanes = std::clamp<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(*columns, vector)), 1, lanes);
  loops.threadsX = lanes;
  loops.threadsY = kThreads / lanes;
  const SmallVector<unsigned> reduced = shape.getReduced();
  if (std::optional<int64_t> rows = requirements.getSize(reduced)) {
    while (loops.unroll > 1 && loops.threadsY * loops.unroll > std::max<int64_t>(1, *rows))
      loops.unroll /= 2;
    while (loops.threadsY > 1 && loops.threadsY > std::max<int64_t>(1, *rows))
      loops.threadsY /= 2;
  }
  return loops;
}

static ReductionLoops getLoops(StreamingParamsAttr params) {
  return {params.getThreadsX(), params.getThreadsY(), params.getVector(), params.getUnroll(), 1};
}

namespace {
/// Elements of all rows, and bytes of arguments that are read for the first time and again, and of
/// outputs.
struct RowBytes {
  double elements = 0, first = 0, again = 0, written = 0;
};
} // namespace

/// nullopt if a size is not known.
static std::optional<RowBytes> countBytes(const KernelView &kernel, const StreamingPlan &plan,
                                          const Requirements &requirements) {
  const ReductionShape &shape = plan.shape;
  const SmallVector<unsigned> reduced = shape.getReduced();
  const std::optional<int64_t> outer = requirements.getSize(shape.outerKept),
                               inner = requirements.getSize(shape.innerKept),
                               row = requirements.getSize(reduced);
  if (!outer || !inner || !row)
    return std::nullopt;
  RowBytes result;
  result.elements = double(*outer) * double(*inner) * double(*row);
  for (auto [number, count] : plan.reads) {
    const GlobalTensor &tensor = kernel.getTensors()[number];
    double bytes = double(tensor.elementBytes);
    for (unsigned dimClass : tensor.order)
      bytes *= double(requirements.getSize(dimClass).value_or(1));
    result.first += bytes;
    result.again += bytes * double(count - 1);
  }
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.isOutput && tensor.order.size() == shape.order.size())
      result.written += result.elements * double(tensor.elementBytes);
  return result;
}

std::variant<Choice, Refusal>
Streaming::chooseParams(const KernelView &kernel, const StreamingPlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  ArrayRef<unsigned> vectorClasses = getVectorClasses(shape);
  int64_t vector = requirements.getVectorWidth(vectorClasses);
  const int64_t elementBytes = shape.getElementBytes(kernel);
  ReductionLoops loops = chooseLoops(requirements, plan, vector, elementBytes);
  std::variant<Choice, Refusal> answer =
      evaluateParams(kernel, plan,
                     StreamingParamsAttr::get(kernel.getKernel().getContext(), loops.threadsX,
                                              loops.threadsY, vector, loops.unroll),
                     hints, device);
  const auto *choice = std::get_if<Choice>(&answer);
  const std::optional<RowBytes> bytes = countBytes(kernel, plan, requirements);
  if (!choice || !bytes)
    return answer;
  const ResourceUse &use = choice->use;
  // Kernels of their own for each step fill the device.
  ResourceUse filled = use;
  filled.blocks = 0;
  filled.numSteps = plan.numSteps;
  filled.bytesReadAgain = bytes->again + 2 * bytes->elements * double(plan.storedBytes);
  const double separate = predictMicroseconds(kernel, hints, filled, device) +
                          double(plan.numSteps - 1) * kStreamLaunchMicroseconds;
  if (predictMicroseconds(kernel, hints, use, device) > kAcceptedStreamRatio * separate)
    return Refusal{RefusalCategory::Size,
                   kTooFewBlocks,
                   {shape.getReference(kernel)},
                   "expected enough rows to fill the device, but " + std::to_string(use.blocks) +
                       " blocks take longer than kernels of their own for the reductions",
                   shape.getCutsAtReuse(kernel)};
  return checkStoredOrders(kernel, shape, std::move(answer), hints, device);
}

std::variant<Choice, Refusal>
Streaming::evaluateParams(const KernelView &kernel, const StreamingPlan &plan,
                          StreamingParamsAttr params, const SizeHints &hints,
                          const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  ArrayRef<unsigned> vectorClasses = getVectorClasses(shape);
  const ReductionLoops loops = getLoops(params);
  if (std::optional<Refusal> refusal = requirements.checkVectorWidth(vectorClasses, loops.vector))
    return std::move(*refusal);
  ResourceUse use;
  use.threads = loops.threadsX * loops.threadsY;
  use.bytesInFlight = loops.unroll * loops.vector * shape.getElementBytes(kernel);
  // Columns are accumulated in several registers each.
  use.registers =
      (shape.isInner() ? 32 : 48) + loops.unroll * loops.vector / (shape.isInner() ? 2 : 1);
  use.scattered = shape.getScattered(kernel);
  for (auto [tensor, count] : plan.reads)
    use.numSteps = std::max(use.numSteps, count);
  if (const std::optional<RowBytes> bytes = countBytes(kernel, plan, requirements)) {
    use.blocks = *getNumBlocks(requirements, shape, loops);
    double resident = double(device.multiprocessors) * double(getResidentBlocks(use, device));
    double held = bytes->first * std::min(1.0, resident / double(std::max<int64_t>(use.blocks, 1)));
    use.bytesReadAgain =
        bytes->again * (held <= kUsableL2 * double(device.l2Bytes) ? kL2Cost : 1.0);
    if (!shape.isInner())
      use.bytesReadAgain += (kStripCost - 1) * (bytes->first + use.bytesReadAgain + bytes->written);
  }
  requirements.requireVectorWidth(vectorClasses, loops.vector);
  if (shape.isInner())
    requirements.requireWholeBlocks(shape.getKept(), loops.threadsY);
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

LogicalResult Streaming::applyParams(const KernelView &whole, const StreamingPlan &plan,
                                     StreamingParamsAttr params) const {
  KernelOp kernel = whole.getKernel();
  std::optional<KernelView> composed;
  if (plan.composed) {
    composeSoftmaxSums(kernel);
    FailureOr<KernelView> created = KernelView::create(kernel);
    if (failed(created))
      return failure();
    composed = std::move(*created);
  }
  const KernelView &view = composed ? *composed : whole;
  const ReductionShape &shape = plan.composed ? *plan.composed : plan.shape;
  TensorViewOpInterface reference = shape.getReference(view);
  Requirements requirements(view, SizeHints());
  requirements.requireVectorWidth(getVectorClasses(shape), params.getVector());
  (void)requirements.requireNonEmpty(shape.lacked);
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  separateSteps(*schedule, getRowSteps(*schedule, reference));
  splitBroadcasts(kernel);

  LoopBuilder loops(view, reference);
  if (failed(scheduleReduction(loops, shape, getLoops(params))) ||
      failed(schedule->propagate(reference)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return params.getUnroll() > 1; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createStreamingScheduler() {
  return std::make_unique<Streaming>();
}
