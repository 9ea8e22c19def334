//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inner persistent scheduler: rows are read once and kept in registers, packed as in memory,
// from their reductions to their uses. One short-lived block per row, several short rows per block,
// or a cluster of blocks per row that one block cannot hold.
//
//===----------------------------------------------------------------------===//

#include "RowFit.h"
#include "RowOrders.h"
#include "RowParts.h"
#include "RowThreads.h"
#include "StagedRows.h"
#include "fuser/Dialect/IR/RandomNumbers.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/RecomputeRows.h"
#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: no reduced dimension is used again; the kept rows are not the fastest
/// dimensions in memory.
constexpr StringLiteral kNothingToKeep = "nothing-to-keep";
constexpr StringLiteral kNotInner = "not-inner";
/// The kept rows are short runs of memory.
constexpr StringLiteral kShortRuns = "short-runs";

/// The share of the time in which a cluster keeps memory busy: on one NVIDIA H200, softmax of
/// 4096x131072 bf16 reaches 91 % of the copy rate, cross entropy of 8192x128256, which stores no
/// rows, 74 %.
constexpr double kClusterBusyShare = 0.91, kReadOnlyClusterBusyShare = 0.74;
/// The same of one or two resident blocks that store no rows, which have nothing under way while
/// they combine what they have: cross entropy of 64000 and 32064 bf16 there.
constexpr double kReadOnlyBusyShares[] = {0.55, 0.75};
/// The same of tiles, whose runs in memory are short: of less than 64 bytes (group norm of 16
/// channels that are last, 16x512x64x64 bf16), and of more (batch norm of 256x1024x14x14).
constexpr int64_t kLongRunBytes = 64;
constexpr double kShortRunBusyShare = 0.5, kLongRunBusyShare = 0.72;
/// Rows per multiprocessor from which on throughput counts.
constexpr int64_t kManyRows = 4;
/// Threads of a block that computes several rows.
constexpr int64_t kShortRowThreads = 128;
/// A warp whose threads have as many bytes of a row is a block of its own: its registers are free
/// as soon as it ends. Layer norm of 50000x1000 bf16 takes 50 us on one NVIDIA H200 with blocks of
/// one row, 56 with those of four.
constexpr int64_t kBytesOfLoneWarp = 64;
/// Threads of a block along its third axis.
constexpr int64_t kMaxPlanes = 64;
/// Bytes of the shortest runs of a tile: of shorter ones, blocks would read a part of each sector.
constexpr int64_t kLeastRunBytes = 32;
/// The assumed length of a part of a row.
constexpr int64_t kAssumedPart = 128;
/// The assumed bytes of a row of unknown length.
constexpr int64_t kAssumedRowBytes = 32 * 1024;
/// Bytes of a register.
constexpr int64_t kRegisterBytes = 4;

struct InnerPersistentPlan : Plan {
  /// Of the unmodified kernel, for choose.
  ReductionShape shape;
  /// Of the kernel with its variances decomposed, for apply, if it has any.
  std::optional<ReductionShape> decomposed;
};

class InnerPersistent : public SchedulerOf<InnerPersistentPlan, InnerPersistentParamsAttr> {
public:
  StringRef getName() const override { return "inner_persistent"; }
  Answer accepts(const KernelView &kernel) const override;
  std::optional<InferredOrder> inferOrder(Value value,
                                          ArrayRef<OrderReference> references) const override {
    return inferOrderOfRows(value, references);
  }

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const InnerPersistentPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const InnerPersistentPlan &plan,
                 InnerPersistentParamsAttr params, const SizeHints &hints,
                 const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const InnerPersistentPlan &plan,
                            InnerPersistentParamsAttr params) const override;
};

} // namespace

