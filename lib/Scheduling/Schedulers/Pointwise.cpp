//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pointwise scheduler: tiles of columns, rows over the other axis of the grid.
//
// Short-lived blocks with one 16-byte vector per tensor and thread reach the copy rate on Hopper; a
// second grid axis for rows avoids divisions in the indices of broadcast operands.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "PointwiseTile.h"
#include "SharedWork.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: of parameters with more dimensions than the reference has; of rows or columns
/// that an axis of the grid is too short for.
constexpr StringLiteral kTooManyDims = "too-many-dims";
constexpr StringLiteral kGridTooLong = "grid-too-long";

/// The output whose loops all ops use.
struct PointwisePlan : Plan {
  ReferenceOutput reference;
};

class Pointwise : public SchedulerOf<PointwisePlan, PointwiseParamsAttr> {
public:
  StringRef getName() const override { return "pointwise"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const PointwisePlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const PointwisePlan &plan, PointwiseParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const PointwisePlan &plan,
                            PointwiseParamsAttr params) const override;
};

} // namespace

/// True if a vector has all elements of the dimensions: phases of an upsampled pixel.
static bool areInVector(const KernelView &kernel, ArrayRef<unsigned> dims) {
  constexpr int64_t kMostElements = 8;
  int64_t elements = 1;
  for (unsigned dim : dims) {
    const std::optional<int64_t> size = kernel.getExtents().getConstant(kernel.getExtent(dim));
    if (!size || *size < 1 || *size > kMostElements || !llvm::isPowerOf2_64(*size))
      return false;
    elements *= *size;
  }
  return !dims.empty() && elements <= kMostElements;
}

/// The number of the reference's fastest dimensions that can be merged so that each tensor has
/// either all of them, contiguous and in this order, or none. An argument may lack the fastest of
/// them, so that a few lanes read one of its elements.
static int64_t countInnerDims(const KernelView &kernel, const ReferenceOutput &reference) {
  int64_t best = 1;
  for (int64_t count = 1, rank = reference.classes.size(); count <= rank; ++count) {
    SmallVector<unsigned> inner = getConcrete(kernel, ArrayRef(reference.classes).take_back(count));
    // If a resized dimension is merged with a slower one, its index needs a division; with a few
    // faster elements that a vector has, none. The same for what is read at an offset from itself.
    const bool isShifted =
        llvm::any_of(kernel.getClasses().getOffsets(), [&](const IdRelations::Offset &offset) {
          return offset.from == offset.to && offset.before != 0 &&
                 llvm::is_contained(inner, offset.to);
        });
    bool isTarget = llvm::any_of(kernel.getResizes(), [&](const ClassResize &resize) {
      return llvm::is_contained(inner, resize.to) && !isOfEveryNth(kernel, resize) &&
             !(resize.to == inner.front() && areInVector(kernel, ArrayRef(inner).drop_front()));
    });
    if ((isTarget || isShifted) && count > 1)
      break;
    bool fits = llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &whole) {
      const GlobalTensor tensor = getReadTensor(kernel, whole);
      if (llvm::none_of(inner, [&](unsigned dimClass) { return tensor.find(dimClass) >= 0; }))
        return true;
      ArrayRef<unsigned> own = inner;
      if (getRepeatsOfElement(kernel, tensor, inner) > 1)
        while (tensor.find(own.back()) < 0)
          own = own.drop_back();
      return tensor.order.size() >= own.size() &&
             ArrayRef(tensor.order).take_back(own.size()) == own &&
             llvm::all_of(ArrayRef(tensor.contiguous).take_back(own.size()).drop_back(),
                          [](bool contiguous) { return contiguous; });
    });
    if (!fits && count > 1)
      break;
    best = count;
  }
  return best;
}

Answer Pointwise::accepts(const KernelView &kernel) const {
  auto plan = std::make_unique<PointwisePlan>();
  plan->reference = ReferenceOutput::get(kernel);
  if (std::optional<Refusal> refusal = checkElementwise(kernel, plan->reference))
    return *refusal;
  SmallVector<unsigned> reference = getConcrete(kernel, plan->reference.classes);
  if (!reference.empty())
    plan->preferences =
        getBoundaryPreferences(kernel, kernel.getOutput(plan->reference.position), reference);
  return plan;
}

