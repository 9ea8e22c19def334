//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions whose results share what they read: their tiles, facts and loops.
//
//===----------------------------------------------------------------------===//

#include "ReductionTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The most results of a thread along a row of results and across rows: each doubling halves the
/// reads, and 4 x 4 leave one read of 16 bytes for 16 elements that are computed.
static constexpr int64_t kMostAlong = 4, kMostAcross = 4;
/// The most reduced elements of a step, and the bytes of an access along them.
static constexpr int64_t kMostOfStep = 8, kTileAccessBytes = 16;
/// The most elements of a reduction to a value and its place that have no loop.
static constexpr int64_t kMostPlaces = 16;
/// Threads of a block, and those along a row of results. The lanes of a warp are 8 x 4, so that an
/// access of a warp reads few rows of each argument.
static constexpr int64_t kTileThreads = 128, kThreadsAlong = 8;
/// Threads of a multiprocessor below which a tile has fewer rows, and the least.
static constexpr int64_t kWantedTileThreads = 1024, kLeastTileThreads = 256;

namespace {
/// The kept dimensions along which a thread has several results.
struct TileDims {
  /// The fastest one of all outputs, along which a result is a vector. Some argument is
  /// invariant along it.
  unsigned along;
  /// Another one along which some argument is invariant, and that no argument has together with
  /// `along`; absent if there is none.
  std::optional<unsigned> across;
};
} // namespace

/// True for an argument that is read for the elements that are reduced.
static bool isReduced(const GlobalTensor &tensor, const ReductionShape &shape) {
  return !tensor.isOutput &&
         llvm::any_of(tensor.order, [&](unsigned dimClass) { return shape.isReduced(dimClass); });
}

/// True if some argument is read at an offset or at indices.
static bool isReadAtIndices(const KernelView &kernel) {
  return llvm::any_of(kernel.getTensors(), [](const GlobalTensor &tensor) {
    return !tensor.isOutput && llvm::any_of(tensor.value.getUses(), isReadInPlace);
  });
}

/// The fastest dimension of all outputs. nullopt if they differ, or if an output is stored in the
/// loops of the reduction.
static std::optional<unsigned> findFastestResult(const KernelView &kernel,
                                                 const ReductionShape &shape) {
  std::optional<unsigned> fastest;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (!tensor.isOutput)
      continue;
    if (tensor.order.empty() || (fastest && *fastest != tensor.order.back()) ||
        llvm::any_of(tensor.order, [&](unsigned dimClass) { return shape.isReduced(dimClass); }))
      return std::nullopt;
    fastest = tensor.order.back();
  }
  return fastest;
}

/// Dimensions along which results share what they read: some argument is invariant along each of
/// them, and none has both.
static std::optional<TileDims> findTile(const KernelView &kernel, const ReductionShape &shape) {
  const std::optional<unsigned> along = findFastestResult(kernel, shape);
  if (!along || !shape.part.empty() || shape.getReduced().empty() || isReadAtIndices(kernel))
    return std::nullopt;
  SmallVector<const GlobalTensor *> read;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (isReduced(tensor, shape))
      read.push_back(&tensor);
  auto isLacked = [&](unsigned dimClass) {
    return llvm::any_of(read,
                        [&](const GlobalTensor *tensor) { return tensor->find(dimClass) < 0; });
  };
  auto isShared = [&](unsigned a, unsigned b) {
    return llvm::none_of(read, [&](const GlobalTensor *tensor) {
      return tensor->find(a) >= 0 && tensor->find(b) >= 0;
    });
  };
  if (!isLacked(*along))
    return std::nullopt;
  TileDims tile{*along, std::nullopt};
  for (unsigned dimClass : shape.order)
    if (dimClass != *along && !shape.isReduced(dimClass) && isLacked(dimClass) &&
        isShared(*along, dimClass))
      tile.across = dimClass;
  return tile;
}

/// True for an argument whose fastest dimension is reduced: vectors lie along it.
static bool hasRows(const GlobalTensor &tensor, const ReductionShape &shape) {
  return isReduced(tensor, shape) && tensor.order.back() == shape.getReduced().back() &&
         tensor.contiguous.back();
}

/// The reduced elements of a step.
static int64_t getStep(const ReductionShape &shape, const Requirements &requirements) {
  const unsigned fastest = shape.getReduced().back();
  return std::min(kMostOfStep, requirements.getVectorWidth(fastest, kTileAccessBytes,
                                                           [&](const GlobalTensor &tensor) {
                                                             return hasRows(tensor, shape);
                                                           }));
}

/// True for a tensor of which vectors lie along the rows of results.
static bool hasVectors(const GlobalTensor &tensor, unsigned along) {
  return !tensor.order.empty() && tensor.order.back() == along && tensor.contiguous.back();
}