static std::variant<ReductionShape, Refusal> check(const KernelView &kernel) {
  std::variant<ReductionShape, Refusal> answer =
      ReductionShape::get(kernel, PartsOfValues::Accepted, PartsOfRows::Accepted);
  auto *shape = std::get_if<ReductionShape>(&answer);
  if (!shape)
    return answer;
  if (!shape->reuse && shape->part.empty())
    return Refusal{RefusalCategory::OutOfScope,
                   kNothingToKeep,
                   {shape->getReference(kernel)},
                   "expected a use of the reduced tensor after its reduction, but there is none"};
  const bool isInner = shape->isInner() && !shape->innerReduced.empty();
  if (!isInner || (!shape->outerReduced.empty() && !shape->part.empty()))
    return Refusal{RefusalCategory::Layout,
                   kNotInner,
                   {shape->getReference(kernel)},
                   "expected reductions over the fastest dimensions in memory, but slower ones are "
                   "reduced",
                   shape->getCutsAtReuse(kernel)};
  // Kept dimensions are between those of a tile: its runs in memory are parts of a row.
  if (!shape->outerReduced.empty())
    shape->part = shape->innerReduced;
  return answer;
}

Answer InnerPersistent::accepts(const KernelView &kernel) const {
  std::variant<ReductionShape, Refusal> answer = check(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  auto plan = std::make_unique<InnerPersistentPlan>();
  plan->shape = std::move(std::get<ReductionShape>(answer));
  plan->preferences = getBoundaryPreferences(kernel, plan->shape.order);
  // The row stays in registers: a second pass over it costs less than Welford's divisions.
  if (OwningOpRef<KernelOp> copy = copyDecomposed(kernel)) {
    std::variant<ReductionShape, Refusal> again =
        checkDecomposed<ReductionShape>(kernel, *copy, check);
    if (auto *refusal = std::get_if<Refusal>(&again))
      return std::move(*refusal);
    plan->decomposed = std::move(std::get<ReductionShape>(again));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// Seconds in which all threads of a row get the result of a reduction: those of a cluster, and of
/// a block. Those of a warp do not wait for others: shuffles are instructions like the rest.
constexpr double kClusterExchangeSeconds = 1.0e-6, kExchangeSeconds = 0.4e-6;

/// Bytes of an element of each input that is kept: those that a reduction of rows reads.
static SmallVector<int64_t> getKeptElements(const KernelView &kernel, const ReductionShape &shape) {
  llvm::SmallPtrSet<Operation *, 16> feeding;
  for (TensorViewOpInterface op : shape.getReductionsOfRows(kernel))
    feeding.insert(op);
  for (TensorViewOpInterface op : llvm::reverse(kernel.getOps()))
    if (llvm::any_of(op->getUsers(), [&](Operation *user) { return feeding.contains(user); }))
      feeding.insert(op);
  SmallVector<int64_t> elements;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    // Keeping a row that all blocks read (a weight) is not profitable.
    bool isRow = tensor.order.size() == shape.order.size();
    if (!tensor.isOutput && isRow && llvm::any_of(tensor.value.getUsers(), [&](Operation *user) {
          return feeding.contains(user);
        }))
      elements.push_back(tensor.elementBytes);
  }
  return elements;
}

/// Bytes per element of the row that are kept.
static int64_t getKeptBytes(const KernelView &kernel, const ReductionShape &shape) {
  const SmallVector<int64_t> elements = getKeptElements(kernel, shape);
  return std::max<int64_t>(1, std::accumulate(elements.begin(), elements.end(), int64_t(0)));
}

/// Registers of the vectors that a thread keeps: a vector has whole registers, also one of a single
/// short element.
static int64_t countKeptRegisters(const KernelView &kernel, const ReductionShape &shape,
                                  const RowFit &fit, int64_t vector) {
  int64_t registers = 0;
  for (int64_t bytes : getKeptElements(kernel, shape))
    registers += fit.vectors * llvm::divideCeil(vector * bytes, kRegisterBytes);
  return registers;
}

/// The columns that vectors are along: of a row with parts, those of a part.
static ArrayRef<unsigned> getVectorized(const ReductionShape &shape) {
  return shape.part.empty() ? shape.innerReduced : shape.part;
}

/// Requires that the threads of a row, with `vectors` of `vector` elements each, cover it. False if
/// no fact can bound it.
static bool requireCovered(Requirements &requirements, const ReductionShape &shape,
                           const RowFit &fit, int64_t vector) {
  const int64_t vectors = fit.cluster * fit.threads * fit.vectors;
  if (shape.part.empty())
    return requirements.requireAtMost(shape.getReduced(), vectors * vector);
  return requirements.requireAtMost(shape.part, fit.part * vector) &&
         requirements.requireAtMost(shape.getPartsOfRow(), vectors / fit.part);
}

static Refusal refuseShortRuns(const KernelView &kernel, const ReductionShape &shape,
                               int64_t bytes) {
  return Refusal{RefusalCategory::Size,
                 kShortRuns,
                 {shape.getReference(kernel)},
                 "expected tiles whose runs in memory have at least " +
                     std::to_string(kLeastRunBytes) + " bytes, but got " + std::to_string(bytes),
                 shape.getCutsAtReuse(kernel)};
}

/// Elements of a part of a row.
static int64_t getPartLength(const Requirements &requirements, const ReductionShape &shape) {
  return std::max<int64_t>(1, requirements.getSize(shape.part).value_or(kAssumedPart));
}

static bool storesRows(const KernelView &kernel, const ReductionShape &shape) {
  return llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return tensor.isOutput && tensor.order.size() == shape.order.size();
  });
}

