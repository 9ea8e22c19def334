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

#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Threads of a block if there is enough work, and the occupancy of an SM in such blocks with the
/// registers that loads in flight need.
constexpr int64_t kThreads = 512;
constexpr int64_t kBlocksPerMultiprocessor = 2;
/// Threads of a block that handles several short rows.
constexpr int64_t kShortRowThreads = 128;
/// 16-byte vectors of a thread in flight; twice as many if vectors are narrower.
constexpr int64_t kUnroll = 4;
/// The minimum and the preferred number of adjacent bytes of a row that the threads along it cover.
constexpr int64_t kSegmentBytes = 128;
constexpr int64_t kWideSegmentBytes = 512;
constexpr int64_t kMaxLanes = 256;

/// Values that both patterns need in choose.
struct ChooseInput {
  const ReductionShape &shape;
  const Requirements &requirements;
  const artifact::DeviceDescription &device;
  int64_t vector;
  int64_t elementBytes;
};

struct Numbers {
  int64_t threadsX = kThreads, threadsY = 1, unroll = kUnroll, splits = 1;
};

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
  plan->shape = std::move(shape);
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// The columns that are vectorized.
static ArrayRef<unsigned> getVectorClasses(const ReductionShape &shape) {
  return shape.isInner() ? shape.innerReduced : shape.innerKept;
}

/// Threads and vectors per step so that whole steps cover a row of `vectors` with the least waste.
/// Narrow vectors need more of them in flight. A step that is a multiple of an earlier one never
/// wastes less.
static void fitRow(int64_t vectors, bool isNarrow, Numbers &numbers) {
  static constexpr int64_t wideUnrolls[] = {4, 5, 6, 7, 3, 2, 1};
  static constexpr int64_t narrowUnrolls[] = {10, 8, 12, 9, 6, 5, 4, 3, 2, 1};
  static constexpr int64_t wideThreads[] = {512, 256, 128, 64};
  static constexpr int64_t narrowThreads[] = {256, 128, 64};
  std::optional<int64_t> least;
  for (int64_t threads : isNarrow ? ArrayRef(narrowThreads) : ArrayRef(wideThreads))
    for (int64_t unroll : isNarrow ? ArrayRef(narrowUnrolls) : ArrayRef(wideUnrolls)) {
      int64_t step = threads * unroll;
      int64_t idle = llvm::divideCeil(vectors, step) * step - vectors;
      // A later candidate must save at least a tenth of the row.
      if (least && idle + vectors / 10 >= *least)
        continue;
      least = idle;
      numbers.threadsX = threads;
      numbers.unroll = unroll;
    }
}

static Numbers chooseInner(const ChooseInput &input) {
  Numbers numbers;
  std::optional<int64_t> row = input.requirements.getSize(input.shape.innerReduced);
  std::optional<int64_t> outer = input.requirements.getSize(input.shape.outerReduced);
  SmallVector<unsigned> keptClasses(input.shape.outerKept);
  llvm::append_range(keptClasses, input.shape.innerKept);
  std::optional<int64_t> results = input.requirements.getSize(keptClasses);
  bool isFull = keptClasses.empty();

  std::optional<int64_t> vectors;
  if (row)
    vectors = std::max<int64_t>(1, llvm::divideCeil(*row, input.vector));
  if (vectors && *vectors <= 32 && !isFull) {
    // At most one warp per row.
    numbers.threadsX = llvm::PowerOf2Ceil(*vectors);
    numbers.threadsY = kShortRowThreads / numbers.threadsX;
    numbers.unroll = 1;
  } else if (vectors && !isFull) {
    fitRow(*vectors, input.vector * input.elementBytes < 16, numbers);
  }

  // Blocks that share a result, until the device is full; each has at least one step.
  int64_t slots = input.device.multiprocessors * kBlocksPerMultiprocessor * 2;
  int64_t steps = vectors ? llvm::divideCeil(*vectors, numbers.threadsX * numbers.unroll) : slots;
  if (!input.shape.outerReduced.empty())
    steps = outer ? *outer : slots;
  if (isFull)
    numbers.splits = std::clamp<int64_t>(steps, 1, slots);
  else if (results && *results > 0) {
    // A block of several short rows takes several of them in turn.
    int64_t blocks = llvm::divideCeil(*results, numbers.threadsY);
    if (numbers.threadsY > 1)
      steps /= kUnroll;
    if (blocks * 2 <= slots)
      numbers.splits = std::clamp<int64_t>(slots / blocks, 1, std::max<int64_t>(1, steps));
  }
  return numbers;
}

