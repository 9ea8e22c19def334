//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The transpose scheduler: tiles through swizzled shared memory.
//
// Loops follow a reference output. Inputs whose fastest dimension is another one are read by
// vectors along their own rows and stored as a tile; a thread then gathers the elements of one
// vector of the reference. Outputs whose fastest dimension is another one are the mirror image: a
// thread stores its vector into a tile and then gathers the elements of one vector along the
// output's own rows. The chunks of a tile's row are swizzled by the row (xor), so that the threads
// of a warp, which gather from rows one vector apart, have no bank conflicts. Adjacent blocks
// complete the same rows of the output.
//
//===----------------------------------------------------------------------===//

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

/// Codes of refusals: all tensors have the same fastest dimension; more than two dimensions are the
/// fastest of some tensor; a dimension is too short for tiles; the device does not have enough
/// shared memory.
constexpr StringLiteral kNothingToTranspose = "nothing-to-transpose";
constexpr StringLiteral kMixedOrders = "mixed-orders";
constexpr StringLiteral kTileTooSmall = "tile-too-small";
constexpr StringLiteral kNoSharedMemory = "no-shared-memory";

constexpr int64_t kThreads = 512;
/// Vectors of a tile that a thread moves.
constexpr int64_t kVectorsOfThread = 2;
/// A tile's row of the inputs in bytes, and in elements.
constexpr int64_t kRowBytes = 256;
constexpr int64_t kMaxTile = 128;
/// Its row of the outputs, of which adjacent blocks complete a longer piece: in bytes, and the
/// minimum in elements.
constexpr int64_t kOutRowBytes = 128;
constexpr int64_t kLeastOutTile = 64;
/// For shorter dimensions, reads without tiles are faster, if their vectors have several elements.
constexpr int64_t kLeastSize = 16;
/// Tiles of single elements: those of a thread, the threads that a block has about, the elements
/// along both sides, and the longest dimension that is one side as it is.
constexpr int64_t kElementsOfThread = 8;
/// The elements of a thread where the other side is in vectors, or rows are read whole: images of
/// 64x65x56x56 bf16, which become channels-last, take 22.1 us on one NVIDIA H100, 27.6 with 8.
constexpr int64_t kElementsOfExact = 16;
constexpr int64_t kNarrowThreads = 192;
constexpr int64_t kNarrowIn = 64, kNarrowOut = 32;
constexpr int64_t kMaxExact = 128;
/// The most rows of a tile that is not swizzled.
constexpr int64_t kMaxUnswizzled = 8;

/// A tile becomes smaller, down to this size, while a part of 1 / kMostPadding of it, compared to
/// the dimension, would be out of bounds: of 16x1000x13x13 bf16, which become channels-last, tiles
/// of 128x64 take 9.0 us on one NVIDIA H200, tiles of 64x64 8.0.
constexpr int64_t kLeastFitted = 32, kMostPadding = 4;

/// The transposition.
struct TransposePlan : Plan {
  ReferenceOutput reference;
  /// The fastest dimensions of the reference and of the transposed tensors, slowest first: merged,
  /// they are the sides of a tile.
  SmallVector<unsigned> out, in;
  /// Arguments and outputs that are transposed.
  SmallVector<unsigned> transposedArguments, transposedOutputs;

  bool isTransposed(const GlobalTensor &tensor) const {
    return llvm::is_contained(tensor.isOutput ? transposedOutputs : transposedArguments,
                              tensor.position);
  }
  /// Those of `dims` that are no side of a tile.
  SmallVector<unsigned> getOthers(ArrayRef<unsigned> dims) const {
    SmallVector<unsigned> others(dims);
    llvm::erase_if(others, [&](unsigned dim) {
      return llvm::is_contained(in, dim) || llvm::is_contained(out, dim);
    });
    return others;
  }
  int64_t getNumTiles() const { return transposedArguments.size() + transposedOutputs.size(); }
};

