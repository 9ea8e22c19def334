//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of reductions that no registers keep.
//
//===----------------------------------------------------------------------===//

#include "ReductionLoops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// Of many rows, each has a warp, or a part of one, with up to kLongestOfWarp narrow vectors. Sums
/// of 3000000x33 f32 take 108 us on one NVIDIA H200 with 8 threads, 301 with 32 and 1806 with a
/// block of 64 for each row; of 100000x1023 93 us with a warp, 110 with a block of 256.
constexpr int64_t kLongestOfWarp = 1024;

/// Bytes that a thread has of a short row, and the narrow vectors of the longest one, which has up
/// to kMostOfWarp of 16 bytes. Sums on one NVIDIA H200, us, with 1, 2, 4, and 8 threads for a row:
/// 1000000x16 f32 18.5, 18.3, 22.5 and more; 1000000x32 f32 -, 38.2, 33.0, 41.6; 2000000x32 bf16
/// 33.3, 33.0, 42.5; 1000000x21 f32 -, 24.6, 23.4, 41.6; 3000000x30 bf16 -, 45.2, 50.6, 74.2.
constexpr int64_t kBytesOfShortRow = 32, kVectorsOfShortRow = 32;

ArrayRef<unsigned> fuser::getVectorClasses(const ReductionShape &shape) {
  return shape.isInner() ? shape.innerReduced : shape.innerKept;
}

bool fuser::hasElementsOfSteps(const KernelView &kernel, const ReductionShape &shape) {
  auto hasAny = [](const GlobalTensor &tensor, ArrayRef<unsigned> dims) {
    return llvm::any_of(dims, [&](unsigned dimClass) { return tensor.find(dimClass) >= 0; });
  };
  bool hasSteps = false;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (tensor.isOutput)
      continue;
    const bool isOfStep = hasAny(tensor, shape.innerReduced) || hasAny(tensor, shape.outerReduced);
    if (isOfStep && hasAny(tensor, shape.innerKept))
      return false;
    hasSteps |= isOfStep;
  }
  return hasSteps && !shape.innerKept.empty();
}

int64_t fuser::getWidestVector(const KernelView &kernel, const ReductionShape &shape,
                               const Requirements &requirements, int64_t bytes) {
  auto isStored = [](const GlobalTensor &tensor) { return tensor.isOutput; };
  if (hasElementsOfSteps(kernel, shape))
    return requirements.getVectorWidth(getVectorClasses(shape), bytes, isStored);
  return requirements.getVectorWidth(getVectorClasses(shape), bytes);
}

/// Threads and vectors per step.
static std::pair<int64_t, int64_t> fitSteps(int64_t vectors, bool isNarrow) {
  static constexpr int64_t wideUnrolls[] = {4, 5, 6, 7, 3, 2, 1};
  static constexpr int64_t narrowUnrolls[] = {10, 8, 12, 9, 6, 5, 4, 3, 2, 1};
  static constexpr int64_t wideThreads[] = {512, 256, 128, 64};
  static constexpr int64_t narrowThreads[] = {256, 128, 64};
  std::pair<int64_t, int64_t> best;
  std::optional<int64_t> least;
  for (int64_t threads : isNarrow ? ArrayRef(narrowThreads) : ArrayRef(wideThreads))
    for (int64_t unroll : isNarrow ? ArrayRef(narrowUnrolls) : ArrayRef(wideUnrolls)) {
      int64_t step = threads * unroll;
      int64_t idle = llvm::divideCeil(vectors, step) * step - vectors;
      // A later candidate must save more than a tenth of the row. A step that is a multiple of an
      // earlier one never wastes less.
      if (least && idle + vectors / 10 >= *least)
        continue;
      least = idle;
      best = {threads, unroll};
    }
  return best;
}

int64_t fuser::getThreadsOfWarp(int64_t vectors, int64_t least) {
  int64_t best = 32;
  auto count = [&](int64_t threads) { return llvm::alignTo(vectors, threads); };
  for (int64_t threads : {16, 8})
    if (vectors <= threads * kMostOfWarp && count(threads) <= count(best) - (threads < least))
      best = threads;
  return best;
}

bool fuser::fitShortRow(int64_t vectors, int64_t vectorBytes, std::optional<int64_t> rows,
                        ReductionLoops &loops) {
  if (!haveManyRows(rows) || vectors > (vectorBytes < 16 ? kVectorsOfShortRow : kMostOfWarp))
    return false;
  const int64_t most = std::clamp<int64_t>(kBytesOfShortRow / vectorBytes, 2, kMostOfWarp);
  loops.threadsX = llvm::PowerOf2Ceil(llvm::divideCeil(vectors, most));
  loops.unroll = llvm::divideCeil(vectors, loops.threadsX);
  loops.threadsY = kWarpRowThreads / loops.threadsX;
  return true;
}