static Numbers chooseOuter(const ChooseInput &input) {
  Numbers numbers;
  int64_t vectorBytes = input.vector * input.elementBytes;
  numbers.unroll = vectorBytes < 16 ? 2 * kUnroll : kUnroll;
  std::optional<int64_t> columns = input.requirements.getSize(input.shape.innerKept);
  std::optional<int64_t> others = input.requirements.getSize(input.shape.outerKept);
  std::optional<int64_t> rows = input.requirements.getSize(input.shape.outerReduced);
  int64_t least = std::clamp<int64_t>(kSegmentBytes / vectorBytes, 1, kMaxLanes);
  int64_t most = std::clamp<int64_t>(kWideSegmentBytes / vectorBytes, 1, kMaxLanes);
  if (columns && *columns > 0) // no lanes out of bounds
    most = std::min<int64_t>(most, llvm::PowerOf2Ceil(llvm::divideCeil(*columns, input.vector)));
  least = std::min(least, most);
  numbers.threadsX = most;
  numbers.threadsY = kThreads / most;
  if (!columns || !others || !rows)
    return numbers;

  // The strip width and the number of splits that fill whole waves best.
  int64_t slots = input.device.multiprocessors * kBlocksPerMultiprocessor;
  double best = -1;
  for (int64_t lanes = most; lanes >= least; lanes /= 2) {
    int64_t threadsY = kThreads / lanes;
    int64_t strips = std::max<int64_t>(1, llvm::divideCeil(*columns, lanes * input.vector) *
                                              std::max<int64_t>(1, *others));
    int64_t steps = std::max<int64_t>(1, *rows / (threadsY * numbers.unroll));
    int64_t splits = std::clamp<int64_t>(slots / strips, 1, std::min<int64_t>(steps, 65535));
    int64_t waves = llvm::divideCeil(strips * splits, slots);
    double used = double(strips * splits) / double(waves * slots);
    // A slightly better utilization does not justify more partial results.
    if (used > best + 0.02) {
      best = used;
      numbers.threadsX = lanes;
      numbers.threadsY = threadsY;
      numbers.splits = splits;
    }
  }
  // Few rows: fewer loads in flight, and no threads without a row.
  while (numbers.unroll > 1 && numbers.threadsY * numbers.unroll > std::max<int64_t>(1, *rows))
    numbers.unroll /= 2;
  while (numbers.threadsY > 1 && numbers.threadsY > std::max<int64_t>(1, *rows) &&
         numbers.threadsX * numbers.threadsY > kShortRowThreads)
    numbers.threadsY /= 2;
  return numbers;
}

static ResourceUse predictUse(const ChooseInput &input, const Numbers &numbers) {
  ResourceUse use;
  use.threads = numbers.threadsX * numbers.threadsY;
  use.bytesInFlight = numbers.unroll * input.vector * input.elementBytes;
  use.registers = 32 + numbers.unroll * input.vector;
  std::optional<int64_t> inner = input.requirements.getSize(input.shape.innerKept);
  std::optional<int64_t> outer = input.requirements.getSize(input.shape.outerKept);
  if (inner && outer)
    use.blocks =
        numbers.splits * (input.shape.isInner()
                              ? llvm::divideCeil(*outer * *inner, numbers.threadsY)
                              : *outer * llvm::divideCeil(*inner, numbers.threadsX * input.vector));
  return use;
}

