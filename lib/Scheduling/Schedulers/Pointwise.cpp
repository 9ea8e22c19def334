//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pointwise scheduler: tiles of columns, rows over the other axis of the grid.
//
// Short-lived blocks, one 16-byte vector per tensor and thread, is what reaches the copy rate on
// Hopper; a second grid axis for rows keeps divisions out of the indices of broadcast operands.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

constexpr int64_t kThreads = 128;
/// Vectors per thread where they are narrower than 16 bytes.
constexpr int64_t kNarrowUnroll = 4;
/// Planes per thread that share what is loaded of tensors that lack them.
constexpr int64_t kRepeats = 4;
/// Blocks that each SM shall have if threads take several planes.
constexpr int64_t kBlocksPerSM = 32;

class Pointwise : public Scheduler {
public:
  StringRef getName() const override { return "pointwise"; }
  Answer accepts(const KernelView &kernel) const override;
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const SizeHints &hints,
                                       const artifact::DeviceDescription &device) const override;
  LogicalResult apply(KernelOp kernel, ScheduleParamsInterface params) const override;

private:
  /// Why not, or nothing.
  std::optional<Refusal> check(const KernelView &kernel) const;
};

} // namespace

namespace {
/// What an index of some dimension is in the reference: it belongs to `dimClass` there, and is
/// `before` smaller.
struct PlaceInReference {
  unsigned dimClass;
  int64_t before;
};
} // namespace

/// Where `dimClass` is resized to, step by step, until it is in `reference`; nothing where it never
/// is. A class that is in it is itself.
static std::optional<PlaceInReference> findPlace(const KernelView &kernel, unsigned dimClass,
                                                 ArrayRef<unsigned> reference) {
  PlaceInReference place{dimClass, 0};
  for (size_t steps = 0; steps <= kernel.getResizes().size(); ++steps) {
    if (llvm::is_contained(reference, place.dimClass))
      return place;
    const ClassResize *resize = kernel.getResize(place.dimClass);
    if (!resize)
      break;
    place = {resize->to, place.before + resize->before};
  }
  return std::nullopt;
}

/// The class alone; kNone where there is none.
static unsigned findInReference(const KernelView &kernel, unsigned dimClass,
                                ArrayRef<unsigned> reference) {
  std::optional<PlaceInReference> place = findPlace(kernel, dimClass, reference);
  return place ? place->dimClass : unsigned(DimClasses::kNone);
}

/// How many of the reference's fastest dimensions can be merged so that each tensor either has all
/// of them, contiguously and in this order, or none.
static int64_t countInnerDims(const KernelView &kernel, const ReferenceOutput &reference) {
  int64_t best = 1;
  for (int64_t count = 1, rank = reference.classes.size(); count <= rank; ++count) {
    SmallVector<unsigned> inner = getConcrete(kernel, ArrayRef(reference.classes).take_back(count));
    // Merged with a slower one, an index of a resized dimension needs a division.
    bool isTarget = llvm::any_of(kernel.getResizes(), [&](const ClassResize &resize) {
      return llvm::is_contained(inner, resize.to);
    });
    if (isTarget && count > 1)
      break;
    bool fits = llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
      if (llvm::none_of(inner, [&](unsigned dimClass) { return tensor.find(dimClass) >= 0; }))
        return true;
      return tensor.order.size() >= inner.size() &&
             ArrayRef(tensor.order).take_back(inner.size()) == ArrayRef(inner) &&
             llvm::all_of(ArrayRef(tensor.contiguous).take_back(inner.size() - 1),
                          [](bool contiguous) { return contiguous; });
    });
    if (!fits && count > 1)
      break;
    best = count;
  }
  return best;
}

/// Whether `op` reads dimension `dim` of a computed operand at the index at which it is computed:
/// where all that is in between is moved by the same amount.
static bool isMovedAlong(const KernelView &kernel, ArrayRef<unsigned> reference,
                         TensorViewOpInterface op, OpOperand &operand, unsigned dim,
                         const DimMap &map) {
  const DimClasses &classes = kernel.getClasses();
  std::optional<int64_t> offset = getStaticOffset(map);
  if (!offset)
    return false;
  unsigned from = classes.getClass(operand.get(), dim), to = classes.getClass(op, map.id);
  if (from == to)
    return *offset == 0;
  const ClassResize *resize = kernel.getResize(from);
  if (!resize)
    return false;
  // Loops over a dimension of size 1 are no loops that an offset could move.
  if (classes.isBroadcast(from) || classes.isBroadcast(to))
    return resize->before == 0 && resize->after == 0;
  std::optional<PlaceInReference> a = findPlace(kernel, from, reference);
  std::optional<PlaceInReference> b = findPlace(kernel, to, reference);
  // A dimension that the reference lacks is refused elsewhere.
  return !a || !b || (a->dimClass == b->dimClass && a->before == b->before + resize->before);
}

