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
#include "RowSteps.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Pipelining.h"
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

/// Threads of a block, and the most along the third axis. The second number is that of blocks whose
/// vectors are narrower than an asynchronous copy: loads that wait for registers take more threads
/// to keep memory busy. Batch norm of 64x64x55x55 bf16 takes 36 us on one NVIDIA H200 with 512
/// threads, 97 with 256.
constexpr int64_t kBlocks[] = {256, 512}, kMaxPlanes = 64;
/// Bytes of the narrowest asynchronous copy.
constexpr int64_t kLeastCopyBytes = 4;
/// Rows of a thread at a time: so many that its last step has the fewest that do not exist. Of
/// equal ones the first is taken; more of them keep memory busier.
constexpr int64_t kUnrolls[] = {4, 5, 6, 7, 8}, kUnrollsOfLoads[] = {8, 7, 6, 5, 4};
/// Adjacent bytes of a strip, and how much longer narrower ones take than the first: with copies,
/// and with loads of single elements, of which no row begins at a sector.
struct Strip {
  int64_t bytes;
  double cost, costOfLoads;
};
constexpr Strip kStrips[] = {{128, 1.0, 1.0}, {64, 1.1, 1.2}, {32, 1.3, 1.6}};
/// How much longer each block of a cluster takes that waits for others.
constexpr double kCostOfPeer = 0.02;
/// Bytes of shared memory that the device takes of each block, and those by which threads and
/// blocks combine what they have of a column.
constexpr int64_t kReservedBytes = 1024, kExchangeBytesOfColumn = 128;
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

/// How a strip is distributed, as the parameters state it.
struct StripFit {
  int64_t rows = 1, columns = 1, part = 1, unroll = 1, steps = 1, cluster = 1;

  int64_t getThreads() const { return rows * columns * std::max<int64_t>(part, 1); }
  int64_t getMostRows() const { return rows * unroll * steps * cluster; }
  int64_t getVectors() const { return getThreads() * unroll * steps; }
};

class OuterPersistent : public SchedulerOf<OuterPersistentPlan, OuterPersistentParamsAttr> {
public:
  StringRef getName() const override { return "outer_persistent"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const OuterPersistentPlan &plan, const SizeHints &hints,
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

/// The kept dimensions that are faster than a reduced one, slowest first: those of a strip.
static SmallVector<unsigned> getColumns(const ReductionShape &shape) {
  SmallVector<unsigned> columns;
  bool isBehind = false;
  for (unsigned dimClass : shape.order) {
    isBehind |= llvm::is_contained(shape.outerReduced, dimClass);
    if (isBehind && !shape.isReduced(dimClass))
      columns.push_back(dimClass);
  }
  return columns;
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
  if (getColumns(*shape).empty())
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

/// Bytes per element of the inputs that are kept: those that a reduction and a later step read.
static int64_t getKeptBytes(const KernelView &kernel, const ReductionShape &shape,
                            const RowSteps &steps) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && tensor.order.size() == shape.order.size() &&
        steps.getReaders(tensor.value).count() > 1)
      bytes += tensor.elementBytes;
  return std::max<int64_t>(1, bytes);
}

/// What the fit of strips depends on.
struct StripSizes {
  /// Elements of the reduced, kept and fastest dimensions: `columns` are those of a strip, `outer`
  /// all others, `part` the fastest reduced ones (0: columns are the fastest).
  int64_t rows, columns, outer, part;
  /// Elements of a vector, bytes of an element, and those that are kept of a vector.
  int64_t vector, elementBytes, vectorBytes;

  bool areCopied() const { return vector * elementBytes >= kLeastCopyBytes; }
};

/// How `threads` lie in a strip of so many adjacent bytes.
static StripFit placeThreads(const StripSizes &sizes, int64_t threads, int64_t bytes) {
  StripFit fit;
  const int64_t lanes = std::max<int64_t>(1, bytes / (sizes.vector * sizes.elementBytes));
  auto limit = [](int64_t most, int64_t needed) {
    return std::clamp<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(needed, 1)), 1, most);
  };
  if (sizes.part != 0) {
    fit.part = llvm::PowerOf2Ceil(llvm::divideCeil(sizes.part, sizes.vector));
    if (fit.part > lanes)
      fit.part = 0;
    else
      fit.columns = limit(lanes / fit.part, sizes.columns);
  } else {
    fit.columns = limit(lanes, llvm::divideCeil(sizes.columns, sizes.vector));
  }
  fit.rows = threads / (fit.columns * std::max<int64_t>(fit.part, 1));
  if (fit.part > 1)
    fit.rows = std::min(fit.rows, kMaxPlanes);
  return fit;
}

