//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inner-outer scheduler: gradients of norms. Each row is reduced and used again, and columns
// are summed over all rows. Each input is read once: persistent blocks process one row after the
// other, keep it in registers, and accumulate partial sums of its columns; then all blocks
// synchronize, and each adds up the partial sums of its share of the columns.
//
//===----------------------------------------------------------------------===//

#include "RowsAndSums.h"
#include "Warps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/RecomputeRows.h"
#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

namespace {

/// Code of a refusal: more blocks than are resident.
constexpr StringLiteral kNotResident = "not-resident";

/// Threads of a multiprocessor: each may have kRegisters registers, so that all blocks are
/// resident.
constexpr int64_t kResidentThreads = 512;
constexpr int64_t kRegisters = 128;
/// Registers of a thread for indices and similar values, and for each column in addition to its
/// partial sums and the kept row elements.
constexpr int64_t kFixedRegisters = 44;
constexpr int64_t kRegistersPerColumn = 2;
/// Rows of fewer vectors get one thread for each.
constexpr int64_t kShortRowVectors = 256;
/// How many times as many threads of a multiprocessor two rows of a block have at least, and how
/// many rows they take in turn at least. The gradient of an RMS norm of 40000x1536 bf16 takes 130
/// us on one NVIDIA H100 with two rows of 192 threads in a block, 159 with one.
constexpr double kLeastGainOfRows = 1.25;
constexpr int64_t kRowsOfPairs = 16;
/// Rows of few threads share a block of so many. Instructions of a thread for a row, with those by
/// which its sums are combined in a warp and by several, for each access, and for each column.
constexpr int64_t kThreadsOfRows = 256, kMostRows = 64, kMostThreadsOfRow = 64;
constexpr double kCostOfRow = 30, kCostOfCombine = 4, kCostOfBarrier = 60, kCostOfAccess = 4,
                 kCostOfColumn = 15;
/// The assumed columns of a row of unknown length.
constexpr int64_t kAssumedColumns = 8192;

struct InnerOuterPlan : Plan {
  /// Of the unmodified kernel, for choose.
  RowsAndSums shape;
  /// Of the kernel as `prepare` rewrites it, for apply, if that changes it.
  std::optional<RowsAndSums> decomposed;
};

class InnerOuter : public SchedulerOf<InnerOuterPlan, InnerOuterParamsAttr> {
public:
  StringRef getName() const override { return "inner_outer"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const InnerOuterPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const InnerOuterPlan &plan, InnerOuterParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const InnerOuterPlan &plan,
                            InnerOuterParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

static bool isSameSet(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  return a.size() == b.size() &&
         llvm::all_of(a, [&](unsigned dimClass) { return llvm::is_contained(b, dimClass); });
}

static SmallVector<TensorViewOpInterface> getOps(const KernelView &kernel,
                                                 ArrayRef<unsigned> numbers) {
  return llvm::map_to_vector(numbers, [&](unsigned number) { return kernel.getOps()[number]; });
}

/// Refuses values that are computed from column sums but have rows, or are reduced again.
static std::optional<Refusal> checkBehindSums(const KernelView &kernel, const RowsAndSums &plan) {
  SmallVector<TensorViewOpInterface> rowReductions = getOps(kernel, plan.rowReductions);
  SmallVector<TensorViewOpInterface> columnSums = getOps(kernel, plan.columnSums);
  for (TensorViewOpInterface op : getDependents(kernel, columnSums)) {
    bool hasRows = llvm::any_of(kernel.getOwnClasses(op), [&](unsigned dimClass) {
      return !llvm::is_contained(plan.columns, dimClass);
    });
    bool readsRows = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && llvm::any_of(rowReductions, [&](Operation *reduction) {
               return isReached(reduction, operand.getDefiningOp()) &&
                      llvm::none_of(columnSums, [&](Operation *sum) {
                        return isReached(sum, operand.getDefiningOp());
                      });
             });
    });
    if (hasRows || readsRows || isa<CombinerOpInterface>(op.getOperation()))
      return Refusal{RefusalCategory::Structure,
                     kNeedsPersistence,
                     {},
                     "expected only columns to be computed from sums of columns, but '" +
                         op->getName().getStringRef().str() + "' is"};
  }
  return std::nullopt;
}

static std::variant<RowsAndSums, Refusal> check(const KernelView &kernel) {
  if (kernel.getReductions().size() < 2)
    return Refusal{RefusalCategory::OutOfScope,
                   kNoReduction,
                   {},
                   "expected reductions of rows and of columns, but got " +
                       std::to_string(kernel.getReductions().size())};
  if (std::optional<Refusal> refusal = checkOps(kernel)) {
    refusal->ops.clear();
    return *refusal;
  }
  SmallVector<unsigned> all = kernel.getOwnClasses(kernel.getReductions().front());
  if (std::optional<Refusal> refusal = checkCovered(kernel, all)) {
    refusal->ops.clear();
    return *refusal;
  }
  SmallVector<unsigned> order = getMemoryOrder(kernel, all);
  RowsAndSums plan;
  Refusal mixed{RefusalCategory::Structure,
                kMixedReductions,
                {},
                "expected reductions over the fastest dimensions, and sums over all others, but "
                "got something else"};
  for (TensorViewOpInterface op : kernel.getReductions()) {
    SmallVector<unsigned> reduced = kernel.getReducedClasses(op);
    bool isWhole = isSameSet(kernel.getOwnClasses(op), all);
    if (!isWhole || order.empty() || reduced.empty())
      return mixed;
    if (!llvm::is_contained(reduced, order.back())) {
      plan.columnSums.push_back(kernel.getNumber(op));
      continue;
    }
    if (!plan.rowReductions.empty() && !isSameSet(reduced, plan.columns))
      return mixed;
    plan.columns = reduced;
    plan.rowReductions.push_back(kernel.getNumber(op));
  }
  if (plan.rowReductions.empty() || plan.columnSums.empty())
    return mixed;
  plan.reference = plan.rowReductions.front();
  plan.rows.assign(order.begin(), order.end() - plan.columns.size());
  if (!isSameSet(ArrayRef(order).take_back(plan.columns.size()), plan.columns))
    return mixed;
  plan.columns.assign(order.end() - plan.columns.size(), order.end());
  for (TensorViewOpInterface op : getOps(kernel, plan.columnSums))
    if (!isSameSet(kernel.getReducedClasses(op), plan.rows) ||
        (!canRFactor(op) && !isDecomposableMean(op)))
      return mixed;
  if (std::optional<Refusal> refusal = checkBehindSums(kernel, plan))
    return *refusal;
  return plan;
}

/// What apply does first: sums of columns are combined from partial sums, and a second pass over a
/// row costs less than Welford's divisions.
static void prepare(const KernelView &kernel, const RowsAndSums &plan) {
  for (TensorViewOpInterface op : getOps(kernel, plan.columnSums))
    decomposeMean(op);
  decomposeVariance(kernel.getKernel());
}

/// True if `prepare` changes the kernel.
static bool isPrepared(const KernelView &kernel, const RowsAndSums &plan) {
  return llvm::any_of(kernel.getOps(), isVariance) ||
         llvm::any_of(getOps(kernel, plan.columnSums), isDecomposableMean);
}

Answer InnerOuter::accepts(const KernelView &kernel) const {
  std::variant<RowsAndSums, Refusal> answer = check(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  auto plan = std::make_unique<InnerOuterPlan>();
  plan->shape = std::move(std::get<RowsAndSums>(answer));
  SmallVector<unsigned> loops(plan->shape.rows);
  llvm::append_range(loops, plan->shape.columns);
  plan->preferences = getBoundaryPreferences(kernel, loops);
  if (isPrepared(kernel, plan->shape)) {
    OwningOpRef<KernelOp> copy(KernelOp(kernel.getKernel()).clone());
    FailureOr<KernelView> view = KernelView::create(*copy);
    assert(succeeded(view) && "a copy has what its original has");
    prepare(*view, plan->shape);
    std::variant<RowsAndSums, Refusal> again = checkDecomposed<RowsAndSums>(kernel, *copy, check);
    if (auto *refusal = std::get_if<Refusal>(&again))
      return std::move(*refusal);
    plan->decomposed = std::move(std::get<RowsAndSums>(again));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// Bytes of one element of all rows that are read.
static int64_t getKeptBytes(const KernelView &kernel, const RowsAndSums &plan) {
  int64_t keptBytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && tensor.order.size() == plan.rows.size() + plan.columns.size())
      keptBytes += tensor.elementBytes;
  return keptBytes;
}

/// Bytes of the widest element of the tensors of rows.
static int64_t getElementBytes(const KernelView &kernel, const RowsAndSums &plan) {
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.order.size() == plan.rows.size() + plan.columns.size())
      widest = std::max(widest, tensor.elementBytes);
  return widest;
}

/// Registers of a thread for a column of a row, with its partial sums.
static int64_t getRegistersPerColumn(const KernelView &kernel, const RowsAndSums &plan) {
  return kRegistersPerColumn + int64_t(plan.columnSums.size()) +
         int64_t(llvm::divideCeil(getKeptBytes(kernel, plan), 4));
}

/// The number of columns of a row that fit in the registers of a thread.
static int64_t getMaxColumns(const KernelView &kernel, const RowsAndSums &plan) {
  return (kRegisters - kFixedRegisters) / getRegistersPerColumn(kernel, plan);
}

/// Threads of a block for a row of `all` vectors, of which a thread may have `most`: the number
/// with the most threads of a multiprocessor that have columns; of equal ones, the smallest.
static int64_t chooseThreads(int64_t all, int64_t most) {
  if (all <= kShortRowVectors)
    return llvm::alignTo(all, kWarp);
  int64_t best = kResidentThreads;
  double mostUsed = 0;
  for (int64_t vectors = std::max<int64_t>(1, most); vectors > 0; --vectors) {
    const int64_t threads = llvm::alignTo(llvm::divideCeil(all, vectors), kWarp);
    if (threads > kResidentThreads)
      break;
    const double used = double(kResidentThreads / threads) * double(all) / double(vectors);
    if (used > mostUsed) {
      mostUsed = used;
      best = threads;
    }
  }
  return best;
}

namespace {
/// How a row lies in the threads of a block, of which several rows may have some.
struct RowThreads {
  int64_t threads, vector, vectors, rows = 1;
};
} // namespace

/// The few threads that a row takes with the fewest instructions: with more columns, fewer threads
/// combine sums, but those without a column wait. nullopt for longer rows. The gradient of an RMS
/// norm of 100003x768 bf16 takes 118 us on one NVIDIA H200 with 64 threads of each of four rows,
/// 156 with 96 of one.
static std::optional<RowThreads> fitShortRow(int64_t columns, int64_t widest, int64_t mostColumns,
                                             int64_t numAccesses, int64_t elementBytes) {
  std::optional<RowThreads> best;
  double least = 0;
  for (int64_t vector = widest; vector > 0; vector /= 2)
    for (int64_t threads = kMostThreadsOfRow; threads > 1; threads /= 2) {
      const int64_t vectors = llvm::divideCeil(columns, vector * threads);
      const int64_t adjacent = std::min(columns, threads * vector) * elementBytes;
      if (vectors * vector > mostColumns || (vectors > 1 && adjacent < kSectorBytes))
        continue;
      const double cost =
          double(threads) * (kCostOfRow + (threads > kWarp ? kCostOfBarrier : 0) +
                             kCostOfCombine * std::log2(double(threads)) +
                             double(vectors) * (kCostOfAccess * double(numAccesses) +
                                                kCostOfColumn * double(vector)));
      if (best && cost >= least)
        continue;
      best = RowThreads{threads, vector, vectors, std::min(kMostRows, kThreadsOfRows / threads)};
      least = cost;
    }
  return best;
}

/// Registers of a thread.
static int64_t getRegisters(const KernelView &kernel, const RowsAndSums &plan,
                            const RowThreads &fit) {
  return kFixedRegisters + fit.vectors * fit.vector * getRegistersPerColumn(kernel, plan);
}

/// The blocks that are resident at the same time.
static int64_t getMostBlocks(const KernelView &kernel, const RowsAndSums &plan,
                             const RowThreads &fit, const artifact::DeviceDescription &device) {
  int64_t residentThreads = kResidentThreads;
  if (fit.rows > 1)
    residentThreads = std::max(residentThreads,
                               device.registersPerMultiprocessor / getRegisters(kernel, plan, fit));
  const int64_t threads = fit.threads * fit.rows;
  const int64_t blocks = std::max<int64_t>(1, device.multiprocessors) *
                         std::max<int64_t>(1, residentThreads / threads);
  return device.maxCooperativeThreads > 0
             ? std::clamp<int64_t>(device.maxCooperativeThreads / threads, 1, blocks)
             : blocks;
}

std::variant<Choice, Refusal>
InnerOuter::chooseParams(const KernelView &kernel, const InnerOuterPlan &accepted,
                         const SizeHints &hints, const artifact::DeviceDescription &device) const {
  const RowsAndSums &plan = accepted.shape;
  Requirements requirements(kernel, hints);
  auto isFull = [&](const GlobalTensor &tensor) {
    return tensor.order.size() == plan.rows.size() + plan.columns.size();
  };
  int64_t vector = std::min(requirements.getVectorWidth(plan.columns, 16, isFull),
                            requirements.getVectorWidth(plan.columns, 64));
  std::optional<int64_t> known = requirements.getSize(plan.columns);
  int64_t columns = known ? std::max<int64_t>(*known, 1) : kAssumedColumns;
  int64_t most = getMaxColumns(kernel, plan) / vector;
  // One kernel for all lengths of a range, or for those of its rows that fit.
  const int64_t rangeEnd = requirements.getRangeEnd(plan.columns).value_or(columns);
  columns = std::max(columns, std::min(rangeEnd, kResidentThreads * most * vector));
  const int64_t all = llvm::divideCeil(columns, vector);
  // Few rows are spread over all multiprocessors.
  const std::optional<int64_t> numRows = requirements.getSize(plan.rows);
  auto isSpread = [&](const RowThreads &rows) {
    return !numRows || *numRows >= rows.rows * device.multiprocessors;
  };
  auto countThreads = [&](const RowThreads &rows) {
    return getMostBlocks(kernel, plan, rows, device) * rows.threads * rows.rows;
  };
  RowThreads fit{chooseThreads(all, most), vector, 0};
  fit.vectors = llvm::divideCeil(all, fit.threads);
  if (std::optional<RowThreads> shortRow =
          fitShortRow(columns, vector, getMaxColumns(kernel, plan),
                      llvm::count_if(kernel.getTensors(), isFull), getElementBytes(kernel, plan)))
    if (isSpread(*shortRow))
      fit = *shortRow;
  RowThreads pair = fit;
  pair.rows = 2;
  const int64_t leastRows = kRowsOfPairs * pair.rows * getMostBlocks(kernel, plan, pair, device);
  if (fit.rows == 1 && fit.threads * pair.rows <= kResidentThreads &&
      (!numRows || *numRows >= leastRows) &&
      double(countThreads(pair)) >= kLeastGainOfRows * double(countThreads(fit)))
    fit = pair;
  if (fit.vectors * fit.vector > getMaxColumns(kernel, plan))
    return Refusal{RefusalCategory::Size,
                   kRowTooLong,
                   {},
                   "expected rows of at most " + std::to_string(kResidentThreads * most * vector) +
                       " elements to keep with their sums, but got " + std::to_string(columns)};
  int64_t blocks = getMostBlocks(kernel, plan, fit, device);
  if (numRows)
    blocks = std::clamp<int64_t>(llvm::divideCeil(*numRows, fit.rows), 1, blocks);
  return evaluateParams(kernel, accepted,
                        InnerOuterParamsAttr::get(kernel.getKernel().getContext(), fit.threads,
                                                  fit.vector, fit.vectors, fit.rows, blocks),
                        hints, device);
}

std::variant<Choice, Refusal>
InnerOuter::evaluateParams(const KernelView &kernel, const InnerOuterPlan &accepted,
                           InnerOuterParamsAttr params, const SizeHints &hints,
                           const artifact::DeviceDescription &device) const {
  const RowsAndSums &plan = accepted.shape;
  Requirements requirements(kernel, hints);
  const RowThreads fit{params.getThreads(), params.getVector(), params.getVectors(),
                       params.getRows()};
  auto refuse = [](RefusalCategory category, StringRef code, std::string sentence) {
    return Refusal{category, code, {}, std::move(sentence)};
  };
  if (std::optional<Refusal> refusal = requirements.checkVectorWidth(plan.columns, fit.vector))
    return std::move(*refusal);
  const int64_t capacity = fit.threads * fit.vectors * fit.vector;
  const std::optional<int64_t> known = requirements.getSize(plan.columns);
  if (known && *known > capacity)
    return refuse(RefusalCategory::Size, kRowTooLong,
                  "expected rows of at most " + std::to_string(capacity) + " elements, but got " +
                      std::to_string(*known));
  const int64_t rangeEnd = requirements.getRangeEnd(plan.columns).value_or(known.value_or(0));
  const bool isExact = known && *known > 0 && requirements.requireExactly(plan.columns);
  if (!(isExact && capacity >= rangeEnd) && !requirements.requireAtMost(plan.columns, capacity))
    return refuse(RefusalCategory::Size, kRowTooLong,
                  "expected a row whose length a fact can bound, but got one of several unknown "
                  "sizes");
  if (const int64_t most = getMostBlocks(kernel, plan, fit, device); params.getBlocks() > most)
    return refuse(RefusalCategory::Device, kNotResident,
                  "expected at most " + std::to_string(most) +
                      " blocks, which wait for each other, but got " +
                      std::to_string(params.getBlocks()));
  requirements.requireVectorWidth(plan.columns, fit.vector);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = fit.threads * fit.rows;
  use.blocks = params.getBlocks();
  use.registers = getRegisters(kernel, plan, fit);
  use.bytesInFlight = std::max<int64_t>(1, fit.vectors * fit.vector * getKeptBytes(kernel, plan));
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

LogicalResult InnerOuter::applyParams(const KernelView &whole, const InnerOuterPlan &accepted,
                                      InnerOuterParamsAttr params) const {
  KernelOp kernel = whole.getKernel();
  std::optional<KernelView> decomposed;
  if (accepted.decomposed) {
    prepare(whole, accepted.shape);
    FailureOr<KernelView> created = KernelView::create(kernel);
    if (failed(created))
      return failure();
    decomposed = std::move(*created);
  }
  const KernelView *view = decomposed ? &*decomposed : &whole;
  const RowsAndSums &plan = accepted.decomposed ? *accepted.decomposed : accepted.shape;
  SmallVector<TensorViewOpInterface> rowReductions = getOps(*view, plan.rowReductions);
  SmallVector<TensorViewOpInterface> columnSums = getOps(*view, plan.columnSums);
  int64_t capacity = params.getThreads() * params.getVectors() * params.getVector();
  Requirements requirements(*view, SizeHints());
  if (!requirements.requireAtMost(plan.columns, capacity))
    return kernel->emitOpError("expected a row of at most ")
           << capacity << " elements ('threads' x 'vectors' x 'vector'), but no fact can bound it";
  requirements.requireVectorWidth(plan.columns, params.getVector());
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  recomputeRows(*schedule, rowReductions);
  splitBroadcasts(kernel);
  if (failed(scheduleRows(*view, plan, params)) ||
      failed(schedule->propagate(view->getOps()[plan.reference])))
    return failure();

  SmallVector<TensorViewOpInterface> partials;
  if (failed(splitSums(columnSums, partials)))
    return failure();
  // Each sum has separate partial sums; values computed from them have columns, like the first one.
  SmallVector<Operation *> behind = getBehind(*schedule, partials);
  for (TensorViewOpInterface sum : columnSums) {
    if (failed(schedulePartials(sum, params)))
      return failure();
    llvm::erase(behind, sum.getOperation());
  }
  if (failed(schedule->propagate(columnSums.front(), behind)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface load) {
    return llvm::any_of(
        rowReductions, [&](TensorViewOpInterface reduction) { return isReached(load, reduction); });
  });
  return success();
}

std::unique_ptr<Scheduler> fuser::createInnerOuterScheduler() {
  return std::make_unique<InnerOuter>();
}
