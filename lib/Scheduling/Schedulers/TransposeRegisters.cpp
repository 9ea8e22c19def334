//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transpositions in the registers of threads: their sides, facts and loops.
//
//===----------------------------------------------------------------------===//

#include "TransposeRegisters.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {
/// The sides of the tile of a thread.
struct ThreadSides {
  /// True if the short side is that of `out`.
  bool isShortOut;
  ArrayRef<unsigned> shortDims, longDims;

  /// The dimensions of both sides, in the order of the tensors of the short one.
  SmallVector<unsigned> getRun() const {
    SmallVector<unsigned> dims(longDims);
    llvm::append_range(dims, shortDims);
    return dims;
  }
};
} // namespace

/// The dimensions that are faster than `dim` in all tensors of a side.
static SmallVector<unsigned> findFaster(const KernelView &kernel, const TransposePlan &plan,
                                        unsigned dim, bool isIn) {
  std::optional<ArrayRef<unsigned>> faster;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (!plan.isOfSide(tensor, isIn))
      continue;
    const size_t place = tensor.find(dim);
    const ArrayRef<unsigned> own = ArrayRef(tensor.order).drop_front(place + 1);
    if ((faster && *faster != own) ||
        !llvm::all_of(ArrayRef(tensor.contiguous).drop_front(place), [](bool is) { return is; }))
      return {};
    faster = own;
  }
  // The index of a part would need a check for each element.
  if (!faster || isResized(kernel, *faster))
    return {};
  return SmallVector<unsigned>(*faster);
}

void fuser::findShortSides(const KernelView &kernel, TransposePlan &plan) {
  // Threads along a broadcast dimension would not share the run of the argument.
  if (llvm::any_of(plan.transposedArguments, [&](unsigned argument) {
        return kernel.getArgument(argument).order.size() != plan.order.size();
      }))
    return;
  plan.shortOut = findFaster(kernel, plan, plan.in.back(), /*isIn=*/false);
  plan.shortIn = findFaster(kernel, plan, plan.out.back(), /*isIn=*/true);
}

static ThreadSides getSides(const TransposePlan &plan, bool isShortOut) {
  return isShortOut ? ThreadSides{true, plan.shortOut, plan.in}
                    : ThreadSides{false, plan.shortIn, plan.out};
}

/// True if the dimensions are known to have at least two elements and few.
static bool isShort(ArrayRef<unsigned> dims, const Requirements &requirements) {
  const std::optional<int64_t> size = requirements.getSize(dims);
  return !dims.empty() && size && *size > 1 && *size <= kMostOfThread;
}

static int64_t getLongWidth(const TransposePlan &plan, const ThreadSides &sides,
                            const Requirements &requirements) {
  return requirements.getVectorWidth(sides.longDims, 16, [&](const GlobalTensor &tensor) {
    return plan.hasVectors(tensor, sides.isShortOut, sides.longDims, requirements);
  });
}

/// The widest vectors along both sides.
static int64_t getRunWidth(const TransposePlan &plan, const ThreadSides &sides,
                           const Requirements &requirements) {
  const SmallVector<unsigned> run = sides.getRun();
  return requirements.getVectorWidth(run, 16, [&](const GlobalTensor &tensor) {
    return plan.hasVectors(tensor, !sides.isShortOut, run, requirements);
  });
}

std::optional<ThreadTileShape> fuser::getThreadTileShape(const KernelView &kernel,
                                                         const TransposePlan &plan,
                                                         const Requirements &requirements) {
  const bool isShortOut = isShort(plan.shortOut, requirements);
  if (!isShortOut && !isShort(plan.shortIn, requirements))
    return std::nullopt;
  const ThreadSides sides = getSides(plan, isShortOut);
  if (requirements.getRangeEnd(sides.shortDims))
    return std::nullopt;
  ThreadTileShape shape;
  shape.isShortOut = isShortOut;
  shape.elements = *requirements.getSize(sides.shortDims);
  shape.longSize = requirements.getSize(sides.longDims);
  shape.longWidth = getLongWidth(plan, sides, requirements);
  shape.runWidth = getRunWidth(plan, sides, requirements);
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (plan.isOfSide(tensor, !isShortOut))
      shape.runBytes = std::max(shape.runBytes, tensor.elementBytes);
    if (plan.isOfSide(tensor, isShortOut))
      shape.longBytes = std::min(shape.longBytes, tensor.elementBytes);
  }
  return shape;
}

