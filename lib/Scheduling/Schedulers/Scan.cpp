//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The scan scheduler: reads and writes each element once.
//
// Inner: adjacent threads along the row, which is scanned tile by tile; a tile is kept in registers
// from its loads to its stores, and reductions of a row that is one tile are in the same kernel.
// Outer: adjacent threads along the columns, each of which walks along its rows; if there are too
// few columns to fill the device, several threads share a column. If there are too few rows or
// columns even so, each tile is a block: the tiles are chained.
//
//===----------------------------------------------------------------------===//

#include "RowParts.h"
#include "ScanThreads.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: no scan, or scans along different dimensions; a scanned dimension that a
/// reshape merges or splits; an output that lacks a dimension of the scans.
constexpr StringLiteral kNoScan = "no-scan";
constexpr StringLiteral kMixedScans = "mixed-scans";
constexpr StringLiteral kPartialOutput = "partial-output";
/// Chained tiles of more rows than an axis of the grid has.
constexpr StringLiteral kTooManyChains = "too-many-chains";
/// Rows that are reduced, or scanned in both directions, but not as a whole.
constexpr StringLiteral kReducedRows = "reduced-rows";

/// The maximum number of blocks on the second axis of the grid, which has the rows of chained
/// tiles.
constexpr int64_t kMaxChains = 65535;

/// The most bytes that are scanned of each row of a thread with a vector of columns.
constexpr int64_t kMostScannedBytes = 32;

struct ScanPlan : Plan {
  /// The number of the first scan in KernelView::getOps.
  unsigned reference = 0;
  unsigned scanned = 0;
  /// True if rows are reduced as well.
  bool reduces = false;
  /// True if rows are reduced, or scanned in both directions: a block has them whole.
  bool hasWholeRows = false;
  /// The dimensions faster than the scanned one, and the slower ones; slowest first.
  SmallVector<unsigned> columns, rows;

  ScanPattern getPattern() const {
    return columns.empty() ? ScanPattern::Inner : ScanPattern::Outer;
  }
  SmallVector<unsigned> getKept() const {
    SmallVector<unsigned> kept(rows);
    llvm::append_range(kept, columns);
    return kept;
  }
  RowDims getRowDims() const { return {rows, {scanned}}; }
  /// The dimensions along which vectors run.
  SmallVector<unsigned> getVectorClasses() const {
    return columns.empty() ? SmallVector<unsigned>{scanned} : columns;
  }
};