/// True if the operand is read at an offset, or up to a size, that is not constant.
static bool isReadAtSizes(const KernelView &kernel, OpOperand &use) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
  if (!mapping || !isa<TensorViewOpInterface>(use.getOwner()))
    return false;
  return llvm::any_of(
      llvm::enumerate(mapping.getDimMaps(use.getOperandNumber())), [&](const auto &map) {
        return map.value().kind == DimMap::Kind::Resized &&
               !kernel.getResize(kernel.getClasses().getClass(use.get(), map.index()));
      });
}

/// Collects facts that make vectors along `columns` legal, and, for reads at an offset, their
/// widest parts.
static void requireVectorWidth(const KernelView &kernel, Requirements &requirements,
                               ArrayRef<unsigned> columns, int64_t width) {
  requirements.requireVectorWidth(columns, width);
  forEachResizedColumns(
      kernel, columns, [&](ArrayRef<unsigned> resized, const ClassResize &resize) {
        requirements.requireVectorWidth(
            resized, std::min({width, requirements.getVectorWidth(resized), getDivisorOf(resize)}));
      });
  // Of reads at offsets that are sizes (a concatenation), the parts of a vector are as wide as
  // facts about the sizes allow.
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && width > 1 && !tensor.order.empty() && tensor.contiguous.back() &&
        llvm::any_of(tensor.value.getUses(),
                     [&](OpOperand &use) { return isReadAtSizes(kernel, use); }))
      requirements.requireAlignment(tensor, width);
}

namespace {
/// The tile of a block, whose columns are the fastest `innerDims`, and the planes of a thread:
/// `repeats` of the slowest `outerDims`.
struct TileAndPlanes {
  PointwiseTile tile;
  int64_t innerDims, outerDims = 0, repeats = 1;
};
} // namespace

/// The fastest `innerDims` dimensions can be columns; all of them are those of a flat tile.
static TileAndPlanes chooseTileAndPlanes(const KernelView &kernel, Requirements &requirements,
                                         const ReferenceOutput &reference, int64_t innerDims,
                                         const artifact::DeviceDescription &device) {
  const ArrayRef<unsigned> classes = reference.classes;
  auto getSize = [&](ArrayRef<unsigned> dims) {
    return requirements.getSize(getConcrete(kernel, dims));
  };
  SharedPlanes shared = findSharedPlanes(kernel, reference, innerDims);
  if (std::optional<PointwiseTile> tile =
          chooseRowTile(kernel, requirements, reference, shared.getMostElements(), device))
    return {*tile, /*innerDims=*/1};
  while (true) {
    PointwiseTile tile = chooseTile(kernel, requirements, reference, innerDims,
                                    shared.getMostElements(), shared.isMuch, device);
    if (std::optional<PointwiseTile> flat =
            chooseFlatTile(kernel, requirements, reference, tile, shared.getMostElements()))
      return {*flat, int64_t(classes.size())};
    if (std::optional<MergedTile> merged =
            chooseMergedTile(kernel, requirements, reference, tile, shared.getMostElements()))
      return {merged->tile, merged->innerDims};
    // Groups of planes are rows of a block where there are no others.
    std::optional<int64_t> blocks = getSize(classes.drop_back(innerDims)),
                           numColumns = getSize(classes.take_back(innerDims));
    if (blocks && numColumns)
      blocks =
          llvm::divideCeil(*blocks, tile.rows) * llvm::divideCeil(*numColumns, tile.getColumns());
    const int64_t repeats =
        tile.isOfOnePlane || !numColumns
            ? 1
            : shared.chooseRepeats(tile.vector * tile.unroll,
                                   getSize(classes.take_front(shared.outerDims)), blocks, device);
    if (repeats > 1)
      return {tile, innerDims, shared.outerDims, repeats};
    if (!shared.isMuch)
      return {tile, innerDims};
    shared = shared.withoutSharing();
  }
}

