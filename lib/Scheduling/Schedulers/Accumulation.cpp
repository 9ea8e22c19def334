//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The accumulation scheduler: histograms, and sums of rows into few groups.
//
// Atomic accesses of global memory are done by the L2 cache, one sector at a time; those of one
// sector wait for each other. Each multiprocessor does those of its own shared memory.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Scheduling/TimeModel.h"
#include "fuser/Scheduling/UpdateShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: of kernels with an output that is no update that combines elements; of
/// outputs with different rows; of updates of which a block has no copy of known size, or one that
/// is too large; of rows with too few elements for one; of rows that an axis of the grid is too
/// short for.
constexpr StringLiteral kNoAccumulation = "no-accumulation";
constexpr StringLiteral kDifferentRows = "different-rows";
constexpr StringLiteral kUnknownCopy = "unknown-copy";
constexpr StringLiteral kCopyTooLarge = "copy-too-large";
constexpr StringLiteral kTooFewElements = "too-few-elements";
constexpr StringLiteral kGridTooLong = "grid-too-long";

/// Elements of a block for each element of its copy, at least: each of these is an access of global
/// memory again.
constexpr int64_t kLeastElementsEach = 4;
/// Bytes that a thread loads before it combines them.
constexpr int64_t kBytesOfStep = 16;
/// Bytes of a copy that few threads share: those that find an element changed try again.
constexpr int64_t kSmallCopy = 8 * 1024;

/// The output that loops follow, how many of its slowest dimensions are rows, and what a row of
/// each output is combined in: the elements of the largest copy, and the bytes of all.
struct AccumulationPlan : Plan {
  ReferenceOutput reference;
  SmallVector<UpdateOpInterface> updates;
  unsigned rowDims = 0;
  int64_t copyElements = 0, copyBytes = 0;

  ArrayRef<unsigned> getRows() const { return ArrayRef(reference.classes).take_front(rowDims); }
  ArrayRef<unsigned> getColumns() const { return ArrayRef(reference.classes).drop_front(rowDims); }
};

class Accumulation : public SchedulerOf<AccumulationPlan, AccumulationParamsAttr> {
public:
  StringRef getName() const override { return "accumulation"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const AccumulationPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const AccumulationPlan &plan,
                 AccumulationParamsAttr params, const SizeHints &hints,
                 const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const AccumulationPlan &plan,
                            AccumulationParamsAttr params) const override;
};

} // namespace

/// The updates that the outputs are; empty if one of them combines no elements.
static SmallVector<UpdateOpInterface> getAccumulations(const KernelView &kernel) {
  auto ret = cast<ReturnOp>(kernel.getKernel().getBody().front().back());
  SmallVector<UpdateOpInterface> updates;
  for (Value output : ret.getValues()) {
    auto update = output.getDefiningOp<UpdateOpInterface>();
    if (!update || !update.getCombination())
      return {};
    updates.push_back(update);
  }
  return updates;
}

/// The elements of outputs are combined one by one.
static bool isLoaded(const GlobalTensor &tensor) { return !tensor.isOutput; }

/// Sets the rows of the plan, and what a block has copies of.
static std::optional<Refusal> findCopies(const KernelView &kernel, AccumulationPlan &plan) {
  constexpr int64_t kMostElements = int64_t(1) << 40;
  for (auto [number, update] : llvm::enumerate(plan.updates)) {
    const Value updated = update->getOperand(update.getUpdatedOperand());
    auto type = cast<RankedTensorType>(updated.getType());
    const UpdateShape shape = getUpdateShape(kernel, update, plan.reference.classes);
    if (number > 0 && shape.position != plan.rowDims)
      return Refusal{RefusalCategory::Structure,
                     kDifferentRows,
                     {update},
                     "expected outputs whose rows are the same, but those of output " +
                         std::to_string(number) + " are others than those of output 0"};
    plan.rowDims = shape.position;
    int64_t elements = 1;
    for (unsigned dim : shape.dims) {
      if (type.isDynamicDim(dim))
        return Refusal{RefusalCategory::Size,
                       kUnknownCopy,
                       {update},
                       "expected a known size of dimension " + std::to_string(dim) +
                           " of what elements are combined in"};
      elements = std::min<int64_t>(
          llvm::SaturatingMultiply<uint64_t>(elements, type.getDimSize(dim)), kMostElements);
    }
    plan.copyElements = std::max(plan.copyElements, elements);
    plan.copyBytes += elements * getElementBytes(type.getElementType());
  }
  return std::nullopt;
}