std::variant<Choice, Refusal>
InnerPersistent::chooseParams(const KernelView &kernel, const InnerPersistentPlan &plan,
                              const SizeHints &hints,
                              const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  const int64_t vector = getVectorOfParts(kernel, requirements, getVectorized(shape));
  if (std::optional<InnerPersistentParamsAttr> staged =
          chooseStagedRows(kernel, requirements, shape, vector, device))
    return evaluateParams(kernel, plan, *staged, hints, device);
  const int64_t elementBytes = shape.getElementBytes(kernel);
  int64_t keptBytes = getKeptBytes(kernel, shape);
  RowElements elements{vector, elementBytes, keptBytes};
  elements.numSteps = kernel.getReductions().size();
  const std::optional<int64_t> numRows = requirements.getSize(shape.getKept());
  elements.areDrawn = llvm::any_of(kernel.getOps(),
                                   [](TensorViewOpInterface op) { return drawsRandomNumbers(op); });
  elements.areManyRows = !numRows || *numRows >= kManyRows * device.multiprocessors;
  elements.numRows = numRows.value_or(elements.numRows);
  if (!shape.part.empty())
    elements.part = getPartLength(requirements, shape);
  if (!shape.outerReduced.empty() && elements.part * elementBytes < kLeastRunBytes)
    return refuseShortRuns(kernel, shape, elements.part * elementBytes);

  const SmallVector<unsigned> reduced = shape.getReduced();
  std::optional<int64_t> known = requirements.getSize(reduced);
  int64_t row = known ? *known : kAssumedRowBytes / elementBytes;
  // One kernel for all lengths of a range, or for those of its rows that fit.
  int64_t rangeEnd = requirements.getRangeEnd(reduced).value_or(row);
  int64_t longest = std::max(row, rangeEnd);
  const std::optional<int64_t> only = known && longest == *known ? known : std::nullopt;
  // A cluster takes long rows only: a range that begins with shorter ones has a kernel for these.
  const bool fitsBlock = fitBlock(row, elements, only == row).has_value();
  auto fitLength = [&](int64_t length) {
    return fitsBlock ? fitBlock(length, elements, only == length)
                     : fitRow(length, elements, device);
  };
  std::optional<RowFit> fit = fitLength(longest);
  while (!fit && longest > row) {
    longest = std::max(row, longest / 2);
    fit = fitLength(longest);
  }
  if (!fit)
    return Refusal{RefusalCategory::Size,
                   kRowTooLong,
                   {shape.getReference(kernel)},
                   "expected rows of at most " + std::to_string(getMostKeptBytes(device)) +
                       " bytes to keep, but got " + std::to_string(row * keptBytes) + " (" +
                       std::to_string(row) + " elements, " + std::to_string(vector) +
                       " in a vector)",
                   shape.getCutsAtReuse(kernel)};
  if (only && numRows && !storesRows(kernel, shape))
    fit = fitArithmetic(kernel, hints, device, elements, row, *fit);
  auto [threads, vectors, cluster, part] = *fit;
  int64_t rows = 1;
  if (threads <= 32 && !(shape.outerKept.empty() && shape.innerKept.empty()))
    rows = threads == 32 && part == 1 && vectors * vector * elementBytes >= kBytesOfLoneWarp
               ? 1
               : std::min(kShortRowThreads / threads, part > 1 ? kMaxPlanes : kShortRowThreads);
  auto params =
      InnerPersistentParamsAttr::get(kernel.getKernel().getContext(), threads, vector, vectors,
                                     rows, /*recompute=*/true, cluster, part, /*flat=*/1);
  return checkStoredOrders(kernel, shape, evaluateParams(kernel, plan, params, hints, device),
                           hints, device);
}