/// Refuses ops that read something else than one element of each operand, and computed values that
/// are read at data, or not at one constant offset from where they are computed.
static std::optional<Refusal> checkReads(const KernelView &kernel, ArrayRef<unsigned> reference) {
  auto refuse = [](TensorViewOpInterface op, const std::string &sentence) {
    return Refusal{RefusalCode::UnsupportedOp,
                   {op},
                   sentence + ", but '" + op->getName().getStringRef().str() + "' does not"};
  };
  auto refuseAlone = [&](TensorViewOpInterface op) {
    Refusal refusal = refuse(op, "expected ops that compute each element from one of each operand");
    cutBefore(op, refusal.cuts);
    cutBehind(op, refusal.cuts);
    return refusal;
  };
  auto refuseOperand = [&](OpOperand &operand, const std::string &sentence) {
    Refusal refusal = refuse(cast<TensorViewOpInterface>(operand.getOwner()), sentence);
    refusal.cuts.push_back(&operand);
    return refusal;
  };
  for (TensorViewOpInterface op : kernel.getOps()) {
    if (!isa<ElementwiseOpInterface>(op.getOperation()) ||
        !op.getTrivialDomain(0).getRoot().empty())
      return refuseAlone(op);
    if (kernel.isSimple(op))
      continue;
    if (auto aliases = kernel.getKernel().getAliases(); aliases && !aliases->empty())
      return refuse(op, "expected ops that read at their own index where an input is overwritten");
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (OpOperand &operand : op->getOpOperands())
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
        bool moved = map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
        if (moved && !isa<BlockArgument>(operand.get()) &&
            !isMovedAlong(kernel, reference, op, operand, dim, map))
          return refuseOperand(operand,
                               "expected ops that read what is computed at one constant offset, in "
                               "dimensions of more than one element");
      }
  }
  return std::nullopt;
}

/// Refuses to store an output of which only a part is read: only that part is computed.
static std::optional<Refusal> checkOutputs(const KernelView &kernel, ArrayRef<unsigned> reference) {
  for (const GlobalTensor &tensor : kernel.getTensors())
    for (unsigned dimClass : tensor.order)
      for (size_t steps = 0; tensor.isOutput && steps < kernel.getResizes().size(); ++steps) {
        const ClassResize *resize = kernel.getResize(dimClass);
        if (!resize || llvm::is_contained(reference, dimClass))
          break;
        if (resize->before < 0 || resize->after < 0) {
          Refusal refusal{RefusalCode::UncoveredDimension,
                          {tensor.value.getDefiningOp()},
                          "expected outputs of which all is read, but of output " +
                              std::to_string(tensor.position) + " only a part is"};
          cutBehind(tensor.value.getDefiningOp(), refusal.cuts);
          return refusal;
        }
        dimClass = resize->to;
      }
  return std::nullopt;
}

std::optional<Refusal> Pointwise::check(const KernelView &kernel) const {
  if (!kernel.getReductions().empty())
    return Refusal{RefusalCode::HasReduction,
                   {kernel.getReductions().front()},
                   "expected no reduction, but got " +
                       std::to_string(kernel.getReductions().size())};
  SmallVector<unsigned> reference = getConcrete(kernel, ReferenceOutput::get(kernel).classes);
  if (std::optional<Refusal> refusal = checkReads(kernel, reference))
    return refusal;
  if (std::optional<Refusal> refusal = checkOutputs(kernel, reference))
    return refusal;
  return checkCovered(kernel, reference, [&](unsigned dimClass) {
    return findInReference(kernel, dimClass, reference);
  });
}

Answer Pointwise::accepts(const KernelView &kernel) const {
  if (std::optional<Refusal> refusal = check(kernel))
    return *refusal;
  // Inputs of full rank are best read in the order in which the reference is written.
  Acceptance acceptance;
  ReferenceOutput reference = ReferenceOutput::get(kernel);
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    int64_t rank = cast<RankedTensorType>(tensor.value.getType()).getRank();
    if (tensor.isOutput || rank != int64_t(reference.dims.size()))
      continue;
    SmallVector<int64_t> order;
    for (unsigned dimClass : reference.classes)
      for (int64_t dim = 0; dim < rank; ++dim)
        if (kernel.getClasses().getClass(tensor.value, dim) == dimClass)
          order.push_back(dim);
    if (int64_t(order.size()) == rank)
      acceptance.wishes.push_back({false, tensor.position, order});
  }
  return acceptance;
}