namespace {
/// Parameters along the short and the long side.
struct ThreadParams {
  int64_t shortTile, longTile, runVector, longVector;
};
} // namespace

static ThreadParams getThreadParams(TransposeParamsAttr params, bool isShortOut) {
  if (isShortOut)
    return {params.getTileOut(), params.getTileIn(), params.getVectorOut(), params.getVectorIn()};
  return {params.getTileIn(), params.getTileOut(), params.getVectorIn(), params.getVectorOut()};
}

/// Which side the parameters have as a whole: that of the results if it is short and the tile has
/// its size.
static bool isShortOutOf(const TransposePlan &plan, TransposeParamsAttr params,
                         const Requirements &requirements) {
  return isShort(plan.shortOut, requirements) &&
         requirements.getSize(plan.shortOut) == params.getTileOut();
}

std::optional<Refusal> fuser::requireRegisters(const KernelView &kernel, const TransposePlan &plan,
                                               TransposeParamsAttr params,
                                               Requirements &requirements) {
  const bool isShortOut = isShortOutOf(plan, params, requirements);
  const ThreadSides sides = getSides(plan, isShortOut);
  const ThreadParams own = getThreadParams(params, isShortOut);
  if (!isShort(sides.shortDims, requirements) ||
      requirements.getSize(sides.shortDims) != own.shortTile ||
      requirements.getRangeEnd(sides.shortDims) || own.longTile % own.longVector != 0 ||
      own.longVector * own.shortTile % own.runVector != 0 ||
      !requirements.requireExactly(sides.shortDims))
    return Refusal{
        RefusalCategory::Size,
        kNoShortSide,
        {},
        "expected a side of the tile that is all of 2 to " + std::to_string(kMostOfThread) +
            " adjacent elements, and vectors along the other side, but got a tile of " +
            std::to_string(params.getTileIn()) + " x " + std::to_string(params.getTileOut())};
  const int64_t longMost = getLongWidth(plan, sides, requirements),
                runMost = getRunWidth(plan, sides, requirements);
  if (own.longVector > longMost || own.runVector > runMost)
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors of at most " + std::to_string(longMost) + " and " +
                       std::to_string(runMost) + " elements, but got " +
                       std::to_string(own.longVector) + " and " + std::to_string(own.runVector)};
  requirements.requireVectorWidth(sides.longDims, own.longVector);
  requirements.requireVectorWidth(sides.getRun(), own.runVector);
  // Vectors of the short side alone are those of operands that lack the long one, too.
  if (own.shortTile % own.runVector == 0)
    for (const GlobalTensor &tensor : kernel.getTensors())
      if (!tensor.order.empty() && tensor.order.back() == sides.shortDims.back())
        requirements.requireAlignment(tensor, own.runVector);
  return std::nullopt;
}