std::variant<Choice, Refusal>
Pointwise::chooseParams(const KernelView &kernel, const PointwisePlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const ReferenceOutput &reference = plan.reference;
  int64_t rank = reference.classes.size();
  const auto [tile, innerDims, outerDims, repeats] = chooseTileAndPlanes(
      kernel, requirements, reference, rank == 0 ? 0 : countInnerDims(kernel, reference), device);
  const SmallVector<unsigned> columns =
      getConcrete(kernel, ArrayRef(reference.classes).take_back(innerDims));
  const SmallVector<unsigned> rows = getConcrete(
      kernel, ArrayRef(reference.classes).slice(outerDims, rank - outerDims - innerDims));

  // The second and third axis of the grid are short: they are used if sizes are known to fit.
  auto fits = [&](ArrayRef<unsigned> dims, int64_t most) {
    std::optional<int64_t> size = requirements.getSize(dims);
    return size && *size <= most && requirements.requireAtMost(dims, most);
  };
  bool mergeGrid = false;
  if (outerDims > 0 && rows.empty() && tile.rows > 1)
    mergeGrid = true;
  else if (outerDims > 0)
    mergeGrid = !fits(rows, device.maxGrid[2] * tile.rows) ||
                !fits(columns, device.maxGrid[1] * tile.getColumns());
  else if (!rows.empty())
    // Of a grid with two axes, ptxas gives the threads of several rows a quarter more registers:
    // the last pass of a norm over channels-last images takes an eighth longer.
    mergeGrid = (tile.rows > 1 && !tile.isIndirect) || !fits(rows, device.maxGrid[1] * tile.rows);
  return evaluateParams(kernel, plan,
                        PointwiseParamsAttr::get(kernel.getKernel().getContext(), tile.threads,
                                                 tile.vector, tile.unroll, tile.rows,
                                                 innerDims == rank ? -1 : innerDims, mergeGrid,
                                                 outerDims, repeats, tile.isRagged),
                        hints, device);
}

/// Collects what makes accesses of several elements legal for arguments of the fastest `columns`
/// alone, whose ends vectors along all of them cross: the widest part of a vector that divides
/// their size.
static void requireParts(const KernelView &kernel, Requirements &requirements,
                         ArrayRef<unsigned> columns, int64_t vector) {
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const ArrayRef<unsigned> own = getColumnsOfPart(tensor, columns);
    const int64_t part = own.empty() ? 1 : requirements.getDivisor(own, vector);
    if (part == 1)
      continue;
    requirements.requireDivisor(own, part);
    requirements.requireAlignment(tensor, part);
  }
}

/// Collects what makes the reads of several lanes, of elements that are repeated or in slices of
/// every n-th element, one access: code generation finds it by the alignment of the argument.
static void requireShared(const KernelView &kernel, Requirements &requirements,
                          ArrayRef<unsigned> columns, int64_t vector) {
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const GlobalTensor read = getReadTensor(kernel, tensor);
    const int64_t repeats = getRepeatsOfElement(kernel, read, columns);
    if (tensor.isOutput || llvm::is_contained(ArrayRef(tensor.contiguous).take_back(1), false))
      continue;
    if (read.order != tensor.order)
      requirements.requireAlignment(tensor, vector);
    else if (repeats > 1 && vector % repeats == 0 && vector > repeats)
      requirements.requireAlignment(tensor, vector / repeats);
  }
}

/// Collects what makes vectors of the parameters legal along `columns`, or refuses them.
static std::optional<Refusal> requireVectors(const KernelView &kernel, Requirements &requirements,
                                             const ReferenceOutput &reference,
                                             ArrayRef<unsigned> columns,
                                             PointwiseParamsAttr params) {
  const int64_t vector = params.getVector();
  int64_t most = getMostVector(kernel, requirements, reference,
                               params.getInnerDims() < 0 ? int64_t(reference.classes.size())
                                                         : params.getInnerDims());
  bool isRagged = false;
  if (vector > most && params.getInnerDims() < 0 &&
      requireFlat(kernel, requirements, columns, vector)) {
    most = vector;
    isRagged = isRaggedFlat(requirements, columns, vector);
  }
  const bool isMerged = vector > most && params.getInnerDims() >= 0;
  if (isMerged)
    most = std::max(most, getMergedVector(kernel, requirements, reference, params.getInnerDims()));
  if (vector > most || (isRagged && !params.getRagged()))
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors of at most " + std::to_string(most) + " elements" +
                       (isRagged ? ", and 'ragged'" : "") + ", but got " + std::to_string(vector)};
  if (params.getRagged())
    requirements.requireAccessWidth(columns, vector);
  else
    requireVectorWidth(kernel, requirements, columns, vector);
  if (params.getInnerDims() < 0 || isMerged)
    requireParts(kernel, requirements, columns, vector);
  requireShared(kernel, requirements, columns, vector);
  return std::nullopt;
}

namespace {
/// The loops that parameters make of the dimensions of the reference.
struct PointwiseLoops {
  SmallVector<unsigned> planes, rows, columns;
};
} // namespace