class Transpose : public SchedulerOf<TransposePlan, TransposeParamsAttr> {
public:
  StringRef getName() const override { return "transpose"; }
  Answer accepts(const KernelView &kernel) const override;

protected:
  std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const TransposePlan &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const override;
  LogicalResult applyParams(const KernelView &kernel, const TransposePlan &plan,
                            TransposeParamsAttr params) const override;
};

} // namespace

//===----------------------------------------------------------------------===//
// accepts
//===----------------------------------------------------------------------===//

/// True if every tensor that has any of the dimensions has them next to each other, contiguous, in
/// this order.
static bool areMergeable(const KernelView &kernel, ArrayRef<unsigned> dims) {
  // The index of a part in a merged dimension needs a division.
  if (llvm::any_of(kernel.getResizes(), [&](const ClassResize &resize) {
        return llvm::is_contained(dims, resize.from) || llvm::is_contained(dims, resize.to);
      }))
    return false;
  return llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    const int64_t first = tensor.find(dims.front());
    if (first < 0)
      return llvm::all_of(dims, [&](unsigned dim) { return tensor.find(dim) < 0; });
    return ArrayRef(tensor.order).drop_front(first).take_front(dims.size()) == dims &&
           llvm::all_of(ArrayRef(tensor.contiguous).drop_front(first).take_front(dims.size() - 1),
                        [](bool contiguous) { return contiguous; });
  });
}

/// The fastest dimension of `order`, with the slower ones that can be merged with it in all
/// tensors.
static SmallVector<unsigned> mergeFastest(const KernelView &kernel, ArrayRef<unsigned> order) {
  size_t count = 1;
  while (count < order.size() && areMergeable(kernel, order.take_back(count + 1)))
    ++count;
  return SmallVector<unsigned>(order.take_back(count));
}

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
  plan.out = mergeFastest(kernel, concrete);

  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const unsigned fastest = concrete.back();
    if (tensor.order.empty() || tensor.order.back() == fastest || tensor.find(fastest) < 0)
      continue;
    std::string name =
        (tensor.isOutput ? "output " : "argument ") + std::to_string(tensor.position);
    if (tensor.order.size() != concrete.size() || !tensor.contiguous.back())
      return Refusal{RefusalCategory::Layout,
                     kMixedOrders,
                     {},
                     "expected transposed tensors that have every dimension and a dense one, but " +
                         name + " does not"};
    if (!plan.in.empty() && tensor.order.back() != plan.in.back())
      return Refusal{RefusalCategory::Layout,
                     kMixedOrders,
                     {},
                     "expected transposed tensors with one fastest dimension, but that of " + name +
                         " is another"};
    if (plan.in.empty())
      plan.in = mergeFastest(kernel, tensor.order);
    (tensor.isOutput ? plan.transposedOutputs : plan.transposedArguments)
        .push_back(tensor.position);
  }
  if (plan.getNumTiles() == 0)
    return nothing;
  plan.preferences =
      getBoundaryPreferences(kernel, kernel.getOutput(plan.reference.position), concrete);
  return accepted;
}

//===----------------------------------------------------------------------===//
// choose
//===----------------------------------------------------------------------===//

namespace {
struct TileFit {
  int64_t threads, in, out;
};
} // namespace

/// One side of `exact` elements, and threads of which each has `ofThread` elements.
static TileFit fitExact(int64_t exact, std::optional<int64_t> otherSize, bool isOut,
                        int64_t ofThread) {
  int64_t other = std::max(kNarrowOut * ofThread / kElementsOfThread,
                           int64_t(ofThread * llvm::bit_ceil<uint64_t>(kNarrowThreads / exact)));
  if (otherSize)
    other = std::min<int64_t>(other, llvm::PowerOf2Ceil(std::max<int64_t>(*otherSize, 2)));
  const int64_t threads = llvm::divideCeil(exact * other, ofThread);
  return isOut ? TileFit{threads, other, exact} : TileFit{threads, exact, other};
}