std::variant<Choice, Refusal>
Reduction::chooseParams(const KernelView &kernel, const ReductionPlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  ArrayRef<unsigned> vectorClasses = getVectorClasses(shape);
  int64_t vector = requirements.getVectorWidth(vectorClasses);
  int64_t elementBytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    elementBytes = std::max(elementBytes, tensor.elementBytes);
  ChooseInput input{shape, requirements, device, vector, elementBytes};
  Numbers numbers = shape.isInner() ? chooseInner(input) : chooseOuter(input);
  requirements.requireVectorWidth(vectorClasses, vector);
  requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  auto params = ReductionParamsAttr::get(
      kernel.getKernel().getContext(),
      shape.isInner() ? ReductionPattern::Inner : ReductionPattern::Outer, numbers.threadsX,
      numbers.threadsY, vector, numbers.unroll, numbers.splits);
  return Choice{params, requirements.takeFacts(), predictUse(input, numbers)};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// Ids of the reference by group; ids of size 1 that are in no group are kept.
namespace {
struct ReferenceIds {
  SmallVector<unsigned> innerReduced, outerReduced, innerKept, outerKept;
};
} // namespace

static ReferenceIds takeReferenceIds(LoopBuilder &loops, const ReductionShape &shape) {
  ReferenceIds ids;
  ids.innerReduced = loops.take(shape.innerReduced);
  ids.outerReduced = loops.take(shape.outerReduced);
  ids.innerKept = loops.take(shape.innerKept);
  ids.outerKept = loops.take(shape.outerKept);
  llvm::append_range(ids.outerKept, loops.takeRest());
  return ids;
}

/// [rows by block, rows by thread_y, splits by block, outer, steps, unroll, thread_x, vector]
static LogicalResult scheduleInner(LoopBuilder &loops, const ReferenceIds &ids,
                                   ReductionParamsAttr params) {
  SmallVector<unsigned> kept(ids.outerKept);
  llvm::append_range(kept, ids.innerKept);
  auto [rowBlock, rowThread] = loops.split(loops.merge(kept), params.getThreadsY());
  unsigned outer = loops.merge(ids.outerReduced);
  auto [vectors, vector] = loops.split(loops.merge(ids.innerReduced), params.getVector());
  auto [groups, thread] = loops.getBuilder().split(vectors, params.getThreadsX());
  auto [steps, unroll] = loops.split(groups, params.getUnroll());
  unsigned split = kNoId;
  if (outer != kNoId)
    std::tie(split, outer) = loops.splitOuter(outer, params.getSplits());
  else
    std::tie(split, steps) = loops.splitOuter(steps, params.getSplits());
  return loops.finish({{rowBlock, ParallelType::BlockX},
                       {rowThread, ParallelType::ThreadY},
                       {split, rowBlock == kNoId ? ParallelType::BlockX : ParallelType::BlockY},
                       {outer},
                       {steps},
                       {unroll, ParallelType::Unroll},
                       {thread, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

/// [columns by block, splits by block, steps, full step?, unroll, thread_y, thread_x, vector] A
/// full step needs no bounds checks, which would serialize its loads, because there are few
/// predicate registers.
static LogicalResult scheduleOuter(LoopBuilder &loops, const ReferenceIds &ids,
                                   ReductionParamsAttr params) {
  auto [vectors, vector] = loops.split(loops.merge(ids.innerKept), params.getVector());
  auto [strips, lane] = loops.getBuilder().split(vectors, params.getThreadsX());
  unsigned block = loops.merge({loops.merge(ids.outerKept), strips});
  SmallVector<unsigned> reduced(ids.outerReduced);
  llvm::append_range(reduced, ids.innerReduced);
  auto [rows, rowThread] = loops.split(loops.merge(reduced), params.getThreadsY());
  auto [groups, unroll] = loops.split(rows, params.getUnroll());
  auto [split, steps] = loops.splitOuter(groups, params.getSplits());
  unsigned whole = kNoId;
  if (unroll != kNoId && steps != kNoId)
    std::tie(steps, whole) = loops.getBuilder().split(steps, 1);
  return loops.finish({{block, ParallelType::BlockX},
                       {split, ParallelType::BlockY},
                       {steps},
                       {whole, ParallelType::Unswitch},
                       {unroll, ParallelType::Unroll},
                       {rowThread, ParallelType::ThreadY},
                       {lane, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

LogicalResult Reduction::applyParams(const KernelView &view, const ReductionPlan &plan,
                                     ReductionParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  const ReductionShape &shape = plan.shape;
  ReductionPattern pattern = shape.isInner() ? ReductionPattern::Inner : ReductionPattern::Outer;
  if (params.getPattern() != pattern)
    return kernel->emitOpError("expected a schedule of pattern '")
           << stringifyReductionPattern(pattern) << "', but got '"
           << stringifyReductionPattern(params.getPattern()) << "'";
  Requirements requirements(view, SizeHints());
  requirements.requireVectorWidth(getVectorClasses(shape), params.getVector());
  requirements.requireNonEmpty(shape.lacked);
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  TensorViewOpInterface reference = shape.getReference(view);
  LoopBuilder loops(view, reference);
  ReferenceIds ids = takeReferenceIds(loops, shape);
  auto scheduleLoops = pattern == ReductionPattern::Inner ? scheduleInner : scheduleOuter;
  if (failed(scheduleLoops(loops, ids, params)) || failed(schedule->propagate(reference)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return params.getUnroll() > 1; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createReductionScheduler() {
  return std::make_unique<Reduction>();
}