class Scan : public SchedulerOf<ScanPlan, ScanParamsAttr> {
public:
  StringRef getName() const override { return "scan"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const ScanPlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const ScanPlan &plan, ScanParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const ScanPlan &plan,
                            ScanParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

/// The class that the op scans; nullopt if it is no scan or if the dimension has size 1.
static std::optional<unsigned> getScannedClass(const KernelView &kernel, TensorViewOpInterface op) {
  auto scan = dyn_cast<ScanOpInterface>(op.getOperation());
  if (!scan)
    return std::nullopt;
  unsigned id = op.getTrivialDomain(0).getRootOrLogical()[scan.getScannedId()];
  unsigned scanned = kernel.getClasses().getClass(op, id);
  if (kernel.getClasses().isBroadcast(scanned))
    return std::nullopt;
  return scanned;
}

/// Refuses a dimension of the reference that is not one loop of the kernel: a reshape merges it
/// with others, or splits it, and a scan is split but never merged.
static std::optional<Refusal> checkLoops(const KernelView &kernel, TensorViewOpInterface reference,
                                         unsigned scanned) {
  const IdRelations &classes = kernel.getClasses();
  if (classes.getProducts().empty())
    return std::nullopt;
  auto isOwnLoop = [&](unsigned dimClass) {
    ArrayRef<unsigned> loops = kernel.getSpace().getLoopClasses(dimClass);
    return classes.isBroadcast(dimClass) || (loops.size() == 1 && loops.front() == dimClass);
  };
  unsigned numIds = reference.getTrivialDomain(0).getRootOrLogical().size();
  if (llvm::all_of(llvm::seq<unsigned>(0, numIds),
                   [&](unsigned id) { return isOwnLoop(classes.getClass(reference, id)); }))
    return std::nullopt;
  Refusal refusal{RefusalCategory::Structure,
                  kReshapeOfLoops,
                  {reference},
                  "expected dimensions of '" + reference->getName().getStringRef().str() +
                      "' that are loops of all ops, but a reshape merges or splits one"};
  cutBefore(reference, refusal.cuts);
  cutBehind(reference, refusal.cuts);
  return refusal;
}

/// A scan that cannot be in the loops of another one: both are cut off.
static Refusal refuseScan(Operation *reference, Operation *op, StringRef sentence) {
  Refusal refusal{RefusalCategory::Structure, kMixedScans, {reference, op}, sentence.str()};
  cutBefore(op, refusal.cuts);
  cutBehind(op, refusal.cuts);
  cutBehind(reference, refusal.cuts);
  return refusal;
}

/// Refuses scans in both directions but those of whole rows in the fastest dimension of memory.
static std::optional<Refusal> checkDirections(const KernelView &kernel, const ScanPlan &plan) {
  if (plan.columns.empty())
    return std::nullopt;
  Operation *reference = kernel.getOps()[plan.reference];
  const bool isReversed = cast<ScanOpInterface>(reference).isReversed();
  for (TensorViewOpInterface op : kernel.getOps()) {
    if (!getScannedClass(kernel, op) ||
        cast<ScanOpInterface>(op.getOperation()).isReversed() == isReversed)
      continue;
    return refuseScan(reference, op, "expected scans of columns in one direction, but they differ");
  }
  return std::nullopt;
}

/// Refuses reductions but those of whole rows in the fastest dimension of memory.
static std::optional<Refusal> checkReductions(const KernelView &kernel, const ScanPlan &plan) {
  for (TensorViewOpInterface op : kernel.getReductions()) {
    if (plan.columns.empty() && kernel.getReducedClasses(op) == ArrayRef(plan.scanned))
      continue;
    Refusal refusal{RefusalCategory::Structure,
                    kMixedScans,
                    {kernel.getOps()[plan.reference], op},
                    "expected reductions of the rows that are scanned, along the fastest dimension "
                    "in memory, but '" +
                        op->getName().getStringRef().str() + "' reduces others"};
    cutBefore(op, refusal.cuts);
    cutBehind(op, refusal.cuts);
    return refusal;
  }
  return std::nullopt;
}

/// Refuses an output without some dimension of the reference, and cuts around it. Results of
/// reductions lack the dimension that is scanned.
static std::optional<Refusal> checkOutputs(const KernelView &kernel, const ScanPlan &plan,
                                           ArrayRef<unsigned> all) {
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    Operation *op = tensor.value.getDefiningOp();
    if (!tensor.isOutput || !op || llvm::all_of(all, [&](unsigned dimClass) {
          return (plan.reduces && dimClass == plan.scanned) ||
                 llvm::any_of(tensor.order, [&](unsigned own) {
                   return findWholeInReference(kernel, own, all) == dimClass;
                 });
        }))
      continue;
    Refusal refusal{RefusalCategory::Structure,
                    kPartialOutput,
                    {op},
                    "expected outputs with every dimension of the scans, but output " +
                        std::to_string(tensor.position) + " lacks one"};
    cutBefore(op, refusal.cuts);
    cutBehind(op, refusal.cuts);
    return refusal;
  }
  return std::nullopt;
}

Answer Scan::accepts(const KernelView &kernel) const {
  auto plan = std::make_unique<ScanPlan>();
  plan->reduces = !kernel.getReductions().empty();
  plan->hasWholeRows = plan->reduces;
  TensorViewOpInterface reference;
  for (TensorViewOpInterface op : kernel.getOps()) {
    std::optional<unsigned> scanned = getScannedClass(kernel, op);
    if (!scanned)
      continue;
    if (!reference) {
      reference = op;
      plan->reference = kernel.getNumber(op);
      plan->scanned = *scanned;
    } else if (*scanned != plan->scanned) {
      return refuseScan(reference, op, "expected scans along one dimension, but they differ");
    } else if (cast<ScanOpInterface>(op.getOperation()).isReversed() !=
               cast<ScanOpInterface>(reference.getOperation()).isReversed()) {
      plan->hasWholeRows = true;
    }
  }
  if (!reference)
    return checkNoReduction(kernel).value_or(
        Refusal{RefusalCategory::OutOfScope, kNoScan, {}, "expected a scan, but got none"});
  std::optional<Refusal> refusal =
      checkOps(kernel, ReadsAtData::OfArguments, PartsOfValues::Accepted, CombiningOps::Both);
  SmallVector<unsigned> all = kernel.getOwnClasses(reference);
  if (!refusal)
    refusal = checkLoops(kernel, reference, plan->scanned);
  if (!refusal)
    refusal = checkCovered(kernel, all, [&](unsigned dimClass) {
      return findWholeInReference(kernel, dimClass, all);
    });
  if (!refusal)
    refusal = checkJoins(kernel, all);
  if (refusal)
    return *refusal;
  bool isFaster = false;
  for (unsigned dimClass : getMemoryOrder(kernel, all)) {
    if (dimClass == plan->scanned)
      isFaster = true;
    else
      (isFaster ? plan->columns : plan->rows).push_back(dimClass);
  }
  refusal = checkReductions(kernel, *plan);
  if (!refusal)
    refusal = checkDirections(kernel, *plan);
  if (!refusal)
    refusal = checkOutputs(kernel, *plan, all);
  if (refusal)
    return *refusal;
  return plan;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

/// True if chained tiles fill the device better than rows or columns.
static bool needsChain(std::optional<int64_t> blocks, int64_t threads,
                       std::optional<int64_t> length, int64_t tile,
                       const artifact::DeviceDescription &device) {
  return blocks && length && *length > tile && *blocks > 0 &&
         *blocks * threads < device.multiprocessors * kResidentScanThreads;
}

namespace {
/// Blocks of a launch whose tiles are not chained, if the sizes are known, and elements of a tile
/// along the scanned dimension.
struct ScanLoops {
  std::optional<int64_t> blocks;
  int64_t tile;
};
} // namespace

static ScanLoops getLoops(const ScanPlan &plan, const Requirements &requirements,
                          ScanParamsAttr params) {
  const std::optional<int64_t> rows = requirements.getSize(plan.rows),
                               columns = requirements.getSize(plan.columns);
  if (plan.getPattern() == ScanPattern::Inner)
    return {rows ? std::optional<int64_t>(llvm::divideCeil(*rows, params.getThreadsY()))
                 : std::nullopt,
            params.getThreadsX() * params.getUnroll() * params.getVector()};
  std::optional<int64_t> blocks;
  if (rows && columns)
    blocks = *rows *
             llvm::divideCeil(std::max<int64_t>(1, llvm::divideCeil(*columns, params.getVector())),
                              params.getThreadsX());
  return {blocks, params.getThreadsY() * params.getUnroll()};
}

/// The widest element that is scanned: sums of booleans are wider than what is read.
static int64_t getScannedBytes(const KernelView &kernel) {
  int64_t bytes = 1;
  for (TensorViewOpInterface op : kernel.getOps())
    if (getScannedClass(kernel, op))
      bytes = std::max(bytes, getElementBytes(getElementTypeOrSelf(op->getResult(0).getType())));
  return bytes;
}

std::variant<Choice, Refusal> Scan::chooseParams(const KernelView &kernel, const ScanPlan &plan,
                                                 const SizeHints &hints,
                                                 const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const SmallVector<unsigned> vectorClasses = plan.getVectorClasses();
  const bool isInner = plan.getPattern() == ScanPattern::Inner;
  int64_t vector = getVectorOfParts(kernel, requirements, vectorClasses);
  if (!isInner)
    vector = std::min(vector, std::max<int64_t>(1, kMostScannedBytes / getScannedBytes(kernel)));
  const int64_t vectorBytes = vector * getWidestElement(kernel);
  std::optional<int64_t> length = requirements.getSize(plan.scanned);
  std::optional<int64_t> rows = requirements.getSize(plan.rows);
  auto toVectors = [&](std::optional<int64_t> size) -> std::optional<int64_t> {
    if (!size)
      return std::nullopt;
    return std::max<int64_t>(1, llvm::divideCeil(*size, vector));
  };
  std::optional<int64_t> columnVectors = toVectors(requirements.getSize(plan.columns));
  ScanThreads numbers = isInner
                            ? chooseInnerThreads(toVectors(length), vectorBytes)
                            : chooseOuterThreads(columnVectors, rows, length, vectorBytes, device);
  if (std::optional<ScanThreads> staged;
      isInner && !plan.hasWholeRows && kernel.getResizes().empty() &&
      (staged = chooseStagedThreads(kernel, requirements, plan.getRowDims(), vector, device)))
    numbers = *staged;
  // Threads of other rows would be idle, and no loop of a reader of other dimensions of size 1.
  if (isInner && plan.rows.empty())
    numbers.threadsY = 1;
  const ScanLoops loops =
      getLoops(plan, requirements,
               ScanParamsAttr::get(kernel.getKernel().getContext(), plan.getPattern(),
                                   numbers.threadsX, numbers.threadsY, vector, numbers.unroll,
                                   /*chained=*/false, numbers.flat));
  const SmallVector<unsigned> kept = plan.getKept();
  const bool chained =
      numbers.flat == 1 && !plan.hasWholeRows &&
      needsChain(loops.blocks, numbers.threadsX * numbers.threadsY, length, loops.tile, device) &&
      (kept.empty() || requirements.requireAtMost(kept, kMaxChains));
  return evaluateParams(kernel, plan,
                        ScanParamsAttr::get(kernel.getKernel().getContext(), plan.getPattern(),
                                            numbers.threadsX, numbers.threadsY, vector,
                                            numbers.unroll, chained, numbers.flat),
                        hints, device);
}

/// Collects what rows that a block has whole need, in shared memory or in registers, or refuses
/// them.
static std::optional<Refusal> requireWhole(const KernelView &kernel, const ScanPlan &plan,
                                           ScanParamsAttr params, Requirements &requirements) {
  if (params.getFlat() == 1 && !plan.hasWholeRows)
    return std::nullopt;
  const StringRef use = plan.reduces ? "reduced" : "scanned in both directions";
  if (plan.hasWholeRows && (params.getFlat() > 1 || params.getChained()))
    return Refusal{RefusalCategory::Structure,
                   kReducedRows,
                   {},
                   ("expected neither 'flat' nor 'chained' for rows that are " + use).str()};
  if (plan.hasWholeRows && !requirements.requireExactly(plan.scanned))
    return Refusal{RefusalCategory::Size,
                   kReducedRows,
                   {},
                   ("expected a length that a fact can state of rows that are " + use).str()};
  const int64_t length = requirements.getSize(plan.scanned).value_or(0);
  const int64_t most = params.getThreadsX() * params.getUnroll() * params.getVector();
  if (length > most)
    return Refusal{RefusalCategory::Size,
                   kRowTooLong,
                   {},
                   "expected a row of at most " + std::to_string(most) +
                       " elements ('threads_x' x 'unroll' x 'vector'), but got " +
                       std::to_string(length)};
  if (plan.hasWholeRows)
    return std::nullopt;
  return requireFlatRows(kernel, requirements, plan.getRowDims(), params.getThreadsY(),
                         params.getFlat());
}

std::variant<Choice, Refusal>
Scan::evaluateParams(const KernelView &kernel, const ScanPlan &plan, ScanParamsAttr params,
                     const SizeHints &hints, const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const SmallVector<unsigned> vectorClasses = plan.getVectorClasses();
  const int64_t vector = params.getVector();
  if (const int64_t widest =
          getVectorOfParts(kernel, requirements, vectorClasses, kWidestVectorBytes);
      vector > widest)
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors of at most " + std::to_string(widest) + " elements, but got " +
                       std::to_string(vector)};
  if (std::optional<Refusal> refusal = requireWhole(kernel, plan, params, requirements))
    return std::move(*refusal);
  const ScanLoops loops = getLoops(plan, requirements, params);
  std::optional<int64_t> blocks = loops.blocks;
  if (params.getChained()) {
    const SmallVector<unsigned> kept = plan.getKept();
    if (!kept.empty() && !requirements.requireAtMost(kept, kMaxChains))
      return Refusal{RefusalCategory::Size,
                     kTooManyChains,
                     {},
                     "expected at most " + std::to_string(kMaxChains) +
                         " rows of chained tiles, but no fact can bound them"};
    const std::optional<int64_t> length = requirements.getSize(plan.scanned);
    blocks = blocks && length ? *blocks * llvm::divideCeil(*length, loops.tile)
                              : std::optional<int64_t>();
  }
  // Code for one length needs no bounds checks.
  if (plan.getPattern() == ScanPattern::Inner)
    if (std::optional<int64_t> length = requirements.getSize(plan.scanned); length && *length > 0)
      requirements.requireExactly(plan.scanned);
  requireVectorOfParts(kernel, requirements, vectorClasses, vector);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreadsX() * params.getThreadsY();
  use.blocks = blocks.value_or(0);
  use.bytesInFlight = params.getUnroll() * vector * getElementBytesRead(kernel);
  if (params.getFlat() > 1)
    use.sharedBytes = params.getThreadsY() * requirements.getSize(plan.scanned).value_or(0) *
                      getStagedBytes(kernel, plan.getRowDims());
  if (use.sharedBytes > device.sharedBytesPerBlock)
    return Refusal{RefusalCategory::Size,
                   kNoSharedMemory,
                   {},
                   "expected " + std::to_string(use.sharedBytes) +
                       " bytes of shared memory for a block, but the device has " +
                       std::to_string(device.sharedBytesPerBlock)};
  use.registers = 32 + 2 * params.getUnroll() * vector * getWidestElement(kernel) / 4;
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// The loops over tiles, and over the blocks around them. Chained tiles are the first axis of the
/// grid, so that blocks begin in the order of tiles.
static std::pair<LoopBuilder::Loop, LoopBuilder::Loop>
getOuterLoops(unsigned blocks, unsigned tiles, ScanParamsAttr params) {
  if (params.getChained())
    return {{blocks, ParallelType::BlockY}, {tiles, ParallelType::BlockX}};
  return {{blocks, ParallelType::BlockX}, {tiles, ParallelType::Serial}};
}

/// [rows by block, rows by thread_y, tiles, unroll, thread_x, vector]; the vectors of a thread are
/// adjacent where rows pass through shared memory: [.., tiles, thread_x, unroll, vector].
static LogicalResult scheduleInner(LoopBuilder &loops, const ScanPlan &plan,
                                   ScanParamsAttr params) {
  unsigned scanned = loops.merge(loops.take(plan.scanned));
  SmallVector<unsigned> rows = loops.take(plan.rows);
  llvm::append_range(rows, loops.takeRest());
  auto [rowBlock, rowThread] = loops.split(loops.merge(rows), params.getThreadsY());
  auto [vectors, vector] = loops.split(scanned, params.getVector());
  if (params.getFlat() > 1) {
    auto [runs, unroll] = loops.split(vectors, params.getUnroll());
    auto [tiles, thread] = loops.getBuilder().split(runs, params.getThreadsX());
    return loops.finish({{rowBlock, ParallelType::BlockX},
                         {rowThread, ParallelType::ThreadY},
                         {tiles, ParallelType::Serial},
                         {thread, ParallelType::ThreadX},
                         {unroll, ParallelType::Unroll},
                         {vector, ParallelType::Vectorize}});
  }
  auto [groups, thread] = loops.getBuilder().split(vectors, params.getThreadsX());
  // One tile has a whole row.
  if (plan.hasWholeRows)
    return loops.finish({{rowBlock, ParallelType::BlockX},
                         {rowThread, ParallelType::ThreadY},
                         {groups, ParallelType::Unroll},
                         {thread, ParallelType::ThreadX},
                         {vector, ParallelType::Vectorize}});
  auto [tiles, unroll] = loops.split(groups, params.getUnroll());
  auto [blockLoop, tileLoop] = getOuterLoops(rowBlock, tiles, params);
  return loops.finish({blockLoop,
                       {rowThread, ParallelType::ThreadY},
                       tileLoop,
                       {unroll, ParallelType::Unroll},
                       {thread, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

/// [rows and strips of columns by block, tiles, thread_y, unroll, thread_x, vector]: the rows of a
/// thread are adjacent.
static LogicalResult scheduleOuter(LoopBuilder &loops, const ScanPlan &plan,
                                   ScanParamsAttr params) {
  unsigned scanned = loops.merge(loops.take(plan.scanned));
  SmallVector<unsigned> columns = loops.take(plan.columns), rows = loops.take(plan.rows);
  llvm::append_range(rows, loops.takeRest());
  auto [vectors, vector] = loops.split(loops.merge(columns), params.getVector());
  auto [strips, lane] = loops.getBuilder().split(vectors, params.getThreadsX());
  unsigned block = loops.merge({loops.merge(rows), strips});
  auto [groups, unroll] = loops.split(scanned, params.getUnroll());
  auto [tiles, thread] = loops.split(groups, params.getThreadsY());
  auto [blockLoop, tileLoop] = getOuterLoops(block, tiles, params);
  return loops.finish({blockLoop,
                       tileLoop,
                       {thread, ParallelType::ThreadY},
                       {unroll, ParallelType::Unroll},
                       {lane, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

LogicalResult Scan::applyParams(const KernelView &view, const ScanPlan &plan,
                                ScanParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  if (params.getPattern() != plan.getPattern())
    return kernel->emitOpError("expected a schedule of pattern '")
           << stringifyScanPattern(plan.getPattern()) << "', but got '"
           << stringifyScanPattern(params.getPattern()) << "'";
  Requirements requirements(view, SizeHints());
  requireVectorOfParts(view, requirements, plan.getVectorClasses(), params.getVector());
  if (std::optional<Refusal> refusal = requireWhole(view, plan, params, requirements))
    return emitRefusal(kernel, getName(), *refusal);
  addFacts(kernel, requirements.takeFacts());

  TensorViewOpInterface reference = view.getOps()[plan.reference];
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  std::optional<StagedRows> staged;
  if (params.getFlat() > 1)
    staged.emplace(view, plan.getRowDims(),
                   StagedTile{params.getThreadsY(), params.getThreadsX(), params.getVector(),
                              params.getFlat(), params.getUnroll()},
                   *schedule);
  LoopBuilder loops(view, reference);
  const bool isInner = plan.getPattern() == ScanPattern::Inner;
  if (failed(isInner ? scheduleInner(loops, plan, params) : scheduleOuter(loops, plan, params)) ||
      failed(schedule->propagate(reference)) || (staged && failed(staged->setLoops())))
    return failure();
  schedule->inlineAll([](TensorViewOpInterface) { return true; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createScanScheduler() { return std::make_unique<Scan>(); }