/// A tile of which elements are read or written one by one: a dimension of few elements is a side
/// of it as it is. More elements of a thread wait longer, as fewer threads are resident: a
/// transposition of 10007x10007 bf16 takes 203 us on one NVIDIA H200 with 8 of them, 335 with 16.
/// nullopt if vectors of one side need the usual tiles.
static std::optional<TileFit> fitNarrow(const TransposePlan &plan, std::optional<int64_t> sizeIn,
                                        std::optional<int64_t> sizeOut, int64_t widthIn,
                                        int64_t widthOut) {
  auto isShort = [](std::optional<int64_t> size, int64_t most) {
    return size && *size > 1 && *size <= most;
  };
  // The other side would be swizzled, or is that of vectors, which few rows do without. An odd
  // number of single elements needs no swizzle.
  auto getMostExact = [](std::optional<int64_t> size, bool isSwizzled) {
    return isSwizzled && size && *size % 2 == 0 ? kMaxUnswizzled : kMaxExact;
  };
  if (widthOut == 1 && isShort(sizeOut, getMostExact(sizeOut, !plan.transposedOutputs.empty())))
    return fitExact(*sizeOut, sizeIn, /*isOut=*/true,
                    widthIn > 1 ? kElementsOfExact : kElementsOfThread);
  if (widthIn == 1 && isShort(sizeIn, getMostExact(sizeIn, !plan.transposedArguments.empty())))
    return fitExact(*sizeIn, sizeOut, /*isOut=*/false, kElementsOfExact);
  if (widthIn > 1 || widthOut > 1)
    return std::nullopt;
  auto getSide = [&](std::optional<int64_t> size, int64_t most) {
    return isShort(size, kMaxExact) ? int64_t(llvm::PowerOf2Ceil(*size)) : most;
  };
  const int64_t in = getSide(sizeIn, kNarrowIn),
                out = std::min(getSide(sizeOut, kNarrowOut), kNarrowIn);
  return TileFit{std::clamp<int64_t>(in * out / kElementsOfThread, 32, kThreads), in, out};
}

/// A side of at most `most` elements, of which a short dimension leaves few out of bounds.
static int64_t fitTile(int64_t size, int64_t most) {
  int64_t tile = std::min<int64_t>(most, llvm::PowerOf2Ceil(size));
  auto getPadded = [&](int64_t side) { return llvm::alignTo(size, side); };
  while (tile > kLeastFitted &&
         getPadded(tile) * kMostPadding > uint64_t(size) * (kMostPadding + 1) &&
         getPadded(tile / 2) < getPadded(tile))
    tile /= 2;
  return tile;
}