/// The widest vectors along the rows of results.
static int64_t getMostAlong(const TileDims &tile, const Requirements &requirements) {
  return std::min(kMostAlong, requirements.getVectorWidth(
                                  tile.along, kWidestVectorBytes, [&](const GlobalTensor &tensor) {
                                    return tensor.isOutput || hasVectors(tensor, tile.along);
                                  }));
}

std::variant<Choice, Refusal> fuser::evaluateTile(const KernelView &kernel,
                                                  const ReductionShape &shape,
                                                  ReductionParamsAttr params,
                                                  Requirements &requirements) {
  const std::optional<TileDims> tile = findTile(kernel, shape);
  if (!tile || (params.getUnroll() > 1 && !tile->across))
    return Refusal{RefusalCategory::Structure,
                   kNoTile,
                   {},
                   "expected results of " + std::to_string(params.getUnroll()) + " x " +
                       std::to_string(params.getVector()) + " that share what they read"};
  const int64_t most = getMostAlong(*tile, requirements);
  if (params.getVector() > most)
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors of at most " + std::to_string(most) + " results, but got " +
                       std::to_string(params.getVector())};
  // The step follows from the size.
  if (!requirements.requireExactly(shape.getReduced()))
    return Refusal{RefusalCategory::Size,
                   kNoTile,
                   {},
                   "expected a number of reduced elements that a fact can state"};
  const int64_t step = getStep(shape, requirements);
  requirements.requireVectorWidth(tile->along, params.getVector());
  if (tile->across)
    requirements.requireWhole(*tile->across, params.getUnroll());
  requirements.requireVectorWidth(shape.getReduced().back(), step);
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreadsX() * params.getThreadsY();
  const int64_t read = (params.getVector() + params.getUnroll()) * step;
  use.bytesInFlight = read * shape.getElementBytes(kernel);
  use.registers = 32 + read + 2 * params.getVector() * params.getUnroll();
  if (const std::optional<int64_t> results = requirements.getSize(shape.getKept()))
    use.blocks = llvm::divideCeil(*results, use.threads * params.getVector() * params.getUnroll());
  return Choice{params, requirements.takeFacts(), use};
}