/// True if the threads of a row have all of it, as far as sizes are known.
static bool covers(const Requirements &requirements, const ReductionShape &shape, const RowFit &fit,
                   int64_t vector) {
  const int64_t vectors = fit.cluster * fit.threads * fit.vectors;
  auto isAtMost = [&](ArrayRef<unsigned> classes, int64_t most) {
    return requirements.getSize(classes).value_or(0) <= most;
  };
  if (shape.part.empty())
    return isAtMost(shape.getReduced(), vectors * vector);
  return isAtMost(shape.part, fit.part * vector) &&
         isAtMost(shape.getPartsOfRow(), vectors / fit.part);
}

static RowFit getFit(InnerPersistentParamsAttr params) {
  return {params.getThreads(), params.getVectors(), params.getCluster(), params.getPart()};
}

std::variant<Choice, Refusal>
InnerPersistent::evaluateParams(const KernelView &kernel, const InnerPersistentPlan &plan,
                                InnerPersistentParamsAttr params, const SizeHints &hints,
                                const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  const RowFit fit = getFit(params);
  const int64_t vector = params.getVector(), rows = params.getRows();
  const int64_t most = fit.cluster * fit.threads * fit.vectors * vector;
  auto refuse = [&](StringRef code, std::string sentence) {
    return Refusal{RefusalCategory::Size,
                   code,
                   {shape.getReference(kernel)},
                   std::move(sentence),
                   shape.getCutsAtReuse(kernel)};
  };
  if (int64_t widest =
          getVectorOfParts(kernel, requirements, getVectorized(shape), kWidestVectorBytes);
      vector > widest)
    return refuse(kVectorTooWide, "expected vectors of at most " + std::to_string(widest) +
                                      " elements, but got " + std::to_string(vector));
  if (!covers(requirements, shape, fit, vector))
    return refuse(kRowTooLong, "expected rows of at most " + std::to_string(most) +
                                   " elements ('cluster' x 'threads' x 'vectors' x 'vector'), and "
                                   "parts of at most 'part' x 'vector', but got longer ones");
  // Code for one length needs no bounds checks between the loads of a row, which saves a tenth of
  // the time; the number of rows stays dynamic, but for the rows of a block.
  const SmallVector<unsigned> reduced = shape.getReduced();
  const std::optional<int64_t> known = requirements.getSize(reduced);
  const bool isExact = known && *known > 0 && requirements.requireExactly(reduced);
  const int64_t rangeEnd = requirements.getRangeEnd(reduced).value_or(0);
  if (!(isExact && most >= rangeEnd) && !requireCovered(requirements, shape, fit, vector))
    return refuse(kRowTooLong, "expected a row whose length a fact can bound, but got one of "
                               "several unknown sizes");
  requireVectorOfParts(kernel, requirements, getVectorized(shape), vector);
  if (params.getFlat() > 1)
    if (std::optional<Refusal> refusal =
            requireFlatRows(kernel, requirements, RowDims::get(shape), rows, params.getFlat()))
      return refuse(refusal->code, refusal->sentence);
  requirements.requireWholeBlocks(shape.getKept(), rows);
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = fit.threads * rows;
  if (std::optional<int64_t> numRows = requirements.getSize(shape.getKept()))
    use.blocks = llvm::divideCeil(*numRows, rows) * fit.cluster;
  use.bytesInFlight = fit.vectors * vector * getKeptBytes(kernel, shape);
  use.registers = 32 + countKeptRegisters(kernel, shape, fit, vector);
  if (params.getFlat() > 1)
    use.sharedBytes = rows * known.value_or(0) * getStagedBytes(kernel, RowDims::get(shape));
  if (use.sharedBytes > device.sharedBytesPerBlock)
    return refuse(kNoSharedMemory, "expected " + std::to_string(use.sharedBytes) +
                                       " bytes of shared memory for a block, but the device has " +
                                       std::to_string(device.sharedBytesPerBlock));
  use.scattered = shape.getScattered(kernel);
  use.secondsOfExchanges =
      double(shape.getReductionsOfRows(kernel).size()) * (fit.cluster > 1 ? kClusterExchangeSeconds
                                                          : fit.threads > 32 ? kExchangeSeconds
                                                                             : 0);
  const bool stores = storesRows(kernel, shape);
  if (fit.cluster > 1)
    use.busyShare = stores ? kClusterBusyShare : kReadOnlyClusterBusyShare;
  else if (const size_t resident = getResidentBlocks(use, device);
           resident <= std::size(kReadOnlyBusyShares) && !stores)
    use.busyShare = kReadOnlyBusyShares[resident - 1];
  if (!shape.outerReduced.empty())
    use.busyShare =
        std::min(use.busyShare,
                 getPartLength(requirements, shape) * shape.getElementBytes(kernel) < kLongRunBytes
                     ? kShortRunBusyShare
                     : kLongRunBusyShare);
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// True if each thread of a part is known to have a vector of it.
static bool fillsThreads(const KernelView &kernel, const ReductionShape &shape,
                         InnerPersistentParamsAttr params) {
  return Requirements(kernel, SizeHints()).getSize(shape.part) ==
         params.getPart() * params.getVector();
}

/// The loops of the reference. Threads along x are adjacent in a row, or in each of its parts.
static LogicalResult setLoops(const KernelView &kernel, const ReductionShape &shape,
                              InnerPersistentParamsAttr params) {
  LoopBuilder loops(kernel, shape.getReference(kernel));
  const SmallVector<unsigned> parts = loops.take(shape.getPartsOfRow()),
                              part = loops.take(shape.part);
  SmallVector<unsigned> rows = loops.take(shape.outerKept);
  llvm::append_range(rows, loops.takeRest());
  auto [rowBlock, rowThread] = loops.split(loops.merge(rows), params.getRows());
  const bool hasPlanes = params.getPart() > 1;
  unsigned vectors = loops.merge(parts), round = kNoId, thread = kNoId, vector = kNoId;
  if (part.empty()) {
    std::tie(vectors, vector) = loops.split(vectors, params.getVector());
  } else {
    std::tie(thread, vector) = loops.split(loops.merge(part), params.getVector());
    // More threads than vectors, so that shuffles can combine them, are a loop of one round.
    if (!fillsThreads(kernel, shape, params))
      std::tie(round, thread) = loops.getBuilder().split(thread, params.getPart());
  }
  auto [rest, row] = loops.getBuilder().split(vectors, params.getThreads() / params.getPart());
  // The blocks of a cluster read neighboring parts at a time.
  unsigned unroll = rest, block = kNoId;
  if (params.getCluster() > 1)
    std::tie(unroll, block) = loops.getBuilder().split(rest, params.getCluster());
  return loops.finish({{rowBlock, ParallelType::BlockX},
                       {rowThread, hasPlanes ? ParallelType::ThreadZ : ParallelType::ThreadY},
                       {unroll, ParallelType::Unroll},
                       {block, ParallelType::ClusterX},
                       {row, hasPlanes ? ParallelType::ThreadY : ParallelType::ThreadX},
                       {round, ParallelType::Serial},
                       {thread, hasPlanes ? ParallelType::ThreadX : ParallelType::Serial},
                       {vector, ParallelType::Vectorize}});
}

LogicalResult InnerPersistent::applyParams(const KernelView &whole, const InnerPersistentPlan &plan,
                                           InnerPersistentParamsAttr params) const {
  KernelOp kernel = whole.getKernel();
  std::optional<KernelView> decomposed;
  if (plan.decomposed) {
    decomposeVariance(kernel);
    FailureOr<KernelView> created = KernelView::create(kernel);
    if (failed(created))
      return failure();
    decomposed = std::move(*created);
  }
  const KernelView *view = decomposed ? &*decomposed : &whole;
  const ReductionShape &shape = plan.decomposed ? *plan.decomposed : plan.shape;
  TensorViewOpInterface reference = shape.getReference(*view);
  const RowFit fit = getFit(params);
  Requirements requirements(*view, SizeHints());
  if (!requireCovered(requirements, shape, fit, params.getVector()))
    return kernel->emitOpError("expected a row of at most ")
           << fit.cluster * fit.threads * fit.vectors * params.getVector()
           << " elements ('cluster' x 'threads' x 'vectors' x 'vector'), and parts of at most "
              "'part' x 'vector', but no fact can bound it";
  requireVectorOfParts(*view, requirements, getVectorized(shape), params.getVector());
  const bool isStaged = params.getFlat() > 1;
  if (isStaged)
    if (std::optional<Refusal> refusal = requireFlatRows(*view, requirements, RowDims::get(shape),
                                                         params.getRows(), params.getFlat()))
      return emitRefusal(kernel, getName(), *refusal);
  (void)requirements.requireNonEmpty(shape.lacked);
  addFacts(kernel, requirements.takeFacts());

  const SmallVector<TensorViewOpInterface> reductionsOfRows = shape.getReductionsOfRows(*view);
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  if (params.getRecompute()) {
    recomputeRows(*schedule, view->getReductions());
    splitBroadcasts(kernel);
  }

  std::optional<StagedRows> staged;
  if (isStaged)
    staged.emplace(
        *view, RowDims::get(shape),
        StagedTile{params.getRows(), params.getThreads(), params.getVector(), params.getFlat()},
        *schedule);
  if (failed(setLoops(*view, shape, params)) || failed(schedule->propagate(reference)) ||
      (staged && failed(staged->setLoops())))
    return failure();
  // All loads of rows that a reduction of them reads are issued first; a weight is loaded where it
  // is used.
  llvm::SmallPtrSet<Operation *, 8> feeding;
  for (TensorViewOpInterface load : schedule->getLoads())
    for (TensorViewOpInterface reduction : reductionsOfRows)
      if (isReached(load, reduction))
        feeding.insert(load);
  schedule->inlineAll([&](TensorViewOpInterface load) { return feeding.contains(load); });
  return success();
}

std::unique_ptr<Scheduler> fuser::createInnerPersistentScheduler() {
  return std::make_unique<InnerPersistent>();
}