/// The kept columns of a strip.
static int64_t countColumns(const StripSizes &sizes, const StripFit &fit) {
  return fit.columns * (sizes.part == 0 ? sizes.vector : 1);
}

/// The strips of the grid.
static int64_t countStrips(const StripSizes &sizes, const StripFit &fit) {
  return sizes.outer * llvm::divideCeil(sizes.columns, countColumns(sizes, fit));
}

/// Shared memory of a block.
static int64_t getSharedBytes(const StripSizes &sizes, const StripFit &fit) {
  return fit.getVectors() * sizes.vectorBytes + countColumns(sizes, fit) * kExchangeBytesOfColumn;
}

/// How much longer a strip takes than one of the first of kStrips, with narrower ones than those.
static double getCostOfStrip(const StripSizes &sizes, const StripFit &fit) {
  constexpr double costOfNarrower = 2;
  const int64_t bytes = fit.getThreads() / fit.rows * sizes.vector * sizes.elementBytes;
  const auto *strip = llvm::find_if(
      kStrips, [&](const Strip &each) { return fit.part == 0 || each.bytes <= bytes; });
  return strip == std::end(kStrips) ? costOfNarrower : strip->cost;
}

/// The most shared memory of a block where `resident` of them share a multiprocessor.
static int64_t getMostShared(int64_t resident, const artifact::DeviceDescription &device) {
  return std::min(std::max(device.sharedBytesPerBlock, device.sharedBytesPerBlockOptIn),
                  device.sharedBytesPerMultiprocessor / resident - kReservedBytes);
}

/// How much longer loads by `threads` resident ones take: fewer keep memory less busy.
static double getCostOfThreads(int64_t threads) {
  constexpr double few = 1024, all = 2048, gain = 0.15;
  return std::max(1.0, few / double(threads)) *
         std::pow(all / std::min(double(threads), all), gain);
}

/// How long a strip takes, without its width. What is not copied is loaded by steps, the last of
/// which waits for each of its loads if some rows do not exist. Blocks of more threads take longer
/// to combine what they have.
static double getCost(const StripSizes &sizes, const StripFit &fit, int64_t rows,
                      const artifact::DeviceDescription &device) {
  const double blocks = double(countStrips(sizes, fit)) * double(fit.cluster);
  double cost = (1 + kCostOfPeer * double(fit.cluster - 1)) * double(fit.getMostRows()) *
                std::max(1.0, double(device.multiprocessors) / blocks);
  if (sizes.areCopied())
    return cost;
  constexpr double costOfBounds = 1.1, costOfManyThreads = 1.05;
  if (fit.getMostRows() != rows)
    cost *= costOfBounds;
  if (fit.getThreads() > kBlocks[0])
    cost *= costOfManyThreads;
  const int64_t resident = std::max<int64_t>(1, device.sharedBytesPerMultiprocessor /
                                                    (getSharedBytes(sizes, fit) + kReservedBytes));
  return cost * getCostOfThreads(resident * fit.getThreads());
}

/// The fit that takes the least time, so that `resident` blocks share a multiprocessor. nullopt if
/// no cluster has the shared memory.
static std::optional<StripFit> fitStrip(const StripSizes &sizes, int64_t resident,
                                        const artifact::DeviceDescription &device) {
  const int64_t most = getMostShared(resident, device);
  std::optional<StripFit> best;
  double least = 0;
  auto consider = [&](StripFit fit, double costOfStrip) {
    const int64_t rows =
        fit.part != 0 ? sizes.rows : llvm::divideCeil(sizes.rows * sizes.part, sizes.vector);
    const int64_t each = std::max<int64_t>(1, llvm::divideCeil(rows, fit.rows * fit.cluster));
    for (int64_t unroll : sizes.areCopied() ? kUnrolls : kUnrollsOfLoads) {
      fit.unroll = std::min(unroll, each);
      fit.steps = llvm::divideCeil(each, fit.unroll);
      if (getSharedBytes(sizes, fit) > most)
        continue;
      const double cost = costOfStrip * getCost(sizes, fit, rows, device);
      if (best && cost >= least)
        continue;
      best = fit;
      least = cost;
    }
  };
  for (const Strip &strip : kStrips)
    for (int64_t threads : ArrayRef(kBlocks).take_front(sizes.areCopied() ? 1 : 2)) {
      StripFit fit = placeThreads(sizes, threads, strip.bytes);
      for (fit.cluster = 1; fit.cluster <= std::clamp<int64_t>(device.maxClusterBlocks, 1, 8);
           ++fit.cluster)
        consider(fit, sizes.areCopied() ? strip.cost : strip.costOfLoads);
    }
  return best;
}