std::optional<Choice> fuser::chooseTile(const KernelView &kernel, const ReductionShape &shape,
                                        const SizeHints &hints,
                                        const artifact::DeviceDescription &device) {
  const std::optional<TileDims> tile = findTile(kernel, shape);
  if (!tile)
    return std::nullopt;
  Requirements requirements(kernel, hints);
  const int64_t along = getMostAlong(*tile, requirements);
  const std::optional<int64_t> row = requirements.getSize(tile->along);
  if (!row)
    return std::nullopt;
  int64_t across = 1;
  if (tile->across)
    across = std::min<int64_t>(kMostAcross,
                               llvm::bit_floor(uint64_t(std::max<int64_t>(
                                   requirements.getSize(*tile->across).value_or(kMostAcross), 1))));
  const std::optional<int64_t> results = requirements.getSize(shape.getKept());
  auto haveFewer = [&](int64_t threads) {
    return results && *results / (along * across) < device.multiprocessors * threads;
  };
  while (across > 1 && haveFewer(kWantedTileThreads))
    across /= 2;
  if (along * across == 1 || haveFewer(kLeastTileThreads))
    return std::nullopt;
  int64_t threadsY =
      kTileThreads /
      std::min<int64_t>(kThreadsAlong, llvm::PowerOf2Ceil(llvm::divideCeil(*row, along)));
  if (results && *row > 0)
    threadsY = std::min<int64_t>(threadsY, llvm::PowerOf2Ceil(*results / *row / across));
  const auto params =
      ReductionParamsAttr::get(kernel.getKernel().getContext(), ReductionPattern::Tile,
                               kTileThreads / threadsY, threadsY, along, across, 1, false);
  std::variant<Choice, Refusal> answer = evaluateTile(kernel, shape, params, requirements);
  auto *choice = std::get_if<Choice>(&answer);
  return choice ? std::optional(std::move(*choice)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// [tiles by block, thread_y across, thread_x along, steps, full tile?, reduced elements, rows of
/// results, vector of results]. A full tile needs no bounds checks, which would separate reads of
/// one element by several results.
static LogicalResult scheduleTile(LoopBuilder &loops, const ReductionShape &shape,
                                  const TileDims &tile, ReductionParamsAttr params, int64_t step,
                                  bool areFull, bool unrollsSteps) {
  SmallVector<unsigned> others = shape.getKept();
  llvm::erase_if(
      others, [&](unsigned dimClass) { return dimClass == tile.along || dimClass == tile.across; });
  auto [steps, element] = loops.split(loops.merge(loops.take(shape.getReduced())), step);
  unsigned whole = kNoId;
  if (!areFull && steps != kNoId)
    std::tie(steps, whole) = loops.getBuilder().split(steps, 1);
  auto [alongTiles, along] = loops.split(loops.merge(loops.take(tile.along)), params.getVector());
  unsigned across = kNoId;
  SmallVector<unsigned> rows = loops.take(others);
  if (tile.across) {
    unsigned acrossTiles;
    std::tie(acrossTiles, across) =
        loops.split(loops.merge(loops.take(*tile.across)), params.getUnroll());
    rows.push_back(acrossTiles);
  }
  SmallVector<unsigned> tiles = loops.takeRest();
  auto [alongBlock, threadX] = loops.getBuilder().split(alongTiles, params.getThreadsX());
  auto [rowBlock, threadY] = loops.split(loops.merge(rows), params.getThreadsY());
  llvm::append_range(tiles, SmallVector<unsigned>{rowBlock, alongBlock});
  return loops.finish({{loops.merge(tiles), ParallelType::BlockX},
                       {threadY, ParallelType::ThreadY},
                       {threadX, ParallelType::ThreadX},
                       {steps, unrollsSteps ? ParallelType::Unroll : ParallelType::Serial},
                       {whole, ParallelType::Unswitch},
                       {element, ParallelType::Unroll},
                       {across, ParallelType::Unroll},
                       {along, ParallelType::Vectorize}});
}

/// Changes the last loops of a load, which are those of the reference: at position `element` the
/// reduced elements, then loops over results, which a load without their dimensions lacks. With
/// `isRow`, vectors are along the reduced elements; otherwise there are none.
static void changeVectors(TensorViewOpInterface load, bool isRow, size_t element) {
  DomainAttr domain = load.getDomain();
  SmallVector<unsigned> ids(domain.getLoop());
  SmallVector<ParallelType> types(domain.getParallel());
  types.back() = ParallelType::Unroll;
  if (isRow) {
    assert(element < ids.size() && "expected a load of reduced elements to have their loop");
    std::rotate(ids.begin() + element, ids.begin() + element + 1, ids.end());
    types.back() = ParallelType::Vectorize;
  }
  DomainBuilder builder(domain);
  builder.setLoop(ids, types);
  load.setDomain(builder.build());
}

/// True for reductions of few elements to a value and its place. Without a loop over them, places
/// are constants, of which the assembler knows the earlier one: five instructions of an element,
/// not 17, and a third of the registers for the nearest of 16 codes.
static bool findsFewPlaces(const KernelView &kernel, const ReductionShape &shape) {
  int64_t elements = 1;
  for (unsigned dimClass : shape.getReduced())
    elements *=
        kernel.getExtents().getConstant(kernel.getExtent(dimClass)).value_or(kMostPlaces + 1);
  return elements <= kMostPlaces &&
         llvm::all_of(shape.getReductionsOfRows(kernel),
                      [](TensorViewOpInterface op) { return op->getNumResults() > 1; });
}

LogicalResult fuser::applyTile(const KernelView &view, const ReductionShape &shape,
                               ReductionParamsAttr params) {
  Requirements requirements(view, SizeHints());
  if (failed(
          addFacts(view.getKernel(), "reduction", evaluateTile(view, shape, params, requirements))))
    return failure();
  const TileDims tile = *findTile(view, shape);
  const int64_t step = getStep(shape, requirements);
  const bool areFull =
      params.getUnroll() == 1 ||
      view.getExtents().getKnownDivisor(view.getExtent(*tile.across)) % params.getUnroll() == 0;
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(view.getKernel());
  if (failed(schedule))
    return failure();
  TensorViewOpInterface reference = shape.getReference(view);
  LoopBuilder loops(view, reference);
  if (failed(scheduleTile(loops, shape, tile, params, step, areFull,
                          areFull && findsFewPlaces(view, shape))) ||
      failed(schedule->propagate(reference)))
    return failure();
  const size_t element = reference.getDomain().getLoop().size() - 1 - (params.getUnroll() > 1) -
                         (params.getVector() > 1);
  for (TensorViewOpInterface load : schedule->getLoads()) {
    const GlobalTensor &tensor =
        view.getArgument(cast<BlockArgument>(load->getOperand(0)).getArgNumber());
    const bool isRow = step > 1 && hasRows(tensor, shape),
               isStrided = params.getVector() > 1 && tensor.find(tile.along) >= 0 &&
                           !hasVectors(tensor, tile.along);
    if (isRow || isStrided)
      changeVectors(load, isRow, element);
  }
  schedule->inlineAll([](TensorViewOpInterface) { return true; });
  return success();
}
