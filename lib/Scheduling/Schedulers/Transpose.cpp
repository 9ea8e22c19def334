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

#include "TransposeTile.h"
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

/// Vectors of a tile that a thread moves.
constexpr int64_t kVectorsOfThread = 2;
/// A tile's row of the inputs in bytes, and in elements.
constexpr int64_t kRowBytes = 256;
constexpr int64_t kMaxTile = 128;
/// Its row of the outputs, of which adjacent blocks complete a longer piece: in bytes, and the
/// minimum in elements.
constexpr int64_t kOutRowBytes = 128;
constexpr int64_t kLeastOutTile = 64;
/// Where one side is in vectors and the other one in single elements: its tiles at most, the
/// elements of a thread, all of which wait for memory at once, and the bytes of vectors that are
/// gathered from single elements. On one NVIDIA H100 the transposition of 5001x30000 bf16 takes 256
/// us with such tiles, 323 with those of vectors, that of a sum of two of 30000x5001 360 and 568.
constexpr int64_t kMixedTile = 64;
constexpr int64_t kMixedElements = 8;
constexpr int64_t kMixedVectorBytes = 8;
/// For shorter dimensions, reads without tiles are faster, if their vectors have several elements.
constexpr int64_t kLeastSize = 16;
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

  std::optional<TransposeTile> narrow;
  if (widthIn == 1 || widthOut == 1)
    narrow = fitNarrow({requirements.getSize(plan.in), widthIn, !plan.transposedArguments.empty()},
                       {requirements.getSize(plan.out), widthOut, !plan.transposedOutputs.empty()});
  if (narrow && narrow->in * narrow->out * elementBytes <= device.sharedBytesPerBlock)
    std::tie(tileIn, tileOut) = std::pair(narrow->in, narrow->out);
  else
    narrow.reset();
  // A single tensor whose elements are read one by one leaves room for more of them.
  const bool isMixed =
      !narrow && (widthIn == 1) != (widthOut == 1) && (widthOut == 1 || plan.getNumTiles() > 1);
  if (isMixed)
    std::tie(tileIn, tileOut) =
        std::pair(std::min(tileIn, kMixedTile), std::min(tileOut, kMixedTile));
  auto getVector = [](int64_t tile, int64_t width) {
    while (tile % width != 0)
      width /= 2;
    return width;
  };
  const int64_t mostVectorOut =
      isMixed && widthIn == 1 ? std::max<int64_t>(1, kMixedVectorBytes / allBytes) : widthOut;
  const int64_t vectorIn = getVector(tileIn, widthIn),
                vectorOut = getVector(tileOut, std::min(widthOut, mostVectorOut));
  requirements.requireVectorWidth(plan.in, vectorIn);
  requirements.requireVectorWidth(plan.out, vectorOut);
  requirements.requireShortIndices();
  const int64_t ofThread =
      isMixed ? kMixedElements : kVectorsOfThread * std::max(vectorIn, vectorOut);
  const int64_t threads =
      narrow ? narrow->threads
             : std::clamp<int64_t>(tileIn * tileOut / ofThread, 32, kMaxTransposeThreads);
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