void fuser::fitRow(int64_t vectors, bool isNarrow, std::optional<int64_t> rows,
                   ReductionLoops &loops) {
  if (vectors > 8 && haveManyRows(rows) &&
      vectors <= (isNarrow ? kLongestOfWarp : 32 * kMostOfWarp)) {
    loops.threadsX = getThreadsOfWarp(vectors);
    loops.unroll = std::min<int64_t>(llvm::divideCeil(vectors, loops.threadsX), kMostOfWarp);
    loops.threadsY = kWarpRowThreads / loops.threadsX;
    return;
  }
  if (vectors > 32) {
    std::tie(loops.threadsX, loops.unroll) = fitSteps(vectors, isNarrow);
    return;
  }
  loops.threadsX = llvm::PowerOf2Ceil(vectors);
  loops.threadsY = kShortRowThreads / loops.threadsX;
  loops.unroll = 1;
}

std::optional<int64_t> fuser::getNumBlocks(const Requirements &requirements,
                                           const ReductionShape &shape,
                                           const ReductionLoops &loops) {
  std::optional<int64_t> inner = requirements.getSize(shape.innerKept);
  std::optional<int64_t> outer = requirements.getSize(shape.outerKept);
  if (!inner || !outer)
    return std::nullopt;
  if (shape.isInner())
    return loops.splits * int64_t(llvm::divideCeil(*outer * *inner, loops.threadsY));
  const int64_t vectors = llvm::divideCeil(*inner, loops.vector);
  return loops.splits * (loops.threadsY == 1 ? llvm::divideCeil(*outer * vectors, loops.threadsX)
                                             : *outer * llvm::divideCeil(vectors, loops.threadsX));
}

/// [rows by block, rows by thread_y, splits by block, outer, steps, unroll, thread_x, vector]
static LogicalResult scheduleInner(LoopBuilder &loops, const ReductionShape &shape,
                                   const ReductionLoops &factors) {
  SmallVector<unsigned> innerReduced = loops.take(shape.innerReduced);
  SmallVector<unsigned> outerReduced = loops.take(shape.outerReduced);
  SmallVector<unsigned> innerKept = loops.take(shape.innerKept);
  SmallVector<unsigned> kept = loops.take(shape.outerKept);
  llvm::append_range(kept, loops.takeRest());
  llvm::append_range(kept, innerKept);
  auto [rowBlock, rowThread] = loops.split(loops.merge(kept), factors.threadsY);
  auto [vectors, vector] = loops.split(loops.merge(innerReduced), factors.vector);
  auto [groups, thread] = loops.getBuilder().split(vectors, factors.threadsX);
  auto [steps, unroll] = loops.split(groups, factors.unroll);
  unsigned split = kNoId, outer = loops.merge(outerReduced);
  if (factors.splitRows) {
    steps = loops.merge({outer, steps});
    outer = kNoId;
  }
  unsigned &shared = outer == kNoId ? steps : outer;
  std::tie(split, shared) = loops.splitOuter(shared, factors.splits);
  return loops.finish({{rowBlock, ParallelType::BlockX},
                       {rowThread, ParallelType::ThreadY},
                       {split, rowBlock == kNoId ? ParallelType::BlockX : ParallelType::BlockY},
                       {outer},
                       {steps},
                       {unroll, ParallelType::Unroll},
                       {thread, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

/// [columns by block, splits by block, steps, full step?, unroll, thread_y, thread_x, vector].
/// Threads that share no column have columns of all outer dimensions side by side.
static LogicalResult scheduleOuter(LoopBuilder &loops, const ReductionShape &shape,
                                   const ReductionLoops &factors) {
  SmallVector<unsigned> innerReduced = loops.take(shape.innerReduced);
  SmallVector<unsigned> reduced = loops.take(shape.outerReduced);
  llvm::append_range(reduced, innerReduced);
  SmallVector<unsigned> innerKept = loops.take(shape.innerKept);
  SmallVector<unsigned> outerKept = loops.take(shape.outerKept);
  llvm::append_range(outerKept, loops.takeRest());
  auto [vectors, vector] = loops.split(loops.merge(innerKept), factors.vector);
  unsigned block = loops.merge(outerKept), lane = kNoId;
  if (factors.threadsY == 1) {
    std::tie(block, lane) =
        loops.getBuilder().split(loops.merge({block, vectors}), factors.threadsX);
  } else {
    std::tie(vectors, lane) = loops.getBuilder().split(vectors, factors.threadsX);
    block = loops.merge({block, vectors});
  }
  auto [rows, rowThread] = loops.split(loops.merge(reduced), factors.threadsY);
  auto [groups, unroll] = loops.split(rows, factors.unroll);
  auto [split, steps] = loops.splitOuter(groups, factors.splits);
  unsigned whole = kNoId;
  if (unroll != kNoId && steps != kNoId)
    std::tie(steps, whole) = loops.getBuilder().split(steps, 1);
  return loops.finish({{block, ParallelType::BlockX},
                       {split, ParallelType::BlockY},
                       {steps},
                       {whole, ParallelType::Unswitch},
                       {unroll, ParallelType::Unroll},
                       {rowThread, ParallelType::ThreadY},
                       {lane, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

LogicalResult fuser::scheduleReduction(LoopBuilder &loops, const ReductionShape &shape,
                                       const ReductionLoops &factors) {
  return shape.isInner() ? scheduleInner(loops, shape, factors)
                         : scheduleOuter(loops, shape, factors);
}
