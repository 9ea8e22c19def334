//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The transpose scheduler: tiles through swizzled shared memory.
//
// Loops follow a reference output, or the arguments where less is transposed then: one tile of a
// sum instead of one for each of its terms. Where they follow the output, inputs whose fastest
// dimension is another one are read by vectors along their own rows and stored as a tile; a thread
// then gathers the elements of one vector of the reference. Outputs whose fastest dimension is
// another one are the mirror image: a thread stores its vector into a tile and then gathers the
// elements of one vector along the output's own rows. The chunks of a tile's row are swizzled by
// the row (xor), so that the threads of a warp, which gather from rows one vector apart, have no
// bank conflicts. Adjacent blocks complete the same rows of the output, or of the inputs if only
// these share sectors of memory. Sides of few elements are transposed in the registers of threads
// (TransposeRegisters.h).
//
//===----------------------------------------------------------------------===//

#include "TransposePlan.h"
#include "TransposeRegisters.h"
#include "TransposeTile.h"
#include "Warps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Codes of refusals: all tensors have the same fastest dimension; a dimension is too short for
/// tiles.
constexpr StringLiteral kNothingToTranspose = "nothing-to-transpose";
constexpr StringLiteral kTileTooSmall = "tile-too-small";

class Transpose : public SchedulerOf<TransposePlan, TransposeParamsAttr> {
public:
  StringRef getName() const override { return "transpose"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const TransposePlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const TransposePlan &plan, TransposeParamsAttr params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const TransposePlan &plan,
                            TransposeParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

Answer Transpose::accepts(const KernelView &kernel) const {
  if (std::optional<Refusal> refusal = checkNoReduction(kernel))
    return *refusal;
  if (std::optional<Refusal> refusal = checkOps(kernel))
    return *refusal;
  auto accepted = std::make_unique<TransposePlan>();
  TransposePlan &plan = *accepted;
  plan.reference = ReferenceOutput::get(kernel);
  SmallVector<unsigned> concrete = getConcrete(kernel, plan.reference.classes);
  if (std::optional<Refusal> refusal = checkParts(kernel, plan.reference))
    return *refusal;
  if (std::optional<Refusal> refusal = checkCovered(kernel, concrete))
    return *refusal;
  Refusal nothing{RefusalCategory::OutOfScope,
                  kNothingToTranspose,
                  {},
                  "expected tensors with two different fastest dimensions, but got one"};
  if (concrete.size() < 2)
    return nothing;
  if (std::optional<Refusal> refusal = findTransposed(kernel, concrete, plan))
    return *refusal;
  if (plan.getNumTiles() == 0)
    return nothing;
  followArguments(kernel, plan);
  extendShortSides(kernel, plan);
  findShortSides(kernel, plan);
  plan.preferences =
      getBoundaryPreferences(kernel, kernel.getOutput(plan.reference.position), concrete);
  return accepted;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

namespace {
/// Bytes of the widest element of transposed tensors, and of all; those of the tiles of all
/// transposed tensors for one element.
struct TileBytes {
  int64_t in = 1, all = 1, shared = 1;
};
} // namespace

static TileBytes getTileBytes(const KernelView &kernel, const TransposePlan &plan) {
  TileBytes bytes;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    bytes.all = std::max(bytes.all, tensor.elementBytes);
    if (plan.isTransposed(tensor))
      bytes.in = std::max(bytes.in, tensor.elementBytes);
  }
  bytes.shared = bytes.in * plan.getNumTiles();
  return bytes;
}

static Refusal refuseShared(int64_t bytes, const artifact::DeviceDescription &device) {
  return {RefusalCategory::Device,
          kNoSharedMemory,
          {},
          "expected " + std::to_string(bytes) +
              " bytes of shared memory for a block, but the device has " +
              std::to_string(device.sharedBytesPerBlock),
          {}};
}

/// The widest vectors that may cross the ends of the rows of a side: by alignment and strides and,
/// in a batch of matrices, by the offset of each. A broadcast operand has no vectors along the
/// side. 1 if the size of the side is not fixed.
static int64_t getCrossingWidth(const TransposePlan &plan, bool isIn,
                                const Requirements &requirements) {
  if (requirements.getRangeEnd(isIn ? plan.in : plan.out))
    return 1;
  const SmallVector<unsigned> dims = plan.getCrossed(isIn);
  const int64_t width = requirements.getAccessWidth(dims, 16, [&](const GlobalTensor &tensor) {
    return plan.hasVectors(tensor, isIn, dims, requirements);
  });
  return plan.getOthers(plan.order).empty() ? width : requirements.getDivisor(dims, width);
}

/// What the tile of a block depends on.
static TransposeShape getShape(const KernelView &kernel, const TransposePlan &plan,
                               const Requirements &requirements) {
  const TileBytes bytes = getTileBytes(kernel, plan);
  auto getSide = [&](ArrayRef<unsigned> dims, bool isIn, bool isTransposed) {
    auto isOfSide = [&](const GlobalTensor &tensor) {
      return plan.isTransposed(tensor) == isIn || plan.hasVectors(tensor, isIn, dims, requirements);
    };
    return TransposeSide{requirements.getSize(dims),
                         requirements.getVectorWidth(dims, 16, isOfSide), isTransposed,
                         getCrossingWidth(plan, isIn, requirements)};
  };
  const int64_t numArguments = llvm::count_if(kernel.getTensors(), [&](const auto &tensor) {
    return !tensor.isOutput && tensor.order.size() == plan.order.size();
  });
  return {getSide(plan.in, true, !plan.transposedArguments.empty()),
          getSide(plan.out, false, !plan.transposedOutputs.empty()),
          plan.followsArguments(),
          bytes.all,
          std::max<int64_t>(numArguments, 1),
          plan.getNumTiles(),
          bytes.shared};
}

std::variant<Choice, Refusal>
Transpose::chooseParams(const KernelView &kernel, const TransposePlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  const Requirements requirements(kernel, hints);
  auto evaluate = [&](const TransposeTile &tile) {
    return evaluateParams(kernel, plan,
                          TransposeParamsAttr::get(kernel.getKernel().getContext(), tile.threads,
                                                   tile.in, tile.out, tile.vectorIn, tile.vectorOut,
                                                   tile.adjacentIn, tile.inRegisters),
                          hints, device);
  };
  if (std::optional<ThreadTileShape> shape = getThreadTileShape(kernel, plan, requirements))
    if (std::optional<TransposeTile> tile = fitThreadTile(*shape)) {
      std::variant<Choice, Refusal> answer = evaluate(*tile);
      // A refusal is one of sizes that no facts can state.
      if (std::holds_alternative<Choice>(answer))
        return answer;
    }
  const TransposeShape shape = getShape(kernel, plan, requirements);
  std::variant<TransposeTile, NoTransposeTile> fit =
      fitTransposeTile(shape, device.sharedBytesPerBlock);
  if (const auto *none = std::get_if<NoTransposeTile>(&fit)) {
    if (!none->isTooShort)
      return refuseShared(none->in * none->out * shape.tileBytes, device);
    return Refusal{RefusalCategory::Size,
                   kTileTooSmall,
                   {},
                   "expected at least " + std::to_string(kLeastTransposeSize) +
                       " elements along both dimensions, but got tiles of " +
                       std::to_string(none->in) + " x " + std::to_string(none->out)};
  }
  return evaluate(std::get<TransposeTile>(fit));
}

/// The elements of a tile and of a vector along `in` or along `out`.
static int64_t getTile(TransposeParamsAttr params, bool isIn) {
  return isIn ? params.getTileIn() : params.getTileOut();
}
static int64_t getVector(TransposeParamsAttr params, bool isIn) {
  return isIn ? params.getVectorIn() : params.getVectorOut();
}

/// True if vectors along this side cross the ends of rows.
static bool crossesRows(TransposeParamsAttr params, bool isIn) {
  return getTile(params, isIn) % getVector(params, isIn) != 0;
}

/// Collects what makes the vectors of a side legal.
static std::optional<Refusal> requireVectors(const TransposePlan &plan, TransposeParamsAttr params,
                                             bool isIn, Requirements &requirements) {
  const SmallVector<unsigned> &side = isIn ? plan.in : plan.out;
  const int64_t width = getVector(params, isIn), length = getTile(params, isIn);
  auto isOfSide = [&](const GlobalTensor &tensor) {
    return plan.isTransposed(tensor) == isIn || plan.hasVectors(tensor, isIn, side, requirements);
  };
  if (!crossesRows(params, isIn)) {
    if (std::optional<Refusal> refusal = requirements.checkVectorWidth(side, width, isOfSide))
      return refusal;
    requirements.requireVectorWidth(side, width);
    return std::nullopt;
  }
  const int64_t most = getCrossingWidth(plan, isIn, requirements);
  if (width > most || requirements.getSize(side) != length || !requirements.requireExactly(side))
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors that cross the ends of rows to have at most " +
                       std::to_string(most) + " elements, and rows of " + std::to_string(length) +
                       ", but got vectors of " + std::to_string(width)};
  const SmallVector<unsigned> crossed = plan.getCrossed(isIn);
  if (plan.getOthers(plan.order).empty())
    requirements.requireAccessWidth(crossed, width);
  else
    requirements.requireVectorWidth(crossed, width);
  return std::nullopt;
}

/// Shorter runs in memory share their sectors with other runs.
static constexpr int64_t kLeastRunBytes = 64;

/// How often the bytes of a transposed tensor are moved, about, as tiles of `tileIn` elements along
/// the fastest dimensions have whole sectors.
static double getSectorShare(const TransposePlan &plan, const GlobalTensor &tensor, int64_t tileIn,
                             std::optional<int64_t> sizeIn) {
  const int64_t elements = std::min(tileIn, sizeIn.value_or(tileIn));
  const int64_t bytes = elements * tensor.elementBytes;
  const int64_t rank = tensor.order.size(), next = rank - int64_t(plan.in.size()) - 1;
  // Rows that are next to each other are one run.
  const bool areAdjacent = elements == sizeIn && next >= 0 && tensor.contiguous[next] &&
                           llvm::is_contained(plan.out, tensor.order[next]);
  if (areAdjacent || bytes >= kLeastRunBytes || bytes % kSectorBytes == 0)
    return 1;
  return double(kSectorBytes + bytes - tensor.elementBytes) / double(bytes);
}

std::variant<Choice, Refusal>
Transpose::evaluateParams(const KernelView &kernel, const TransposePlan &plan,
                          TransposeParamsAttr params, const SizeHints &hints,
                          const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);
  if (params.getInRegisters()) {
    if (std::optional<Refusal> refusal = requireRegisters(kernel, plan, params, requirements))
      return std::move(*refusal);
    requirements.requireShortIndices();
    const ResourceUse use = getRegistersUse(kernel, plan, params, requirements);
    return Choice{params, requirements.takeFacts(), use};
  }
  for (bool isIn : {true, false})
    if (std::optional<Refusal> refusal = requireVectors(plan, params, isIn, requirements))
      return std::move(*refusal);
  const TileBytes bytes = getTileBytes(kernel, plan);
  const int64_t tileIn = params.getTileIn(), tileOut = params.getTileOut(),
                sharedBytes = tileIn * tileOut * bytes.shared;
  if (sharedBytes > device.sharedBytesPerBlock)
    return refuseShared(sharedBytes, device);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreads();
  SmallVector<unsigned> others = plan.getOthers(plan.order);
  std::optional<int64_t> numOthers = requirements.getSize(others),
                         sizeIn = requirements.getSize(plan.in),
                         sizeOut = requirements.getSize(plan.out);
  if (numOthers && sizeIn && sizeOut)
    use.blocks =
        *numOthers * llvm::divideCeil(*sizeIn, tileIn) * llvm::divideCeil(*sizeOut, tileOut);
  use.sharedBytes = sharedBytes;
  use.bytesInFlight = std::max<int64_t>(tileIn * tileOut * bytes.in / use.threads, 1);
  use.registers = 40;
  const std::optional<int64_t> elements = requirements.getSize(plan.order);
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (elements && plan.isTransposed(tensor))
      use.bytesReadAgain += double(*elements) * double(tensor.elementBytes) *
                            (getSectorShare(plan, tensor, tileIn, sizeIn) - 1);
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

namespace {
/// The ids of an op along the two dimensions of a tile, and the others, slowest first; and those
/// of them along which the op is a broadcast operand.
struct TileIds {
  unsigned in = kNoId, out = kNoId;
  SmallVector<unsigned> others, broadcast;
};
/// Ids inside of a tile that an allocation consists of.
struct InnerIds {
  unsigned row, chunk, vector;
  int64_t numRows, numChunks;
};
} // namespace

/// [tiles by block, all of a tile, unroll, threads, vector]: vectors along `in` or along `out`.
static FailureOr<InnerIds> scheduleTile(LoopBuilder &loops, const TileIds &ids,
                                        TransposeParamsAttr params, bool alongIn) {
  auto [inTile, in] = loops.getBuilder().split(ids.in, params.getTileIn());
  auto [outTile, out] = loops.getBuilder().split(ids.out, params.getTileOut());
  const int64_t width = getVector(params, alongIn);
  const unsigned row = alongIn ? out : in;
  const bool crosses = crossesRows(params, alongIn);
  unsigned chunk = alongIn ? in : out, vector = kNoId;
  if (!crosses)
    std::tie(chunk, vector) = loops.split(chunk, width);
  unsigned all = loops.merge({row, chunk});
  if (crosses)
    std::tie(all, vector) = loops.split(all, width);
  auto [step, thread] = loops.getBuilder().split(all, params.getThreads());
  // Many accesses of a whole tile need no bounds checks, which would serialize them.
  const int64_t steps =
      llvm::divideCeil(params.getTileIn() * params.getTileOut(), params.getThreads() * width);
  unsigned whole = kNoId, unroll = step;
  if (steps > kMostCheckedSteps)
    std::tie(whole, unroll) = loops.getBuilder().split(step, steps);
  SmallVector<unsigned> tiles(ids.others);
  tiles.push_back(params.getAdjacentIn() ? outTile : inTile);
  tiles.push_back(params.getAdjacentIn() ? inTile : outTile);
  if (failed(loops.finish({{loops.merge(tiles), ParallelType::BlockX},
                           {whole, ParallelType::Unswitch},
                           {unroll, ParallelType::Unroll},
                           {thread, ParallelType::ThreadX},
                           {vector, ParallelType::Vectorize}})))
    return failure();
  return InnerIds{row, chunk, crosses ? kNoId : vector, getTile(params, !alongIn),
                  getTile(params, alongIn) / width};
}

/// The ids of an op: those of size 1 first, then the others in the order of the reference.
static TileIds takeTileIds(const TransposePlan &plan, LoopBuilder &loops) {
  TileIds ids;
  auto take = [&](ArrayRef<unsigned> dims) { return loops.merge(loops.take(dims)); };
  ids.in = take(plan.in);
  ids.out = take(plan.out);
  for (unsigned dim : plan.getOthers(plan.reference.classes)) {
    ids.others.push_back(take(dim));
    // Blocks along a broadcast dimension have the same tile of the argument.
    if (ids.others.back() == kNoId) {
      ids.others.back() = loops.getBuilder().broadcast(/*position=*/0);
      ids.broadcast.push_back(ids.others.back());
    }
  }
  // Dimensions that the reference lacks have size 1.
  for (unsigned id : loops.takeRest())
    ids.others.insert(ids.others.begin(), id);
  return ids;
}

/// The access of a transposed tensor, and the tile in shared memory next to it. The access has
/// vectors along `in`; the tile has those of its producer's loops.
struct TransposedAccess {
  const GlobalTensor *tensor;
  TensorViewOpInterface access, tile;
};

/// Inserts a tile after each load of a transposed argument and before each store of a transposed
/// output.
static SmallVector<TransposedAccess> cacheTiles(const KernelView &view, const TransposePlan &plan,
                                                KernelSchedule &schedule) {
  SmallVector<TransposedAccess> accesses;
  for (TensorViewOpInterface load : schedule.getLoads()) {
    unsigned argument = cast<BlockArgument>(load->getOperand(0)).getArgNumber();
    if (llvm::is_contained(plan.transposedArguments, argument))
      accesses.push_back({&view.getArgument(argument), load,
                          cast<TensorViewOpInterface>(cacheValue(load->getResult(0)))});
  }
  auto ret = cast<ReturnOp>(view.getKernel().getBody().front().back());
  for (unsigned output : plan.transposedOutputs) {
    auto store = ret.getValues()[output].getDefiningOp<TensorViewOpInterface>();
    accesses.push_back({&view.getOutput(output), store,
                        cast<TensorViewOpInterface>(cacheUse(store->getOpOperand(0)))});
  }
  return accesses;
}

/// Places a tile in shared memory: the tiles of the grid, then `inner`.
static LogicalResult allocateShared(TensorViewOpInterface tile, const TileIds &ids,
                                    DomainBuilder &domain, ArrayRef<unsigned> inner) {
  SmallVector<unsigned> allocation(ids.others);
  llvm::erase_if(allocation, [&](unsigned id) { return llvm::is_contained(ids.broadcast, id); });
  llvm::sort(allocation);
  for (const DomainTransform &transform : tile.getDomain().getTransforms())
    if (transform.kind == TransformKind::Split &&
        (transform.inputs[0] == ids.in || transform.inputs[0] == ids.out))
      allocation.push_back(transform.outputs[0]);
  llvm::append_range(allocation, inner);
  domain.setAllocation(allocation);
  tile.setDomain(domain.build(), 0);
  return setMemory(tile, MemoryType::Shared);
}

/// Places a tile in shared memory in the order of the tensors whose vectors cross the ends of rows.
static LogicalResult allocateCrossed(TensorViewOpInterface tile, const TileIds &ids,
                                     const InnerIds &inner, bool isChunkFastest) {
  DomainBuilder domain(tile.getDomain());
  SmallVector<unsigned> order{inner.chunk};
  if (inner.vector != kNoId)
    order.push_back(inner.vector);
  order.insert(isChunkFastest ? order.begin() : order.end(), inner.row);
  return allocateShared(tile, ids, domain, order);
}

/// Places a tile in shared memory: rows along the other dimension than its vectors, chunks swizzled
/// by the row. `gathered` is the vector of the op that reads the tile across its rows. A swizzle
/// permutes a power of two: where single elements are no such number, rows and columns change
/// places.
static LogicalResult allocateTile(TensorViewOpInterface tile, const TileIds &ids,
                                  const InnerIds &inner, int64_t gathered) {
  DomainBuilder domain(tile.getDomain());
  unsigned row = inner.row, chunk = inner.chunk;
  bool isSwizzled = llvm::isPowerOf2_64(inner.numChunks);
  // Rows of an odd number of elements have the elements of a column in different banks.
  const bool isOdd = inner.vector == kNoId && inner.numChunks % 2 == 1;
  if (!isSwizzled && !isOdd && inner.vector == kNoId) {
    std::swap(row, chunk);
    // The reader's vectors lie along the chunks, and stay whole.
    isSwizzled = gathered == 1 && llvm::isPowerOf2_64(inner.numRows);
  }
  if (isSwizzled)
    std::tie(row, chunk) = domain.swizzle(row, chunk, gathered);
  SmallVector<unsigned> order{row, chunk};
  if (inner.vector != kNoId)
    order.push_back(inner.vector);
  return allocateShared(tile, ids, domain, order);
}

/// Replaces the loops of a transposed access, and of the tile of an argument, by vectors along
/// `in`. The tile of an output has loops along `out`, like its producer.
static LogicalResult scheduleAccess(const KernelView &view, const TransposePlan &plan,
                                    TransposeParamsAttr params, const TransposedAccess &access,
                                    KernelSchedule &kernel) {
  auto schedule = [&](TensorViewOpInterface op, bool alongIn, bool isTile) -> LogicalResult {
    op.setDomain(op.getTrivialDomain(0), 0);
    LoopBuilder own(view, op, *access.tensor);
    TileIds ids = takeTileIds(plan, own);
    FailureOr<InnerIds> inner = scheduleTile(own, ids, params, alongIn);
    if (failed(inner))
      return failure();
    const bool crossesIn = crossesRows(params, /*isIn=*/true);
    if (isTile && (crossesIn || crossesRows(params, /*isIn=*/false)))
      return allocateCrossed(op, ids, *inner, alongIn == crossesIn);
    if (isTile)
      return allocateTile(op, ids, *inner, getVector(params, !alongIn));
    if (access.tensor->isOutput)
      kernel.setOutputOrder(op);
    return success();
  };
  return success(succeeded(schedule(access.access, /*alongIn=*/true, /*isTile=*/false)) &&
                 succeeded(schedule(access.tile, /*alongIn=*/!access.tensor->isOutput,
                                    /*isTile=*/true)));
}

LogicalResult Transpose::applyParams(const KernelView &view, const TransposePlan &plan,
                                     TransposeParamsAttr params) const {
  KernelOp kernel = view.getKernel();
  Requirements requirements(view, SizeHints());
  if (params.getInRegisters()) {
    if (std::optional<Refusal> refusal = requireRegisters(view, plan, params, requirements))
      return emitRefusal(kernel, getName(), *refusal);
    addFacts(kernel, requirements.takeFacts());
    return applyRegisters(view, plan, params, requirements);
  }
  for (bool isIn : {true, false})
    if (std::optional<Refusal> refusal = requireVectors(plan, params, isIn, requirements))
      return emitRefusal(kernel, getName(), *refusal);
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  SmallVector<TransposedAccess> accesses = cacheTiles(view, plan, *schedule);
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  auto root = ret.getValues()[plan.reference.position].getDefiningOp<TensorViewOpInterface>();
  // The store of a transposed reference has other loops, its tile those of the rest.
  for (const TransposedAccess &access : accesses)
    if (access.access == root)
      root = access.tile;

  LoopBuilder loops(view, root, view.getOutput(plan.reference.position));
  if (failed(scheduleTile(loops, takeTileIds(plan, loops), params, /*alongIn=*/false)) ||
      failed(schedule->propagate(root)))
    return failure();
  for (const TransposedAccess &access : accesses)
    if (failed(scheduleAccess(view, plan, params, access, *schedule)))
      return failure();
  schedule->inlineAll([](TensorViewOpInterface) { return true; });
  return success();
}

std::unique_ptr<Scheduler> fuser::createTransposeScheduler() {
  return std::make_unique<Transpose>();
}