ResourceUse fuser::getRegistersUse(const KernelView &kernel, const TransposePlan &plan,
                                   TransposeParamsAttr params, const Requirements &requirements) {
  const int64_t ofThread = params.getTileIn() * params.getTileOut();
  int64_t bytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    bytes = std::max(bytes, tensor.elementBytes);
  ResourceUse use;
  use.threads = params.getThreads();
  const std::optional<int64_t> elements = requirements.getSize(plan.order);
  if (elements)
    use.blocks = llvm::divideCeil(*elements, ofThread * use.threads);
  use.bytesInFlight = ofThread * getElementBytesRead(kernel);
  use.registers = 32 + llvm::divideCeil(ofThread * bytes * int64_t(kernel.getTensors().size()), 4);
  return use;
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// [blocks, vectors of the long side, threads, then the vectors of a thread]: along the long side,
/// one for each element of the short one, or over both (`isRun`).
static LogicalResult scheduleThread(LoopBuilder &loops, const TransposePlan &plan,
                                    TransposeParamsAttr params, const ThreadSides &sides,
                                    bool isRun) {
  const ThreadParams own = getThreadParams(params, sides.isShortOut);
  const SmallVector<unsigned> run = sides.getRun();
  SmallVector<unsigned> others(plan.reference.classes);
  llvm::erase_if(others, [&](unsigned dim) { return llvm::is_contained(run, dim); });
  const unsigned longId = loops.merge(loops.take(sides.longDims)),
                 shortId = loops.merge(loops.take(sides.shortDims));
  SmallVector<unsigned> tiles = loops.take(others);
  // Dimensions that the reference lacks have size 1.
  for (unsigned id : loops.takeRest())
    tiles.insert(tiles.begin(), id);
  auto [chunk, vector] = loops.split(longId, own.longVector);
  tiles.push_back(chunk);
  auto [groups, thread] = loops.getBuilder().split(loops.merge(tiles), params.getThreads());
  const int64_t vectors = own.longTile / own.longVector;
  auto [block, unrolled] = loops.split(groups, vectors);
  unsigned whole = kNoId;
  if (vectors > kMostCheckedSteps)
    std::tie(whole, unrolled) = loops.getBuilder().split(unrolled, vectors);
  unsigned step = shortId, lane = vector;
  if (isRun)
    std::tie(step, lane) = loops.split(loops.merge({vector, shortId}), own.runVector);
  return loops.finish({{block, ParallelType::BlockX},
                       {whole, ParallelType::Unswitch},
                       {unrolled, ParallelType::Unroll},
                       {thread, ParallelType::ThreadX},
                       {step, ParallelType::Unroll},
                       {lane, ParallelType::Vectorize}});
}

LogicalResult fuser::applyRegisters(const KernelView &view, const TransposePlan &plan,
                                    TransposeParamsAttr params, const Requirements &requirements) {
  const ThreadSides sides = getSides(plan, isShortOutOf(plan, params, requirements));
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(view.getKernel());
  if (failed(schedule))
    return failure();
  // Before the store of a transposed output, its elements stay in the registers of its producer.
  auto ret = cast<ReturnOp>(view.getKernel().getBody().front().back());
  auto getStore = [&](unsigned output) {
    return ret.getValues()[output].getDefiningOp<TensorViewOpInterface>();
  };
  SmallVector<std::pair<TensorViewOpInterface, const GlobalTensor *>> accesses;
  for (TensorViewOpInterface load : schedule->getLoads()) {
    const unsigned argument = cast<BlockArgument>(load->getOperand(0)).getArgNumber();
    if (llvm::is_contained(plan.transposedArguments, argument))
      accesses.push_back({load, &view.getArgument(argument)});
  }
  TensorViewOpInterface root = getStore(plan.reference.position);
  for (unsigned output : plan.transposedOutputs) {
    TensorViewOpInterface store = getStore(output);
    auto kept = cast<TensorViewOpInterface>(cacheUse(store->getOpOperand(0)));
    if (output == plan.reference.position)
      root = kept;
    accesses.push_back({store, &view.getOutput(output)});
  }

  LoopBuilder loops(view, root, view.getOutput(plan.reference.position));
  if (failed(scheduleThread(loops, plan, params, sides, /*isRun=*/sides.isShortOut)) ||
      failed(schedule->propagate(root)))
    return failure();
  for (auto [access, tensor] : accesses) {
    access.setDomain(access.getTrivialDomain(0), 0);
    LoopBuilder own(view, access, *tensor);
    if (failed(scheduleThread(own, plan, params, sides, /*isRun=*/!sides.isShortOut)))
      return failure();
    if (tensor->isOutput)
      schedule->setOutputOrder(access);
  }
  schedule->inlineAll([](TensorViewOpInterface) { return true; });
  return success();
}