std::variant<Choice, Refusal>
OuterPersistent::chooseParams(const KernelView &kernel, const OuterPersistentPlan &plan,
                              const SizeHints &hints,
                              const artifact::DeviceDescription &device) const {
  const ReductionShape &shape = plan.shape;
  Requirements requirements(kernel, hints);
  const int64_t vector = requirements.getVectorWidth(getVectorClasses(shape));
  const int64_t elementBytes = shape.getElementBytes(kernel);
  auto refuse = [&](StringRef code, std::string sentence) {
    return Refusal{RefusalCategory::Size,
                   code,
                   {shape.getReference(kernel)},
                   std::move(sentence),
                   shape.getCutsAtReuse(kernel)};
  };
  const SmallVector<unsigned> columnClasses = getColumns(shape);
  SmallVector<unsigned> outerClasses(shape.outerKept);
  llvm::erase_if(outerClasses,
                 [&](unsigned dimClass) { return llvm::is_contained(columnClasses, dimClass); });
  const std::optional<int64_t> known = requirements.getSize(shape.outerReduced),
                               columns = requirements.getSize(columnClasses),
                               outer = requirements.getSize(outerClasses),
                               part = requirements.getSize(shape.innerReduced);
  if (!known || !columns || !outer || !part)
    return refuse(kUnknownSizes, "expected dimensions of known sizes, but got others");
  // One kernel for all lengths of a range.
  const int64_t rows = std::max(*known, requirements.getRangeEnd(shape.outerReduced).value_or(0));
  const RowSteps steps = getRowSteps(kernel, shape);
  const StripSizes sizes{rows,
                         *columns,
                         *outer,
                         shape.isInner() ? *part : 0,
                         vector,
                         elementBytes,
                         vector * getKeptBytes(kernel, shape, steps)};
  const int64_t stripBytes = *part == 0 ? 0
                                        : rows * std::max(*part, kStrips[0].bytes / elementBytes) *
                                              (sizes.vectorBytes / vector);
  if (stripBytes < kLeastStripBytes)
    return refuse(kShortStrip, "expected strips of at least " + std::to_string(kLeastStripBytes) +
                                   " bytes to keep, but got " + std::to_string(stripBytes));
  std::optional<StripFit> fitted;
  // While one block combines partial results, the copies of another one are in flight.
  int64_t resident = sizes.areCopied() ? 2 : 1;
  while (!(fitted = fitStrip(sizes, resident, device)) && resident > 1)
    resident /= 2;
  if (!fitted)
    return refuse(kStripTooLong,
                  "expected strips that the shared memory of a cluster holds, but got " +
                      std::to_string(rows) + " rows");
  const StripFit fit = *fitted;
  // Code for one length needs fewer bounds checks.
  const bool isExact = rows == *known && requirements.requireExactly(shape.getReduced());
  if (!isExact && !requireCovered(requirements, shape, fit, vector))
    return refuse(kStripTooLong,
                  "expected reduced dimensions that a fact can bound, but got several of unknown "
                  "sizes");
  requirements.requireVectorWidth(getVectorClasses(shape), vector);
  // Whole strips need none along the columns.
  if (const int64_t across = countColumns(sizes, fit);
      requirements.getDivisor(columnClasses, across) == across)
    requirements.requireDivisor(columnClasses, across);
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = fit.getThreads();
  use.blocks = countStrips(sizes, fit) * fit.cluster;
  use.sharedBytes = getSharedBytes(sizes, fit);
  use.registers = 64;
  use.bytesInFlight = fit.unroll * fit.steps * sizes.vectorBytes;
  use.numSteps = steps.getNumSteps();
  use.busyShare = kBusyShares[resident > 1 || !sizes.areCopied()] / getCostOfStrip(sizes, fit);
  auto params =
      OuterPersistentParamsAttr::get(kernel.getKernel().getContext(), fit.rows, fit.columns,
                                     fit.part, vector, fit.unroll, fit.steps, fit.cluster);
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// [strips by block, steps, unroll, cluster, rows, columns, part, vector]
static LogicalResult setLoops(const KernelView &kernel, const ReductionShape &shape,
                              OuterPersistentParamsAttr params) {
  LoopBuilder loops(kernel, shape.getReference(kernel));
  DomainBuilder &builder = loops.getBuilder();
  const SmallVector<unsigned> columnClasses = getColumns(shape);
  SmallVector<unsigned> reduced = loops.take(shape.outerReduced);
  const SmallVector<unsigned> inner = loops.take(shape.innerReduced),
                              columns = loops.take(columnClasses);
  SmallVector<unsigned> blocks = loops.take(shape.outerKept);
  llvm::append_range(blocks, loops.takeRest());

  unsigned strips = loops.merge(columns), column = kNoId, part = kNoId, round = kNoId,
           vector = kNoId;
  if (!shape.isInner()) {
    std::tie(strips, vector) = loops.split(strips, params.getVector());
    std::tie(strips, column) = builder.split(strips, params.getColumns());
  } else {
    std::tie(part, vector) = loops.split(loops.merge(inner), params.getVector());
    if (params.getPart() == 0) {
      reduced.push_back(std::exchange(part, kNoId));
    } else {
      std::tie(round, part) = builder.split(part, params.getPart());
      std::tie(strips, column) = loops.split(strips, params.getColumns());
    }
  }
  blocks.push_back(strips);
  llvm::erase(blocks, unsigned(kNoId));
  auto [rest, row] = builder.split(loops.merge(reduced), params.getRows());
  unsigned block = kNoId;
  if (params.getCluster() > 1)
    std::tie(rest, block) = builder.split(rest, params.getCluster());
  auto [steps, unroll] = loops.split(rest, params.getUnroll());
  // A whole step needs no bounds checks, which would serialize its reads.
  unsigned whole = kNoId;
  if (unroll != kNoId)
    std::tie(steps, whole) = builder.split(steps, 1);
  // Threads of a run in memory are adjacent.
  const bool hasPart = part != kNoId, hasColumns = column != kNoId;
  const ParallelType ofRow = hasPart      ? ParallelType::ThreadZ
                             : hasColumns ? ParallelType::ThreadY
                                          : ParallelType::ThreadX;
  return loops.finish({{loops.merge(blocks), ParallelType::BlockX},
                       {steps},
                       {whole, ParallelType::Unswitch},
                       {unroll, ParallelType::Unroll},
                       {block, ParallelType::ClusterX},
                       {row, ofRow},
                       {column, hasPart ? ParallelType::ThreadY : ParallelType::ThreadX},
                       {round},
                       {part, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

/// The loads that a reduction and a later step read go to shared memory, by asynchronous copies
/// where a thread copies 4, 8 or 16 bytes.
static LogicalResult keepLoads(const KernelSchedule &schedule, TensorViewOpInterface reference,
                               int64_t vector) {
  const RowSteps steps = getRowSteps(schedule, reference);
  for (TensorViewOpInterface load : schedule.getLoads()) {
    if (!steps.hasRows(load) || steps.getReaders(load->getResult(0)).count() < 2)
      continue;
    if (failed(setMemory(load, MemoryType::Shared)))
      return failure();
    const int64_t bytes =
        vector * getElementBytes(getElementTypeOrSelf(load->getResult(0).getType()));
    auto argument = dyn_cast<BlockArgument>(load->getOperand(0));
    if (bytes >= 4 && bytes <= 16 && argument && !isOverwritten(schedule.getKernel(), argument) &&
        failed(pipelineCopy(load, /*stages=*/1)))
      return failure();
  }
  return success();
}

LogicalResult OuterPersistent::applyParams(const KernelView &whole, const OuterPersistentPlan &plan,
                                           OuterPersistentParamsAttr params) const {
  KernelOp kernel = whole.getKernel();
  prepare(kernel);
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  const ReductionShape &shape = plan.prepared ? *plan.prepared : plan.shape;
  TensorViewOpInterface reference = shape.getReference(*view);
  const StripFit fit{params.getRows(),   params.getColumns(), params.getPart(),
                     params.getUnroll(), params.getSteps(),   params.getCluster()};
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
  recomputeRows(*schedule, view->getReductions());
  splitBroadcasts(kernel);
  if (failed(setLoops(*view, shape, params)) || failed(schedule->propagate(reference)) ||
      failed(keepLoads(*schedule, reference, params.getVector())))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return params.getUnroll() > 1; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createOuterPersistentScheduler() {
  return std::make_unique<OuterPersistent>();
}
