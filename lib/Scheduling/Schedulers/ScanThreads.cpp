//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScanThreads.h"
#include "PointwiseTile.h"
#include "Warps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The maximum number of threads that share a row, with which four blocks share a multiprocessor.
constexpr int64_t kMaxThreads = 512;
/// Threads of a block that scans several rows, or columns.
constexpr int64_t kShortRowThreads = 128;
/// Bytes of a tile per thread, and the maximum number of vectors that they are.
constexpr int64_t kBytesOfThread = 64;
constexpr int64_t kMaxUnroll = 8;
/// The same where a warp has a row of narrow vectors, which would be combined twice with more: sums
/// of prefixes of 65536x999 bf16 take 119 us on one NVIDIA H200 with 32 threads for a row, 137 with
/// 128.
constexpr int64_t kBytesOfWarpThread = 128, kMaxUnrollOfWarp = 32;
/// Adjacent bytes of a row that the threads of a block cover, if columns are shared or not.
constexpr int64_t kSegmentBytes = 128;
/// Rows of a thread in flight, and the maximum number of threads that share a column.
constexpr int64_t kRowsInFlight = 8;
constexpr int64_t kMaxThreadsOfColumn = 64;
/// Elements of a run, at least: as many as make up for the barriers.
constexpr int64_t kLeastRun = 4;
/// Blocks of a multiprocessor whose rows are in shared memory: one loads, one scans, one stores.
constexpr int64_t kLeastScanBlocks = 3;
/// The threads of all of them, at least.
constexpr int64_t kLeastResidentThreads = 512;
/// How many times as wide as other vectors those across the ends of rows are, at least.
constexpr int64_t kLeastScanGain = 4;
/// Instructions of a thread: for an element of a run, for each of the steps in which the threads of
/// a warp combine their totals, to exchange those of warps, and for everything else.
constexpr int64_t kCostOfElement = 4, kCostOfStep = 3, kCostOfExchange = 20, kCostOfScanThread = 12;

/// At most a warp for each row, without barriers: as many threads as leave the fewest elements of a
/// tile unused. Fewer threads need fewer steps to combine, but should load whole sectors.
static ScanThreads chooseShortRows(int64_t vectors, int64_t maxUnroll, int64_t vectorBytes) {
  ScanThreads numbers;
  const int64_t most = std::min<int64_t>(kWarp, llvm::PowerOf2Ceil(vectors));
  std::optional<int64_t> fewest;
  for (int64_t threads = most; threads * vectorBytes >= std::min(most * vectorBytes, kSectorBytes);
       threads /= 2) {
    const int64_t unroll = llvm::divideCeil(vectors, threads);
    const int64_t unused = threads * unroll - vectors;
    if (unroll > maxUnroll)
      break;
    // Another candidate must save at least a tenth of the row.
    if (fewest && unused + vectors / 10 >= *fewest)
      continue;
    fewest = unused;
    numbers.threadsX = threads;
    numbers.unroll = unroll;
  }
  numbers.threadsY = kShortRowThreads / numbers.threadsX;
  return numbers;
}

ScanThreads fuser::chooseInnerThreads(std::optional<int64_t> vectors, int64_t vectorBytes) {
  const int64_t unroll = std::clamp<int64_t>(kBytesOfThread / vectorBytes, 1, kMaxUnroll);
  ScanThreads numbers;
  numbers.unroll = unroll;
  if (!vectors)
    return numbers;
  const int64_t ofWarp = vectorBytes < kAccessBytes
                             ? std::min(kBytesOfWarpThread / vectorBytes, kMaxUnrollOfWarp)
                             : unroll;
  if (*vectors <= kWarp * unroll)
    return chooseShortRows(*vectors, unroll, vectorBytes);
  if (*vectors <= kWarp * ofWarp)
    return chooseShortRows(*vectors, ofWarp, vectorBytes);
  int64_t tiles = llvm::divideCeil(*vectors, kMaxThreads * unroll);
  int64_t each = llvm::divideCeil(llvm::divideCeil(*vectors, tiles), unroll);
  numbers.threadsX = std::min<int64_t>(kMaxThreads, llvm::alignTo(each, 32));
  return numbers;
}