/// nullopt if the reference has too few dimensions.
static std::optional<PointwiseLoops>
getLoops(const KernelView &kernel, const ReferenceOutput &reference, PointwiseParamsAttr params) {
  const int64_t rank = reference.classes.size();
  const int64_t inner = params.getInnerDims() < 0 ? rank : params.getInnerDims(),
                outer = params.getOuterDims();
  if (inner + outer > rank || (inner == 0 && rank > 0))
    return std::nullopt;
  ArrayRef<unsigned> all = reference.classes;
  return PointwiseLoops{getConcrete(kernel, all.take_front(outer)),
                        getConcrete(kernel, all.slice(outer, rank - inner - outer)),
                        getConcrete(kernel, all.take_back(inner))};
}

/// Collects that the axes of the grid are long enough. False if they are not, or if no fact can
/// state it.
static bool requireGrid(Requirements &requirements, const PointwiseLoops &loops,
                        PointwiseParamsAttr params, const artifact::DeviceDescription &device) {
  if (params.getMergeGrid())
    return true;
  auto fits = [&](ArrayRef<unsigned> dims, int64_t most) {
    return dims.empty() || (requirements.getSize(dims).value_or(0) <= most &&
                            requirements.requireAtMost(dims, most));
  };
  const int64_t columns = params.getThreads() * params.getVector() * params.getUnroll();
  if (params.getOuterDims() > 0 && loops.rows.empty() && params.getRows() > 1)
    return fits(loops.planes, device.maxGrid[1] * params.getRows() * params.getRepeats());
  if (params.getOuterDims() > 0)
    return fits(loops.rows, device.maxGrid[2] * params.getRows()) &&
           fits(loops.columns, device.maxGrid[1] * columns);
  return fits(loops.rows, device.maxGrid[1] * params.getRows());
}

std::variant<Choice, Refusal>
Pointwise::evaluateParams(const KernelView &kernel, const PointwisePlan &plan,
                          PointwiseParamsAttr params, const SizeHints &hints,
                          const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  const ReferenceOutput &reference = plan.reference;
  const std::optional<PointwiseLoops> loops = getLoops(kernel, reference, params);
  if (!loops)
    return Refusal{RefusalCategory::Structure,
                   kTooManyDims,
                   {},
                   "expected 'inner_dims' and 'outer_dims' of at most " +
                       std::to_string(reference.classes.size()) + " dimensions"};
  if (std::optional<Refusal> refusal =
          requireVectors(kernel, requirements, reference, loops->columns, params))
    return std::move(*refusal);
  if (!requireGrid(requirements, *loops, params, device))
    return Refusal{RefusalCategory::Device,
                   kGridTooLong,
                   {},
                   "expected rows and columns that fit an axis of the grid, or 'merge_grid'"};
  // Without rows, a block has several groups of planes.
  requirements.requireWholeBlocks(loops->rows, params.getRows());
  requirements.requireWholeBlocks(loops->planes, params.getRepeats() *
                                                     (loops->rows.empty() ? params.getRows() : 1));
  (void)requirements.requireNonEmpty(getLacked(kernel, getConcrete(kernel, reference.classes)));
  requirements.requireShortIndices();
  const int64_t ofThread = params.getVector() * params.getUnroll();
  ResourceUse use;
  use.threads = params.getThreads() * params.getRows();
  const std::optional<int64_t> numColumns = requirements.getSize(loops->columns),
                               numRows = requirements.getSize(loops->rows);
  const int64_t repeats = params.getRepeats();
  const int64_t groups =
      params.getOuterDims() == 0
          ? 1
          : llvm::divideCeil(requirements.getSize(loops->planes).value_or(repeats), repeats);
  if (numColumns && numRows)
    use.blocks = llvm::divideCeil(*numColumns, params.getThreads() * ofThread) *
                 (loops->rows.empty() ? llvm::divideCeil(groups, params.getRows())
                                      : groups * llvm::divideCeil(*numRows, params.getRows()));
  use.bytesInFlight = ofThread * repeats * getElementBytesRead(kernel);
  use.registers = 24 + ofThread * repeats * int64_t(kernel.getTensors().size());
  // Adjacent threads compute adjacent columns.
  for (auto [number, tensor] : llvm::enumerate(kernel.getTensors()))
    if (!loops->columns.empty() &&
        isAcross(kernel, tensor, loops->columns.back(), reference.classes))
      use.scattered.push_back(number);
  return Choice{params, requirements.takeFacts(), use};
}

