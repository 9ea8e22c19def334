//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions of windows: their parameters, facts and loops.
//
//===----------------------------------------------------------------------===//

#include "ReductionWindows.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The most adjacent elements and bytes of a window, and the most elements of the windows of a
/// thread, all of which it reads at once.
static constexpr int64_t kMostAdjacent = 16, kMostAdjacentBytes = 32, kMostElements = 64;
/// Bytes of an access.
static constexpr int64_t kWindowAccessBytes = 16;
/// Threads of a block, and the least threads of a multiprocessor.
static constexpr int64_t kWindowThreads = 128, kLeastThreads = 128;

/// The dimension of results whose windows are adjacent: the next slower one than the adjacent part
/// of a window.
static std::optional<unsigned> findResults(const ReductionShape &shape) {
  const size_t inner = shape.innerReduced.size();
  if (!shape.isInner() || inner == 0 || inner == shape.order.size() || !shape.part.empty())
    return std::nullopt;
  return shape.order[shape.order.size() - inner - 1];
}

/// The results of a thread, then the adjacent part of a window, slowest first.
static SmallVector<unsigned> getRun(const ReductionShape &shape) {
  SmallVector<unsigned> run{*findResults(shape)};
  llvm::append_range(run, shape.innerReduced);
  return run;
}

/// True for an argument with all dimensions in which windows are adjacent.
static bool hasWindows(const GlobalTensor &tensor, const ReductionShape &shape) {
  const SmallVector<unsigned> run = getRun(shape);
  return !tensor.isOutput && tensor.order.size() == shape.order.size() &&
         ArrayRef(tensor.order).take_back(run.size()) == ArrayRef(run) &&
         llvm::all_of(ArrayRef(tensor.contiguous).take_back(run.size()),
                      [](bool is) { return is; });
}

/// Bytes of the widest element of the arguments that have windows; 0 if there are none.
static int64_t getWindowBytes(const KernelView &kernel, const ReductionShape &shape) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (hasWindows(tensor, shape))
      bytes = std::max(bytes, tensor.elementBytes);
  return bytes;
}

/// The vectors of loads across `results` windows with `adjacent` elements.
static int64_t getLoadVector(int64_t results, int64_t adjacent, int64_t bytes) {
  const int64_t run = results * adjacent;
  return std::min<int64_t>(run & -run, std::max<int64_t>(kWindowAccessBytes / bytes, 1));
}

/// The most results of a thread, along which outputs have vectors.
static int64_t getMostResults(const ReductionShape &shape, const Requirements &requirements) {
  const unsigned results = *findResults(shape);
  const int64_t stored = requirements.getVectorWidth(
      results, kWindowAccessBytes, [](const GlobalTensor &tensor) { return tensor.isOutput; });
  return requirements.getDivisor(results, stored);
}

static int64_t getMostLoaded(const ReductionShape &shape, const Requirements &requirements) {
  return requirements.getVectorWidth(
      getRun(shape), kWindowAccessBytes,
      [&](const GlobalTensor &tensor) { return hasWindows(tensor, shape); });
}

/// The elements of a window, and those of its adjacent part. nullopt if there are no windows, or
/// large ones.
static std::optional<std::pair<int64_t, int64_t>>
getWindow(const KernelView &kernel, const ReductionShape &shape, const Requirements &requirements) {
  if (!findResults(shape) || getWindowBytes(kernel, shape) == 0)
    return std::nullopt;
  // Elements that are stored in the loops of the reduction are those of other vectors.
  if (llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
        return tensor.isOutput && tensor.order.size() == shape.order.size();
      }))
    return std::nullopt;
  const std::optional<int64_t> adjacent = requirements.getSize(shape.innerReduced),
                               all = requirements.getSize(shape.getReduced());
  if (!adjacent || !all || *adjacent < 2 || *adjacent > kMostAdjacent ||
      *adjacent * getWindowBytes(kernel, shape) > kMostAdjacentBytes || *all < 1 ||
      *all > kMostElements || requirements.getRangeEnd(shape.getReduced()))
    return std::nullopt;
  return std::pair(*all, *adjacent);
}

std::variant<Choice, Refusal> fuser::evaluateWindow(const KernelView &kernel,
                                                    const ReductionShape &shape,
                                                    ReductionParamsAttr params,
                                                    Requirements &requirements) {
  const auto window = getWindow(kernel, shape, requirements);
  if (!window || !requirements.requireExactly(shape.getReduced()))
    return Refusal{RefusalCategory::Size,
                   kNoWindow,
                   {},
                   "expected 2 to " + std::to_string(kMostAdjacent) + " adjacent elements of " +
                       std::to_string(kMostAdjacentBytes) + " bytes to be reduced, of at most " +
                       std::to_string(kMostElements) + " of a result"};
  const auto [all, adjacent] = *window;
  const int64_t results = params.getVector(), bytes = getWindowBytes(kernel, shape);
  const int64_t vector = getLoadVector(results, adjacent, bytes);
  const int64_t most = getMostResults(shape, requirements);
  if (results > most || vector > getMostLoaded(shape, requirements))
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors of at most " + std::to_string(most) +
                       " results and of the elements of their windows, but got " +
                       std::to_string(results)};
  const unsigned along = *findResults(shape);
  requirements.requireDivisor(along, results);
  requirements.requireVectorWidth(along, results);
  requirements.requireVectorWidth(getRun(shape), vector);
  (void)requirements.requireNonEmpty(shape.lacked);
  requirements.requireShortIndices();
  ResourceUse use;
  use.threads = params.getThreadsX();
  use.bytesInFlight = all * results * bytes;
  use.registers = 32 + int64_t(llvm::divideCeil(use.bytesInFlight, 4)) + 2 * results;
  if (const std::optional<int64_t> kept = requirements.getSize(shape.outerKept))
    use.blocks = llvm::divideCeil(*kept, results * use.threads);
  return Choice{params, requirements.takeFacts(), use};
}