std::variant<Choice, Refusal>
Transpose::chooseParams(const KernelView &kernel, const TransposePlan &plan, const SizeHints &hints,
                        const artifact::DeviceDescription &device) const {
  Requirements requirements(kernel, hints);

  int64_t inBytes = 1, allBytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    allBytes = std::max(allBytes, tensor.elementBytes);
    if (plan.isTransposed(tensor))
      inBytes = std::max(inBytes, tensor.elementBytes);
  }
  int64_t mostIn = std::min(kMaxTile, kRowBytes / allBytes);
  int64_t mostOut = std::min(mostIn, std::max(kLeastOutTile, kOutRowBytes / allBytes));
  // The tiles of all transposed tensors fit into the default shared memory of a block.
  const int64_t elementBytes = inBytes * plan.getNumTiles();
  auto getBytes = [&] { return mostIn * mostOut * elementBytes; };
  while (mostIn > kLeastSize && getBytes() > device.sharedBytesPerBlock)
    (mostOut > mostIn / 2 ? mostOut : mostIn) /= 2;
  if (int64_t bytes = getBytes(); bytes > device.sharedBytesPerBlock)
    return Refusal{RefusalCategory::Device,
                   kNoSharedMemory,
                   {},
                   "expected " + std::to_string(bytes) +
                       " bytes of shared memory for a block, but the device has " +
                       std::to_string(device.sharedBytesPerBlock)};
  auto getTile = [&](ArrayRef<unsigned> dims, int64_t most) {
    std::optional<int64_t> size = requirements.getSize(dims);
    return size ? fitTile(std::max<int64_t>(*size, 1), most) : most;
  };
  int64_t tileIn = getTile(plan.in, mostIn), tileOut = getTile(plan.out, mostOut);
  auto isIn = [&](const GlobalTensor &tensor) { return plan.isTransposed(tensor); };
  auto isOut = [&](const GlobalTensor &tensor) { return !plan.isTransposed(tensor); };
  const int64_t widthIn = requirements.getVectorWidth(plan.in, 16, isIn),
                widthOut = requirements.getVectorWidth(plan.out, 16, isOut);
  auto isTooShort = [&](int64_t tile, int64_t width) {
    return tile < kLeastSize && (tile < 2 || width > 1);
  };
  if (isTooShort(tileIn, widthIn) || isTooShort(tileOut, widthOut))
    return Refusal{RefusalCategory::Size,
                   kTileTooSmall,
                   {},
                   "expected at least " + std::to_string(kLeastSize) +
                       " elements along both dimensions, but got tiles of " +
                       std::to_string(tileIn) + " x " + std::to_string(tileOut)};

  std::optional<TileFit> narrow;
  if (widthIn == 1 || widthOut == 1)
    narrow = fitNarrow(plan, requirements.getSize(plan.in), requirements.getSize(plan.out), widthIn,
                       widthOut);
  if (narrow && narrow->in * narrow->out * elementBytes <= device.sharedBytesPerBlock)
    std::tie(tileIn, tileOut) = std::pair(narrow->in, narrow->out);
  else
    narrow.reset();
  auto getVector = [](int64_t tile, int64_t width) {
    while (tile % width != 0)
      width /= 2;
    return width;
  };
  const int64_t vectorIn = getVector(tileIn, widthIn), vectorOut = getVector(tileOut, widthOut);
  requirements.requireVectorWidth(plan.in, vectorIn);
  requirements.requireVectorWidth(plan.out, vectorOut);
  requirements.requireShortIndices();
  const int64_t vectors = tileIn * tileOut / std::max(vectorIn, vectorOut);
  const int64_t threads =
      narrow ? narrow->threads : std::clamp<int64_t>(vectors / kVectorsOfThread, 32, kThreads);
  auto params = TransposeParamsAttr::get(kernel.getKernel().getContext(), threads, tileIn, tileOut,
                                         vectorIn, vectorOut);
  ResourceUse use;
  use.threads = threads;
  SmallVector<unsigned> others = plan.getOthers(getConcrete(kernel, plan.reference.classes));
  std::optional<int64_t> numOthers = requirements.getSize(others),
                         sizeIn = requirements.getSize(plan.in),
                         sizeOut = requirements.getSize(plan.out);
  if (numOthers && sizeIn && sizeOut)
    use.blocks =
        *numOthers * llvm::divideCeil(*sizeIn, tileIn) * llvm::divideCeil(*sizeOut, tileOut);
  use.sharedBytes = tileIn * tileOut * elementBytes;
  use.bytesInFlight = std::max<int64_t>(tileIn * tileOut * inBytes / threads, 1);
  use.registers = 40;
  return Choice{params, requirements.takeFacts(), use};
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