LogicalResult Pointwise::applyParams(const KernelView &view, const PointwisePlan &plan,
                                     PointwiseParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  const ReferenceOutput &reference = plan.reference;
  int64_t rank = reference.classes.size();
  int64_t innerDims = params.getInnerDims() < 0 ? rank : params.getInnerDims();
  if (innerDims > rank || (innerDims == 0 && rank > 0))
    return kernel->emitOpError("expected 'inner_dims' between 1 and ")
           << rank << ", or -1, but got " << params.getInnerDims();
  int64_t outerDims = params.getOuterDims();
  if (outerDims + innerDims > rank)
    return kernel->emitOpError("expected at most ")
           << rank - innerDims << " 'outer_dims', but got " << outerDims;

  // The choice has collected the facts of reads at an offset, which depend on sizes; without them,
  // these reads are narrower.
  Requirements requirements(view, SizeHints());
  const SmallVector<unsigned> columns =
      getConcrete(view, ArrayRef(reference.classes).take_back(innerDims));
  if (params.getRagged())
    requirements.requireAccessWidth(columns, params.getVector());
  else
    requirements.requireVectorWidth(columns, params.getVector());
  (void)requirements.requireNonEmpty(getLacked(view, getConcrete(view, reference.classes)));
  addFacts(kernel, requirements.takeFacts());

  bool loadsFirst = params.getUnroll() > 1 || params.getRepeats() > 1;
  SmallVector<OpOperand *> moved;
  if (loadsFirst)
    moved = getMovedReads(view, getConcrete(view, reference.classes));
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  for (OpOperand *read : moved)
    schedule->addLoad(*read);
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  auto store = ret.getValues().empty()
                   ? TensorViewOpInterface()
                   : ret.getValues()[reference.position].getDefiningOp<TensorViewOpInterface>();
  // Nothing to compute: the output is the argument that it aliases.
  if (!store)
    return success();

  LoopBuilder loops(view, store, view.getOutput(reference.position));
  SmallVector<unsigned> ids = loops.take(reference.classes);
  unsigned plane = loops.merge(ArrayRef(ids).take_front(outerDims));
  unsigned row = loops.merge(ArrayRef(ids).slice(outerDims, rank - outerDims - innerDims));
  unsigned column = loops.merge(ArrayRef(ids).take_back(innerDims));
  auto [vectors, vector] = loops.split(column, params.getVector());
  auto [groups, thread] = vectors == kNoId ? std::pair(unsigned(kNoId), unsigned(kNoId))
                                           : loops.getBuilder().split(vectors, params.getThreads());
  auto [tile, unrolled] = loops.split(groups, params.getUnroll());
  auto [planeTile, repeat] = loops.split(plane, params.getRepeats());
  // Without rows, a block has several groups of planes.
  if (row == kNoId && params.getRows() > 1)
    std::swap(row, planeTile);
  auto [rowTile, rowThread] = loops.split(row, params.getRows());
  bool both = (planeTile != kNoId || rowTile != kNoId) && tile != kNoId;
  if (params.getMergeGrid() && both) {
    tile = loops.merge({rowTile, tile, planeTile});
    planeTile = rowTile = kNoId;
  }
  // Blocks of all planes that share loads run at the same time.
  SmallVector<unsigned> grid;
  for (unsigned id : {planeTile, tile, rowTile})
    if (id != kNoId)
      grid.push_back(id);
  auto getAxis = [&](unsigned id) {
    constexpr ParallelType kAxes[] = {ParallelType::BlockX, ParallelType::BlockY,
                                      ParallelType::BlockZ};
    return kAxes[std::min<size_t>(llvm::find(grid, id) - grid.begin(), 2)];
  };
  const LogicalResult finished = loops.finish(
      {{planeTile, getAxis(planeTile)},
       {rowTile, getAxis(rowTile)},
       {params.getMergeGrid() && both ? unsigned(kNoId) : rowThread, ParallelType::ThreadY},
       {tile, getAxis(tile)},
       {params.getMergeGrid() && both ? rowThread : unsigned(kNoId), ParallelType::ThreadY},
       {repeat, ParallelType::Unroll},
       {unrolled, ParallelType::Unroll},
       {thread, ParallelType::ThreadX},
       {vector, ParallelType::Vectorize}});
  if (failed(finished) || failed(schedule->propagate(store)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return loadsFirst; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createPointwiseScheduler() {
  return std::make_unique<Pointwise>();
}