/// Calls `visit` with the columns of values that are read at an offset along `columns`.
static void
forEachResizedColumns(const KernelView &kernel, ArrayRef<unsigned> columns,
                      function_ref<void(ArrayRef<unsigned>, const ClassResize &)> visit) {
  for (const ClassResize &resize : kernel.getResizes()) {
    unsigned target = findInReference(kernel, resize.from, columns);
    if (target == DimClasses::kNone || target == resize.from)
      continue;
    SmallVector<unsigned> resized(columns);
    std::replace(resized.begin(), resized.end(), target, resize.from);
    visit(resized, resize);
  }
}

/// True where the op reads some operand at an index that is data.
static bool readsAtData(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::any_of(mapping.getDimMaps(operand.getOperandNumber()),
                        [](const DimMap &map) { return map.kind == DimMap::Kind::Indirect; });
  });
}

/// The largest power of two (of at most 16) that divides the offset.
static int64_t getDivisorOf(const ClassResize &resize) {
  return resize.before == 0 ? 16 : std::min<int64_t>(16, resize.before & -resize.before);
}

/// Collects what makes vectors along `columns` legal, and, where they are read at an offset, the
/// widest parts of them.
static void requireVectorWidth(const KernelView &kernel, Requirements &requirements,
                               ArrayRef<unsigned> columns, int64_t width) {
  requirements.requireVectorWidth(columns, width);
  forEachResizedColumns(
      kernel, columns, [&](ArrayRef<unsigned> resized, const ClassResize &resize) {
        requirements.requireVectorWidth(
            resized, std::min({width, requirements.getVectorWidth(resized), getDivisorOf(resize)}));
      });
}

/// The widest vectors along `columns`. Tensors that lack rows come from a cache: where their
/// elements are wider, one vector is several accesses.
static int64_t chooseVector(const KernelView &kernel, const Requirements &requirements,
                            ArrayRef<unsigned> reference, ArrayRef<unsigned> columns) {
  auto isFull = [&](const GlobalTensor &tensor) { return tensor.order.size() == reference.size(); };
  int64_t vector = std::min(requirements.getVectorWidth(columns, 16, isFull),
                            requirements.getVectorWidth(columns, 64));
  forEachResizedColumns(
      kernel, columns, [&](ArrayRef<unsigned> resized, const ClassResize &resize) {
        // What reads at data at an index that does not exist would read anything: such a vector
        // exists as a whole, or not at all.
        bool isWhole = llvm::any_of(kernel.getOps(), [&](TensorViewOpInterface op) {
          return readsAtData(op) && llvm::is_contained(kernel.getOwnClasses(op), resize.from);
        });
        if (isWhole)
          vector = std::min({vector, requirements.getVectorWidth(resized), getDivisorOf(resize)});
      });
  return vector;
}

/// How many of the slowest dimensions all tensors lack that lack any of them, but have the columns;
/// 0 where that leaves no row and `needsRows`, or where little is loaded of such tensors. What is
/// loaded of them serves several planes.
static int64_t countOuterDims(const KernelView &kernel, const ReferenceOutput &reference,
                              int64_t innerDims, bool needsRows) {
  ArrayRef<unsigned> rows = ArrayRef(reference.classes).drop_back(innerDims);
  ArrayRef<unsigned> columns = ArrayRef(reference.classes).take_back(innerDims);
  auto isBroadcast = [&](unsigned dimClass) { return kernel.getClasses().isBroadcast(dimClass); };
  int64_t outerDims = rows.size(), fullBytes = 0, sharedBytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    auto lacks = [&](unsigned dimClass) { return tensor.find(dimClass) < 0; };
    size_t lacking = llvm::find_if_not(rows, lacks) - rows.begin();
    if (llvm::all_of(rows.take_front(lacking), isBroadcast)) {
      fullBytes += tensor.elementBytes;
      continue;
    }
    if (tensor.isOutput || llvm::any_of(columns, [&](unsigned dimClass) {
          return lacks(dimClass) && !isBroadcast(dimClass);
        }))
      continue;
    sharedBytes += tensor.elementBytes;
    outerDims = std::min<int64_t>(outerDims, lacking);
  }
  bool hasRows = !llvm::all_of(rows.drop_front(outerDims), isBroadcast);
  return 2 * sharedBytes > fullBytes && (hasRows || !needsRows) ? outerDims : 0;
}