std::optional<Choice> fuser::chooseWindow(const KernelView &kernel, const ReductionShape &shape,
                                          const SizeHints &hints,
                                          const artifact::DeviceDescription &device) {
  Requirements requirements(kernel, hints);
  const auto window = getWindow(kernel, shape, requirements);
  if (!window)
    return std::nullopt;
  const auto [all, adjacent] = *window;
  const int64_t bytes = getWindowBytes(kernel, shape), even = adjacent & -adjacent;
  int64_t results = std::min(getMostResults(shape, requirements),
                             std::max<int64_t>(kWindowAccessBytes / even / bytes, 1));
  while (results > 1 && results * all > kMostElements)
    results /= 2;
  const int64_t vector = getLoadVector(results, adjacent, bytes);
  const std::optional<int64_t> kept = requirements.getSize(shape.outerKept);
  if (vector <= even || vector > getMostLoaded(shape, requirements) ||
      (kept && *kept / results < device.multiprocessors * kLeastThreads))
    return std::nullopt;
  const auto params =
      ReductionParamsAttr::get(kernel.getKernel().getContext(), ReductionPattern::Window,
                               kWindowThreads, 1, results, 1, 1, false);
  std::variant<Choice, Refusal> answer = evaluateWindow(kernel, shape, params, requirements);
  // A refusal is one of sizes that no facts can state.
  auto *choice = std::get_if<Choice>(&answer);
  return choice ? std::optional(std::move(*choice)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// apply
//===----------------------------------------------------------------------===//

/// [results by block, results by thread_x, rows of a window, elements of a row, vector of results];
/// of a load (`vector` > 0) the last two are vectors across the adjacent parts of windows.
static LogicalResult scheduleWindow(LoopBuilder &loops, const ReductionShape &shape,
                                    ReductionParamsAttr params, int64_t vector) {
  const unsigned along = *findResults(shape);
  SmallVector<unsigned> others(shape.outerKept);
  llvm::erase(others, along);
  const unsigned adjacent = loops.merge(loops.take(shape.innerReduced)),
                 rows = loops.merge(loops.take(shape.outerReduced));
  auto [groups, result] = loops.split(loops.merge(loops.take(along)), params.getVector());
  SmallVector<unsigned> kept = loops.take(others);
  llvm::append_range(kept, loops.takeRest());
  kept.push_back(groups);
  auto [block, thread] = loops.getBuilder().split(loops.merge(kept), params.getThreadsX());
  unsigned step = adjacent, lane = result;
  if (vector > 0)
    std::tie(step, lane) = loops.split(loops.merge({result, adjacent}), vector);
  return loops.finish({{block, ParallelType::BlockX},
                       {thread, ParallelType::ThreadX},
                       {rows, ParallelType::Unroll},
                       {step, ParallelType::Unroll},
                       {lane, ParallelType::Vectorize}});
}

LogicalResult fuser::applyWindow(const KernelView &view, const ReductionShape &shape,
                                 ReductionParamsAttr params) {
  Requirements requirements(view, SizeHints());
  if (failed(addFacts(view.getKernel(), "reduction",
                      evaluateWindow(view, shape, params, requirements))))
    return failure();
  const int64_t vector = getLoadVector(
      params.getVector(), *requirements.getSize(shape.innerReduced), getWindowBytes(view, shape));
  FailureOr<KernelSchedule> schedule = KernelSchedule::create(view.getKernel());
  if (failed(schedule))
    return failure();
  TensorViewOpInterface reference = shape.getReference(view);
  LoopBuilder loops(view, reference);
  if (failed(scheduleWindow(loops, shape, params, 0)) || failed(schedule->propagate(reference)))
    return failure();
  for (TensorViewOpInterface load : schedule->getLoads()) {
    const GlobalTensor &tensor =
        view.getArgument(cast<BlockArgument>(load->getOperand(0)).getArgNumber());
    if (!hasWindows(tensor, shape))
      continue;
    load.setDomain(load.getTrivialDomain(0), 0);
    LoopBuilder own(view, load, tensor);
    if (failed(scheduleWindow(own, shape, params, vector)))
      return failure();
  }
  schedule->inlineAll([](TensorViewOpInterface) { return true; });
  return success();
}