Answer Accumulation::accepts(const KernelView &kernel) const {
  auto plan = std::make_unique<AccumulationPlan>();
  plan->updates = getAccumulations(kernel);
  if (plan->updates.empty())
    return Refusal{RefusalCategory::OutOfScope,
                   kNoAccumulation,
                   {},
                   "expected outputs whose elements are combined at indices"};
  plan->reference = ReferenceOutput::get(kernel);
  std::optional<Refusal> refusal = checkElementwise(kernel, plan->reference);
  if (!refusal)
    refusal = findCopies(kernel, *plan);
  if (refusal)
    return *refusal;
  if (getConcrete(kernel, plan->getColumns()).empty())
    return Refusal{RefusalCategory::Size,
                   kTooFewElements,
                   {plan->updates.front()},
                   "expected rows of several elements to combine"};
  return plan;
}

/// The blocks of a multiprocessor, by threads and copies.
static int64_t countResident(const AccumulationPlan &plan, int64_t threads,
                             const artifact::DeviceDescription &device) {
  ResourceUse use;
  use.threads = threads;
  use.sharedBytes = plan.copyBytes;
  return getResidentBlocks(use, device);
}

std::variant<Choice, Refusal>
Accumulation::chooseParams(const KernelView &kernel, const AccumulationPlan &plan,
                           const SizeHints &hints,
                           const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const SmallVector<unsigned> rows = getConcrete(kernel, plan.getRows()),
                              columns = getConcrete(kernel, plan.getColumns());
  // Adjacent threads combine adjacent elements of rows that are added as wholes: they do not meet.
  const bool isOfRows =
      getUpdateShape(kernel, plan.updates.front(), columns).position + 1 != columns.size();
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (isLoaded(tensor))
      widest = std::max(widest, tensor.elementBytes);
  const int64_t vector =
      isOfRows ? 1 : requirements.getVectorWidth(columns, kBytesOfStep, isLoaded);
  const int64_t unroll = std::clamp<int64_t>(kBytesOfStep / (vector * widest), 1, 4);
  // The threads of a large block share one copy. But only integers of 32 bits are combined by one
  // access, and others try again where few are combined.
  const bool triesAgain = !llvm::all_of(plan.updates, [](UpdateOpInterface update) {
    return getElementTypeOrSelf(update->getResult(0).getType()).isInteger(32);
  });
  const int64_t threads = !isOfRows && triesAgain && plan.copyBytes <= kSmallCopy ? 512 : 1024;
  const int64_t resident =
      countResident(plan, threads, device) * std::max<int64_t>(device.multiprocessors, 1);
  const int64_t ofStep = threads * vector * unroll;
  int64_t steps = 16;
  const std::optional<int64_t> numRows = requirements.getSize(rows),
                               numColumns = requirements.getSize(columns);
  if (numRows && numColumns) {
    const int64_t blocksOfRow = std::max<int64_t>(resident / std::max<int64_t>(*numRows, 1), 1);
    steps =
        llvm::divideCeil(llvm::divideCeil(std::max<int64_t>(*numColumns, 1), ofStep), blocksOfRow);
    // A copy is filled and combined by as many accesses as it has elements.
    steps =
        std::max<int64_t>(steps, llvm::divideCeil(kLeastElementsEach * plan.copyElements, ofStep));
  }
  return evaluateParams(kernel, plan,
                        AccumulationParamsAttr::get(kernel.getKernel().getContext(), threads,
                                                    vector, unroll,
                                                    std::min<int64_t>(steps, int64_t(1) << 30)),
                        hints, device);
}

