//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlockThreads.h"
#include "Warps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

/// How much less a thread accesses shared memory if the elements of tuples are spread over threads,
/// which costs a barrier.
static constexpr int64_t kLeastSaving = 2;

int64_t BlockThreads::getCount(ArrayRef<ParallelType> types) const {
  int64_t count = 1;
  for (ParallelType type : types)
    count *= getCount(type);
  return count;
}

SmallVector<ParallelType> BlockThreads::getWarpTypes(ArrayRef<ParallelType> types) const {
  int64_t count = getCount(ParallelType::ThreadX);
  if (!llvm::is_contained(types, ParallelType::ThreadX) || !canShuffleRows(count))
    return {};
  SmallVector<ParallelType> combined = {ParallelType::ThreadX};
  for (ParallelType type : {ParallelType::ThreadY, ParallelType::ThreadZ}) {
    if (getCount(type) == 1)
      continue;
    count *= getCount(type);
    if (!llvm::is_contained(types, type) || !canShuffleRows(count) || count > kWarp * kWarp)
      break;
    combined.push_back(type);
  }
  return combined;
}

bool BlockThreads::exchangesWarps(ArrayRef<ParallelType> warpTypes) const {
  return getCount(warpTypes) > kWarp;
}

BlockThreads::WarpPart BlockThreads::getWarpPart(ParallelType type) const {
  int64_t distance = 1;
  for (ParallelType before : kThreadTypes) {
    if (before == type)
      break;
    distance *= getCount(before);
  }
  const int64_t count = getCount(type);
  if (distance >= kWarp || !llvm::isPowerOf2_64(distance) || !canShuffleRows(distance * count))
    return {distance, 1};
  return {distance, std::min(kWarp / distance, count)};
}

int64_t BlockThreads::countOfWarpParts(ArrayRef<ParallelType> types) const {
  int64_t together = 1;
  for (ParallelType type : types)
    together *= getWarpPart(type).count;
  return together;
}

bool BlockThreads::spreadsSlots(ArrayRef<ParallelType> types, int64_t elements) const {
  const int64_t threads = getNumThreads(), all = getCount(types);
  const int64_t count = all / countOfWarpParts(types);
  const int64_t rounds = llvm::divideCeil(threads / all * elements, threads);
  return count * elements >= kLeastSaving * (rounds * count + 2 * elements);
}

BlockThreads::Slots BlockThreads::getSlots(ArrayRef<ParallelType> types, int64_t elements) const {
  Slots slots;
  const SmallVector<ParallelType> warpTypes = getWarpTypes(types);
  if (exchangesWarps(warpTypes))
    slots.ofWarps = getNumThreads() / kWarp;
  SmallVector<ParallelType> rest(types);
  llvm::erase_if(rest, [&](ParallelType type) { return llvm::is_contained(warpTypes, type); });
  const int64_t together = countOfWarpParts(rest);
  if (getCount(rest) == together)
    return slots;
  slots.ofThreads = getNumThreads() / together;
  if (spreadsSlots(rest, elements))
    slots.ofResults = getNumThreads() / getCount(rest);
  return slots;
}