/// What a row costs in instructions where each of `threads` threads has runs of `run` vectors of
/// `vector` elements in shared memory.
static int64_t getCostOfRuns(int64_t rowBytes, int64_t elementBytes, int64_t threads, int64_t run,
                             int64_t vector) {
  const int64_t conflicts =
      countConflicts(rowBytes, run * vector * elementBytes, vector * elementBytes, threads);
  int64_t ofThread = kCostOfScanThread + kCostOfStep * llvm::Log2_64(std::min(threads, kWarp));
  if (threads > kWarp)
    ofThread += kCostOfExchange + kCostOfStep * llvm::Log2_64(threads / kWarp);
  return threads * (run * (vector * kCostOfElement + 2 * conflicts) + ofThread);
}

std::optional<ScanThreads> fuser::chooseStagedThreads(const KernelView &kernel,
                                                      const Requirements &requirements,
                                                      const RowDims &dims, int64_t vector,
                                                      const artifact::DeviceDescription &device) {
  const std::optional<int64_t> numRows = requirements.getSize(dims.rows),
                               row = requirements.getSize(dims.columns);
  const int64_t flat = getFlatWidth(kernel, requirements, dims);
  // A range of lengths has one kernel.
  if (!numRows || !row || *row < 2 || flat < kLeastScanGain * vector ||
      requirements.getRangeEnd(dims.columns).value_or(*row) > *row)
    return std::nullopt;
  const int64_t elementBytes = getWidestElement(kernel);
  std::optional<ScanThreads> best;
  int64_t least = 0;
  for (int64_t threads = 1; threads <= kMaxThreads; threads *= 2) {
    const int64_t rows = getStagedRows(*row, threads, flat);
    const int64_t sharedBytes = rows * *row * getStagedBytes(kernel, dims);
    const int64_t blocks = device.sharedBytesPerMultiprocessor / sharedBytes;
    if (rows * threads > kMaxThreads || sharedBytes > device.sharedBytesPerBlock ||
        blocks < kLeastScanBlocks || blocks * rows * threads < kLeastResidentThreads ||
        *numRows < kLeastScanBlocks * device.multiprocessors * rows)
      continue;
    // Of a run of an even number of words, the threads of a warp access the same banks.
    const int64_t shortest = llvm::divideCeil(*row, threads * vector);
    for (int64_t run : {shortest, shortest + 1}) {
      const int64_t cost = getCostOfRuns(*row * elementBytes, elementBytes, threads, run, vector);
      if (shortest * vector < kLeastRun || run * vector > kMostStagedElements ||
          (best && cost >= least))
        continue;
      best = ScanThreads{threads, rows, run, flat};
      least = cost;
    }
  }
  return best;
}

ScanThreads fuser::chooseOuterThreads(std::optional<int64_t> vectors, std::optional<int64_t> others,
                                      std::optional<int64_t> length, int64_t vectorBytes,
                                      const artifact::DeviceDescription &device) {
  ScanThreads numbers;
  numbers.unroll = kRowsInFlight;
  numbers.threadsX = kShortRowThreads;
  if (length)
    numbers.unroll = std::clamp<int64_t>(llvm::PowerOf2Ceil(*length), 1, kRowsInFlight);
  if (!vectors || !others)
    return numbers;
  const int64_t all = std::max<int64_t>(*vectors * *others, 1);
  int64_t sharers =
      llvm::PowerOf2Ceil(llvm::divideCeil(device.multiprocessors * kResidentScanThreads, all));
  sharers = std::min(sharers, kMaxThreadsOfColumn);
  if (length)
    sharers = std::min<int64_t>(sharers, llvm::PowerOf2Ceil(llvm::divideCeil(
                                             std::max<int64_t>(*length, 1), numbers.unroll)));
  const int64_t columns = llvm::PowerOf2Ceil(std::max<int64_t>(*vectors, 1));
  numbers.threadsX = std::min(kShortRowThreads, columns);
  if (sharers == 1)
    return numbers;
  // Narrow strips are more blocks.
  const int64_t least = std::max<int64_t>(kSegmentBytes / vectorBytes, 1);
  numbers.threadsX = std::min(least, columns);
  numbers.threadsY = std::min(sharers, kMaxThreads / numbers.threadsX);
  return numbers;
}