/// Planes of a thread: several where blocks for all SMs remain.
static int64_t chooseRepeats(std::optional<int64_t> planes, std::optional<int64_t> blocksOfPlane,
                             const artifact::DeviceDescription &device) {
  if (!planes || !blocksOfPlane)
    return 1;
  int64_t repeats = kRepeats;
  while (repeats > 1 && *planes / repeats * *blocksOfPlane < kBlocksPerSM * device.multiprocessors)
    repeats /= 2;
  return repeats;
}

std::variant<Choice, Refusal> Pointwise::choose(const KernelView &kernel, const SizeHints &hints,
                                                const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  ReferenceOutput reference = ReferenceOutput::get(kernel);
  int64_t rank = reference.classes.size();
  int64_t innerDims = rank == 0 ? 0 : countInnerDims(kernel, reference);
  SmallVector<unsigned> columns =
      getConcrete(kernel, ArrayRef(reference.classes).take_back(innerDims));
  SmallVector<unsigned> rows =
      getConcrete(kernel, ArrayRef(reference.classes).drop_back(innerDims));

  int64_t vector =
      chooseVector(kernel, requirements, getConcrete(kernel, reference.classes), columns);
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    widest = std::max(widest, tensor.elementBytes);
  int64_t unroll = vector * widest >= 16 ? 1 : kNarrowUnroll;

  // Short columns: several rows share a block.
  int64_t threads = kThreads, rowsPerBlock = 1;
  if (std::optional<int64_t> size = requirements.getSize(columns); size && !rows.empty()) {
    int64_t needed = llvm::divideCeil(std::max<int64_t>(*size, 1), vector);
    if (needed < kThreads * unroll)
      unroll = std::clamp<int64_t>(needed / kThreads, 1, unroll);
    if (needed < kThreads) {
      threads = llvm::PowerOf2Ceil(needed);
      rowsPerBlock = kThreads / threads;
    }
  }

  std::optional<int64_t> numColumns = requirements.getSize(columns);
  auto getBlocksOfPlane = [&](ArrayRef<unsigned> rows) -> std::optional<int64_t> {
    std::optional<int64_t> numRows = requirements.getSize(rows);
    if (!numColumns || !numRows)
      return std::nullopt;
    return llvm::divideCeil(*numColumns, threads * vector * unroll) *
           llvm::divideCeil(*numRows, rowsPerBlock);
  };

  // Planes that share what is loaded for a row.
  bool hasWideColumns = numColumns && *numColumns >= threads * vector * unroll;
  int64_t outerDims = countOuterDims(kernel, reference, innerDims, !hasWideColumns), repeats = 1;
  SmallVector<unsigned> planes =
      getConcrete(kernel, ArrayRef(reference.classes).take_front(outerDims));
  if (outerDims > 0)
    repeats = chooseRepeats(requirements.getSize(planes),
                            getBlocksOfPlane(ArrayRef(rows).drop_front(planes.size())), device);
  if (repeats > 1)
    rows.erase(rows.begin(), rows.begin() + planes.size());
  else
    outerDims = 0;

  // The second axis of the grid is short: rows go there only where they are known to fit.
  bool mergeGrid = false;
  if (!rows.empty()) {
    std::optional<int64_t> size = requirements.getSize(rows);
    int64_t most = device.maxGrid[1] * rowsPerBlock;
    mergeGrid = !size || *size > most || !requirements.requireAtMost(rows, most);
  }
  if (outerDims > 0 && !mergeGrid) {
    std::optional<int64_t> size = requirements.getSize(planes);
    int64_t most = device.maxGrid[2] * repeats;
    mergeGrid = !size || *size > most || !requirements.requireAtMost(planes, most);
  }
  requireVectorWidth(kernel, requirements, columns, vector);
  requirements.requireShortIndices();
  MLIRContext *context = kernel.getKernel().getContext();
  auto params =
      PointwiseParamsAttr::get(context, threads, vector, unroll, rowsPerBlock,
                               innerDims == rank ? -1 : innerDims, mergeGrid, outerDims, repeats);
  ResourceUse use;
  use.threads = threads * rowsPerBlock;
  use.blocks = getBlocksOfPlane(rows).value_or(0);
  if (outerDims > 0)
    use.blocks *= llvm::divideCeil(requirements.getSize(planes).value_or(repeats), repeats);
  use.bytesInFlight = vector * unroll * repeats * getElementBytesRead(kernel);
  use.registers = 24 + vector * unroll * repeats * int64_t(kernel.getTensors().size());
  return Choice{params, requirements.takeFacts(), use};
}