std::variant<Choice, Refusal>
Accumulation::evaluateParams(const KernelView &kernel, const AccumulationPlan &plan,
                             AccumulationParamsAttr params, const SizeHints &hints,
                             const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const SmallVector<unsigned> rows = getConcrete(kernel, plan.getRows()),
                              columns = getConcrete(kernel, plan.getColumns());
  const int64_t shared =
      std::max<int64_t>(device.sharedBytesPerBlock, device.sharedBytesPerBlockOptIn);
  if (plan.copyBytes > shared)
    return Refusal{RefusalCategory::Device,
                   kCopyTooLarge,
                   {},
                   "expected at most " + std::to_string(shared) +
                       " bytes of shared memory, but what a row is combined in has " +
                       std::to_string(plan.copyBytes)};
  const std::optional<int64_t> numRows = requirements.getSize(rows),
                               numColumns = requirements.getSize(columns);
  if (numColumns && *numColumns < kLeastElementsEach * plan.copyElements)
    return Refusal{RefusalCategory::Size,
                   kTooFewElements,
                   {},
                   "expected rows of at least " + std::to_string(kLeastElementsEach) +
                       " elements for each of " + std::to_string(plan.copyElements) +
                       " that they are combined in, but got " + std::to_string(*numColumns)};
  if (std::optional<Refusal> refusal =
          requirements.checkVectorWidth(columns, params.getVector(), isLoaded))
    return std::move(*refusal);
  requirements.requireVectorWidth(columns, params.getVector());
  const int64_t ofStep = params.getThreads() * params.getVector() * params.getUnroll(),
                ofBlock = ofStep * params.getSteps();
  if (!rows.empty() && !requirements.requireAtMost(columns, device.maxGrid[1] * ofBlock))
    return Refusal{RefusalCategory::Device,
                   kGridTooLong,
                   {},
                   "expected rows whose parts fit an axis of the grid"};
  (void)requirements.requireNonEmpty(
      getLacked(kernel, getConcrete(kernel, plan.reference.classes)));
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreads();
  use.sharedBytes = plan.copyBytes;
  if (numRows && numColumns) {
    use.blocks = *numRows * llvm::divideCeil(*numColumns, ofBlock);
    use.copies = double(use.blocks);
  }
  use.bytesInFlight =
      params.getVector() * params.getUnroll() * std::max<int64_t>(getElementBytesRead(kernel), 1);
  use.registers = 32 + params.getVector() * params.getUnroll() * 2;
  use.numSteps = 2;
  return Choice{params, requirements.takeFacts(), use};
}

LogicalResult Accumulation::applyParams(const KernelView &view, const AccumulationPlan &plan,
                                        AccumulationParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  Requirements requirements(view, SizeHints());
  requirements.requireVectorWidth(getConcrete(view, plan.getColumns()), params.getVector());
  (void)requirements.requireNonEmpty(getLacked(view, getConcrete(view, plan.reference.classes)));
  addFacts(kernel, requirements.takeFacts());
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  auto store = ret.getValues()[plan.reference.position].getDefiningOp<TensorViewOpInterface>();
  for (UpdateOpInterface update : plan.updates)
    update->setAttr(kPrivatizedName, UnitAttr::get(kernel.getContext()));

  LoopBuilder loops(view, store, view.getOutput(plan.reference.position));
  const SmallVector<unsigned> ids = loops.take(plan.reference.classes);
  unsigned row = loops.merge(ArrayRef(ids).take_front(plan.rowDims)),
           column = loops.merge(ArrayRef(ids).drop_front(plan.rowDims));
  auto [vectors, vector] = loops.split(column, params.getVector());
  auto [groups, thread] = loops.getBuilder().split(vectors, params.getThreads());
  auto [rounds, unrolled] = loops.split(groups, params.getUnroll());
  auto [parts, step] = loops.getBuilder().split(rounds, params.getSteps());
  const bool hasRows = row != kNoId;
  if (failed(loops.finish({{row, ParallelType::BlockX},
                           {parts, hasRows ? ParallelType::BlockY : ParallelType::BlockX},
                           {step, ParallelType::Serial},
                           {unrolled, ParallelType::Unroll},
                           {thread, ParallelType::ThreadX},
                           {vector, ParallelType::Vectorize}})) ||
      failed(schedule->propagate(store)))
    return failure();
  const bool loadsFirst = params.getUnroll() > 1;
  schedule->inlineAll([&](TensorViewOpInterface) { return loadsFirst; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createAccumulationScheduler() {
  return std::make_unique<Accumulation>();
}