namespace {
/// The ids of an op along the two dimensions of a tile, and the others, slowest first.
struct TileIds {
  unsigned in = kNoId, out = kNoId;
  SmallVector<unsigned> others;
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
  auto [chunk, vector] =
      loops.split(alongIn ? in : out, alongIn ? params.getVectorIn() : params.getVectorOut());
  unsigned row = alongIn ? out : in;
  auto [step, thread] = loops.getBuilder().split(loops.merge({row, chunk}), params.getThreads());
  // Many accesses of a whole tile need no bounds checks, which would serialize them.
  const int64_t steps = llvm::divideCeil(
      params.getTileIn() * params.getTileOut(),
      params.getThreads() * (alongIn ? params.getVectorIn() : params.getVectorOut()));
  unsigned whole = kNoId, unroll = step;
  if (steps > kVectorsOfThread)
    std::tie(whole, unroll) = loops.getBuilder().split(step, steps);
  SmallVector<unsigned> tiles(ids.others);
  tiles.push_back(inTile);
  tiles.push_back(outTile);
  if (failed(loops.finish({{loops.merge(tiles), ParallelType::BlockX},
                           {whole, ParallelType::Unswitch},
                           {unroll, ParallelType::Unroll},
                           {thread, ParallelType::ThreadX},
                           {vector, ParallelType::Vectorize}})))
    return failure();
  return InnerIds{row, chunk, vector, alongIn ? params.getTileOut() : params.getTileIn(),
                  alongIn ? params.getTileIn() / params.getVectorIn()
                          : params.getTileOut() / params.getVectorOut()};
}

/// The ids of an op: those of size 1 first, then the others in the order of the reference.
static TileIds takeTileIds(const TransposePlan &plan, LoopBuilder &loops) {
  TileIds ids;
  auto take = [&](ArrayRef<unsigned> dims) { return loops.merge(loops.take(dims)); };
  ids.in = take(plan.in);
  ids.out = take(plan.out);
  for (unsigned dim : plan.getOthers(plan.reference.classes))
    ids.others.push_back(take(dim));
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

/// Places a tile in shared memory: rows along the other dimension than its vectors, chunks swizzled
/// by the row. `gathered` is the vector of the op that reads the tile across its rows. A swizzle
/// permutes a power of two: where single elements are no such number, rows and columns change
/// places.
static LogicalResult allocateTile(TensorViewOpInterface tile, const TileIds &ids,
                                  const InnerIds &inner, int64_t gathered) {
  if (failed(setMemory(tile, MemoryType::Shared)))
    return failure();
  DomainBuilder domain(tile.getDomain());
  SmallVector<unsigned> allocation(ids.others);
  llvm::erase(allocation, kNoId);
  llvm::sort(allocation);
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
  for (const DomainTransform &transform : tile.getDomain().getTransforms())
    if (transform.kind == TransformKind::Split &&
        (transform.inputs[0] == ids.in || transform.inputs[0] == ids.out))
      allocation.push_back(transform.outputs[0]);
  allocation.push_back(row);
  allocation.push_back(chunk);
  if (inner.vector != kNoId)
    allocation.push_back(inner.vector);
  domain.setAllocation(allocation);
  tile.setDomain(domain.build(), 0);
  return success();
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
    if (isTile)
      return allocateTile(op, ids, *inner, alongIn ? params.getVectorOut() : params.getVectorIn());
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
  requirements.requireVectorWidth(plan.in, params.getVectorIn());
  requirements.requireVectorWidth(plan.out, params.getVectorOut());
  addFacts(kernel, requirements.takeFacts());

  FailureOr<KernelSchedule> schedule = KernelSchedule::create(kernel);
  if (failed(schedule))
    return failure();
  SmallVector<TransposedAccess> accesses = cacheTiles(view, plan, *schedule);
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  auto store = ret.getValues()[plan.reference.position].getDefiningOp<TensorViewOpInterface>();

  LoopBuilder loops(view, store, view.getOutput(plan.reference.position));
  if (failed(scheduleTile(loops, takeTileIds(plan, loops), params, /*alongIn=*/false)) ||
      failed(schedule->propagate(store)))
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