/// Arguments that are read at constant offsets: they can be loaded where the rest is, like values
/// that are computed there.
static SmallVector<OpOperand *> getMovedReads(const KernelView &kernel,
                                              ArrayRef<unsigned> reference) {
  SmallVector<OpOperand *> reads;
  for (TensorViewOpInterface op : kernel.getOps()) {
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BlockArgument>(operand.get()) || !isReadInPlace(operand))
        continue;
      bool isMoved = true;
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
        if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
          isMoved &= map.kind == DimMap::Kind::Resized &&
                     isMovedAlong(kernel, reference, op, operand, dim, map);
      if (isMoved)
        reads.push_back(&operand);
    }
  }
  return reads;
}

LogicalResult Pointwise::apply(KernelOp kernel, ScheduleParamsInterface attribute) const {
  auto params = cast<PointwiseParamsAttr>(attribute);
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  if (std::optional<Refusal> refusal = check(*view))
    return emitRefusal(kernel, getName(), *refusal);
  ReferenceOutput reference = ReferenceOutput::get(*view);
  int64_t rank = reference.dims.size();
  int64_t innerDims = params.getInnerDims() < 0 ? rank : params.getInnerDims();
  if (innerDims > rank || (innerDims == 0 && rank > 0))
    return kernel->emitOpError("expected 'inner_dims' between 1 and ")
           << rank << ", or -1, but got " << params.getInnerDims();
  int64_t outerDims = params.getOuterDims();
  if (outerDims + innerDims > rank)
    return kernel->emitOpError("expected at most ")
           << rank - innerDims << " 'outer_dims', but got " << outerDims;

  Requirements requirements(*view, SizeHints());
  requireVectorWidth(*view, requirements,
                     getConcrete(*view, ArrayRef(reference.classes).take_back(innerDims)),
                     params.getVector());
  addFacts(kernel, requirements.takeFacts());

  bool loadsFirst = params.getUnroll() > 1 || params.getRepeats() > 1;
  SmallVector<OpOperand *> moved;
  if (loadsFirst)
    moved = getMovedReads(*view, getConcrete(*view, reference.classes));
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

  LoopBuilder loops(store);
  SmallVector<unsigned> ids;
  for (int64_t dim : reference.dims)
    ids.push_back(store.getDomain().getResultIds()[dim]);
  unsigned plane = loops.merge(ArrayRef(ids).take_front(outerDims));
  unsigned row = loops.merge(ArrayRef(ids).slice(outerDims, rank - outerDims - innerDims));
  unsigned column = loops.merge(ArrayRef(ids).take_back(innerDims));
  auto [vectors, vector] = loops.split(column, params.getVector());
  auto [groups, thread] = vectors == kNoId ? std::pair(unsigned(kNoId), unsigned(kNoId))
                                           : loops.getBuilder().split(vectors, params.getThreads());
  auto [tile, unrolled] = loops.split(groups, params.getUnroll());
  auto [rowTile, rowThread] = loops.split(row, params.getRows());
  auto [planeTile, repeat] = loops.split(plane, params.getRepeats());
  bool both = (planeTile != kNoId || rowTile != kNoId) && tile != kNoId;
  if (params.getMergeGrid() && both) {
    tile = loops.merge({planeTile, rowTile, tile});
    planeTile = rowTile = kNoId;
  }
  loops.finish(
      {{planeTile, ParallelType::BlockZ},
       {rowTile, tile == kNoId ? ParallelType::BlockX : ParallelType::BlockY},
       {params.getMergeGrid() && both ? unsigned(kNoId) : rowThread, ParallelType::ThreadY},
       {tile, ParallelType::BlockX},
       {params.getMergeGrid() && both ? rowThread : unsigned(kNoId), ParallelType::ThreadY},
       {repeat, ParallelType::Unroll},
       {unrolled, ParallelType::Unroll},
       {thread, ParallelType::ThreadX},
       {vector, ParallelType::Vectorize}});
  if (failed(schedule->propagate(store)))
    return failure();
  schedule->inlineAll([&](TensorViewOpInterface) { return loadsFirst; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createPointwiseScheduler() {
  return std::make_unique<Pointwise>();
}
