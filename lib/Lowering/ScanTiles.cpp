//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScanTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// Elements of one thread; more would lie in memory, and code for each is written out.
static constexpr int64_t kMaxElements = 1024;

int64_t ScanTile::count(ArrayRef<unsigned> some) const {
  int64_t number = 1;
  for (unsigned level : some)
    number *= levels[level].extent;
  return number;
}

/// The product of extents with `first`; any larger number beyond the limit.
static int64_t countUpToLimit(int64_t first, ArrayRef<ScanTile::Level> levels) {
  int64_t number = first;
  for (const ScanTile::Level &level : levels)
    number = llvm::SaturatingMultiply<uint64_t>(number, level.extent) > kMaxElements
                 ? kMaxElements + 1
                 : number * level.extent;
  return number;
}

int64_t ScanTile::numElements() const { return countUpToLimit(lanes, levels); }

int64_t ScanTile::numCarried() const { return countUpToLimit(lanes, around) * count(kept); }

/// Finds the loops of each thread; `levelAt`: the number of the level by position.
static LogicalResult addLevels(const ScheduledOp &scheduled, ScanTile &result,
                               llvm::SmallDenseMap<unsigned, unsigned> &levelAt) {
  const ScanLoops &loops = *scheduled.scan;
  ArrayRef<unsigned> carried = ArrayRef(loops.positions).take_front(loops.numCarried);
  ArrayRef<unsigned> tile = ArrayRef(loops.positions).drop_front(loops.numCarried);
  const bool isCarried = loops.numCarried > 0 && !loops.isChained;
  const unsigned first = isCarried ? carried.front() : loops.tilePosition;
  for (unsigned position = first, end = scheduled.loops.size(); position < end; ++position) {
    const Loop *loop = scheduled.loops[position];
    if (isThreadType(loop->type) || isBlockType(loop->type) ||
        llvm::is_contained(carried, position))
      continue;
    const bool isScanned = llvm::is_contained(tile, position);
    if (loop->type == ParallelType::Vectorize && !isScanned) {
      result.lanes = *loop->constant;
      continue;
    }
    std::optional<int64_t> bound = loop->getStaticBound();
    if (!bound)
      return scheduled.op->emitOpError("expected loop ")
             << position
             << " of the tile that it scans to have a constant extent or a fact that bounds it, "
                "but got "
             << describe(loop->extent);
    if (position < loops.tilePosition) {
      result.around.push_back({loop, *bound});
      continue;
    }
    levelAt[position] = result.levels.size();
    if (!isScanned)
      result.kept.push_back(result.levels.size());
    result.levels.push_back({loop, *bound});
  }
  return success();
}

FailureOr<ScanTile> ScanTile::get(const ScheduledOp &scheduled, ArrayRef<int64_t> blockSize) {
  const ScanLoops &loops = *scheduled.scan;
  ScanTile result;
  llvm::SmallDenseMap<unsigned, unsigned> levelAt;
  if (failed(addLevels(scheduled, result, levelAt)))
    return failure();
  for (Loop *loop : ArrayRef(scheduled.loops).take_front(loops.tilePosition))
    if (loops.isChained && !isThreadType(loop->type) && !isBlockType(loop->type))
      return scheduled.op->emitOpError("expected no loop around tiles that are on @")
             << stringifyParallelType(scheduled.loops[loops.positions.front()]->type)
             << ", but got a loop of extent " << describe(loop->extent);
  bool afterThreads = false;
  for (unsigned position : ArrayRef(loops.positions).drop_front(loops.numCarried)) {
    Loop *loop = scheduled.loops[position];
    if (!isThreadType(loop->type)) {
      (afterThreads ? result.inner : result.outer).push_back(levelAt.lookup(position));
      continue;
    }
    if (blockSize[unsigned(loop->type) - unsigned(ParallelType::ThreadX)] == 1)
      continue;
    if (afterThreads && !result.inner.empty())
      return scheduled.op->emitOpError("expected the threads that share what it scans to be next "
                                       "to each other, but loop ")
             << position << " is inside of a loop of each thread";
    afterThreads = true;
    result.threads.push_back(loop->type);
  }
  if (!afterThreads)
    std::swap(result.inner, result.outer);
  if (result.numElements() > kMaxElements || result.numCarried() > kMaxElements)
    return scheduled.op->emitOpError("expected at most ")
           << kMaxElements << " elements of a tile in the registers of a thread, but its loops "
           << "have more iterations";
  return result;
}

SmallVector<int64_t, 3> fuser::getBlockSize(const LoopNest &nest) {
  SmallVector<int64_t, 3> size(3, 1);
  for (const auto &scheduled : nest.getOps())
    for (const Loop *loop : scheduled->loops)
      if (isThreadType(loop->type)) {
        int64_t &threads = size[unsigned(loop->type) - unsigned(ParallelType::ThreadX)];
        threads = std::max({threads, *loop->getStaticBound(), int64_t(1)});
      }
  return size;
}
