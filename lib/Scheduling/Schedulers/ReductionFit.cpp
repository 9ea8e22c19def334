//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fits the loops of reductions to sizes and to the device.
//
//===----------------------------------------------------------------------===//

#include "ReductionFit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Threads of a block if there is enough work, and the occupancy of an SM in such blocks with the
/// registers that loads in flight need.
constexpr int64_t kThreads = 512;
constexpr int64_t kBlocksPerMultiprocessor = 2;
/// Of a kernel that sums columns and is limited by arithmetic: small blocks, so that some compute
/// while others wait for memory. Their number per multiprocessor in a wave, all rounds of which are
/// full if 4, 8 or 16 are resident, the waves that it may be split into, the vectors of each tensor
/// in flight, and adjacent bytes.
constexpr int64_t kArithmeticThreads = 128;
constexpr int64_t kBlocksOfWave = 32;
constexpr int64_t kMaxWaves = 2;
constexpr int64_t kArithmeticUnroll = 4;
constexpr int64_t kArithmeticSegmentBytes = 256;
/// Threads of a block whose warps have the same columns of several rows, if there are few rows.
constexpr int64_t kNarrowThreads = 256;
/// Bytes of a thread in flight below which more threads hide the latency: those of a block, and
/// those that are resident. The sum of the columns of 1000003x97 bf16 takes 66 us on one NVIDIA
/// H200 with 776 threads of a block, 92 with 388.
constexpr int64_t kBytesOfFewThreads = 32;
constexpr int64_t kManyThreads = 800, kManyResidentThreads = 1600;
/// Waves that a kernel limited by memory may be split into, and what another wave has to gain.
constexpr int64_t kMaxMemoryWaves = 4;
constexpr double kGainOfWave = 0.02;
/// If columns alone fill the device, fewer threads share one while a part of 1 / kMostIdleRows of
/// the rows of all steps would not exist: the sum of the columns of 100x1000000 bf16 takes 50 us
/// there with 4 rows of threads, 59 with 16.
constexpr int64_t kMostIdleRows = 8;
/// Of so few rows, each thread takes all rows of its columns, if those fill the device with so many
/// threads of a multiprocessor: threads of a block, and vectors in flight.
constexpr int64_t kRowsOfOneThread = 64, kThreadsOfFewRows = 1024;
constexpr int64_t kThreadsOfColumns = 128, kMostOfFewRows = 8;
/// Sums of so many rows, or elements, have as many threads as vectors along the columns. Those of
/// fewer have a power of two, so that launches with blocks of one size can become one.
constexpr int64_t kRowsOfExactLanes = 4096, kElementsOfExactLanes = 1 << 24;
/// Of narrow vectors, more than kWideSegmentBytes if that is all columns: 100x3000x500 bf16 takes
/// 76 us there with 125 threads of four elements, 88 with 64.
constexpr int64_t kMostExactLanes = 128;
/// Where threads exchange several values, each exchange takes as long as many elements: the index
/// of the greatest element of each row of 30000x4096 bf16 takes 111 us on one NVIDIA H100 with 32
/// threads of a row, 271 with 512. The least threads of all rows for a multiprocessor: three times
/// those that are resident.
constexpr int64_t kExchangeThreads = 6 * 1024;
/// Of many rows of single elements, the threads of each, the longest row, and the vectors of a
/// thread in flight. Indices of greatest elements of 64 million of bf16 take 80, 71 and 69 us on
/// one NVIDIA H100 with 8 threads for rows of 129, 333 and 501; with 32 threads 143, 96 and 79.
constexpr int64_t kThreadsOfExchange = 8, kLongestOfExchange = 640, kUnrollOfExchange = 10;
/// The threads of a block of columns that take at most so many steps, before they exchange several
/// values: mean and variance over the middle of 128x1024x77 f32 take 17.6 us on one NVIDIA H200
/// with 256 threads, 38.6 with 512; of 300x333x100 bf16 16.4 and 21.4; of 64x2000x201 f32, 31
/// steps, 44.
constexpr int64_t kMostThreadsOfExchange = 256, kFewStepsOfExchange = 8;
/// Where these have few bytes in flight, the least adjacent bytes that the threads along a row
/// cover, and the most threads: mean and variance of 4001x4003 bf16 take 18.9 us there with 32 of
/// them, 26.4 with 128.
constexpr int64_t kSegmentOfExchange = 64, kMostLanesOfExchange = 64;
/// The part of the device that strips of columns fill at least before blocks share one, if threads
/// have few bytes in flight: mean and variance over the middle of 57x875x263 bf16 take 14.9 us
/// there with 513 blocks, 22 with 1026 of half the rows, and the sum 12.5 and 18.1.
constexpr double kFilledByStrips = 0.6;
constexpr int64_t kMostWavesOfStrips = 5;
/// Threads of a row, of many that more would read with one vector each: sums of 50000x2000 f32 take
/// 129 us there with 128 of them, 149 with 512.
constexpr int64_t kThreadsOfManyRows = 128;
/// The part of the device that the rows of all results fill at least, if blocks do not share their
/// elements, for which each step divides by the steps of a row.
constexpr double kFilledByRows = 0.75;
/// 16-byte vectors of a thread in flight, of all tensors that it reads; twice as many if vectors
/// are narrower.
constexpr int64_t kUnroll = 4;
/// Bytes that a thread has in flight of several tensors that are reduced to one element. Bytes of
/// these and of accumulators for which it has registers if kBlocksPerMultiprocessor blocks are
/// resident, and if twice as many are. A launch of which all blocks have to be resident (the
/// quotient of two norms, or of two deviations) would otherwise spill.
constexpr int64_t kMostBytesOfTensors = 128;
constexpr int64_t kBytesOfFewBlocks = 224, kBytesOfManyBlocks = 96;
/// The most rows of a block that read the same elements of arguments without their dimension, so
/// that the first-level cache holds these for all of them.
constexpr int64_t kMostSharingRows = 8;
/// The minimum and the preferred number of adjacent bytes of a row that the threads along it cover.
constexpr int64_t kSegmentBytes = 128;
constexpr int64_t kWideSegmentBytes = 512;
constexpr int64_t kMaxLanes = 256;
/// Threads along a row of strips of narrow vectors, the least bytes of these where a sum reads more
/// than kFewBytes, the bytes of a thread in flight, the most steps of a thread, and the part of the
/// device that the strips fill at least.
constexpr int64_t kLanesOfStrip = 32;
constexpr int64_t kLeastNarrowBytes = 8;
constexpr double kFewBytes = 128e6;
constexpr int64_t kNarrowBytesInFlight = 32;
constexpr int64_t kMostNarrowSteps = 32;
constexpr double kFilledShare = 0.9;
/// Strips of half as many lanes, with half as many threads of a block, if they distribute so much
/// more evenly over the multiprocessors: variances of 64x1000x300 f32 over the middle take 23 us
/// on one NVIDIA H200 with 640 blocks, 32 with 320.
constexpr double kGainOfHalfStrips = 0.1;
/// Bytes of the accumulators of a thread that sums columns: narrower vectors instead of more.
constexpr int64_t kMostBytesOfAccumulators = 160;

} // namespace

/// Fewer threads of a row than `loops` has, as few as fill the device with a few waves, from a warp
/// on.
static void fitExchange(const ReductionInput &input, int64_t vectors, std::optional<int64_t> rows,
                        ReductionLoops &loops) {
  const int64_t least = input.device.multiprocessors * kExchangeThreads;
  const bool fillsDevice = !rows || *rows * kThreadsOfExchange >= least;
  if (input.vector == 1 && fillsDevice && vectors > input.device.warpSize &&
      vectors <= kLongestOfExchange) {
    loops.threadsX = kThreadsOfExchange;
    loops.threadsY = kWarpRowThreads / kThreadsOfExchange;
    loops.unroll =
        std::min<int64_t>(kUnrollOfExchange, llvm::divideCeil(vectors, kThreadsOfExchange));
    return;
  }
  int64_t threads = input.device.warpSize;
  while (rows && *rows * threads < least && threads < loops.threadsX)
    threads *= 2;
  if (threads >= loops.threadsX)
    return;
  const int64_t unroll = input.vector * input.elementBytes < 16 ? 2 * kUnroll : kUnroll;
  loops.threadsX = threads;
  loops.threadsY = std::max<int64_t>(1, kWarpRowThreads / threads);
  loops.unroll = std::min<int64_t>(unroll, llvm::divideCeil(vectors, threads));
}

/// Finds adjacent rows that read the same elements of most arguments.
static void findSharingRows(const KernelView &kernel, ReductionInput &input) {
  const ReductionShape &shape = input.shape;
  if (!shape.isInner() || shape.outerKept.empty())
    return;
  const unsigned row = shape.outerKept.back();
  const int64_t numShared = llvm::count_if(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return !tensor.isOutput && !llvm::is_contained(tensor.order, row) &&
           llvm::all_of(shape.getReduced(), [&](unsigned dimClass) {
             return llvm::is_contained(tensor.order, dimClass);
           });
  });
  const std::optional<int64_t> rows = input.requirements.getSize({row});
  if (numShared <= input.numReads || !rows || *rows < 2 || *rows > kMostSharingRows)
    return;
  input.numShared = numShared;
  input.sharingRows = *rows;
}

/// Rows that read the same elements share a block, with as many vectors of a thread in flight as
/// its registers hold.
static void fitSharingRows(const ReductionInput &input, ReductionLoops &loops) {
  const int64_t bytes = (input.numReads + input.numShared) * input.vector * input.elementBytes;
  loops.threadsY = input.sharingRows;
  loops.threadsX =
      std::min<int64_t>(loops.threadsX, llvm::bit_floor(uint64_t(kThreads / input.sharingRows)));
  loops.unroll = std::clamp<int64_t>(kMostBytesOfTensors / bytes, 1, kUnroll);
}

static ReductionLoops chooseInner(const ReductionInput &input) {
  ReductionLoops numbers{kThreads, 1, input.vector, kUnroll, 1};
  std::optional<int64_t> row = input.requirements.getSize(input.shape.innerReduced);
  std::optional<int64_t> outer = input.requirements.getSize(input.shape.outerReduced);
  const SmallVector<unsigned> keptClasses = input.shape.getKept();
  std::optional<int64_t> results = input.requirements.getSize(keptClasses);
  bool isFull = keptClasses.empty();

  std::optional<int64_t> vectors;
  if (row)
    vectors = std::max<int64_t>(1, llvm::divideCeil(*row, input.vector));
  if (vectors && !isFull) {
    const int64_t vectorBytes = input.vector * input.elementBytes;
    if (!fitShortRow(*vectors, vectorBytes, results, numbers))
      fitRow(*vectors, vectorBytes < 16, results, numbers);
    if (input.exchangesSeveral)
      fitExchange(input, *vectors, results, numbers);
    if (haveManyRows(results) && numbers.unroll == 1 && numbers.threadsX > kThreadsOfManyRows)
      numbers = {kThreadsOfManyRows, kWarpRowThreads / kThreadsOfManyRows, input.vector, kUnroll,
                 1};
    if (input.sharingRows > 1 && numbers.threadsY == 1)
      fitSharingRows(input, numbers);
  }

  const int64_t bytes = (input.numReads + input.numShared) * input.vector * input.elementBytes;
  const int64_t accumulators = input.vector * input.accumulatorBytes;
  const bool areSeveral =
      isFull || input.numShared > 0 || (input.numReductions > 1 && input.exchangesSeveral);
  while (numbers.unroll > 1 &&
         ((isFull && numbers.unroll * bytes > kMostBytesOfTensors) ||
          (areSeveral && numbers.unroll * bytes + accumulators > kBytesOfFewBlocks)))
    numbers.unroll /= 2;
  // Blocks that share a result, until the device is full; each has at least one step. Of small
  // blocks, more are resident.
  const bool areFew = areSeveral && numbers.unroll * bytes + accumulators > kBytesOfManyBlocks;
  int64_t slots = input.device.multiprocessors * kBlocksPerMultiprocessor * (areFew ? 1 : 2) *
                  std::max<int64_t>(1, kThreads / 2 / (numbers.threadsX * numbers.threadsY));
  const int64_t rowSteps =
      vectors ? llvm::divideCeil(*vectors, numbers.threadsX * numbers.unroll) : slots;
  int64_t wanted = 1;
  if (isFull)
    wanted = slots;
  else if (results && *results > 0) {
    int64_t blocks = llvm::divideCeil(*results, numbers.threadsY);
    if (blocks * 2 <= slots)
      wanted = slots / blocks;
  }
  int64_t steps = rowSteps;
  if (!input.shape.outerReduced.empty()) {
    steps = outer ? *outer : slots;
    numbers.splitRows = double(steps) < kFilledByRows * double(wanted) && rowSteps > 1;
    if (numbers.splitRows)
      steps *= rowSteps;
  }
  // A block of several short rows takes several of them in turn.
  if (numbers.threadsY > 1 && !isFull && !numbers.splitRows)
    steps /= kUnroll;
  numbers.splits = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, steps));
  numbers.splitRows &= numbers.splits > 1;
  return numbers;
}

/// True if a thread that sums columns has few bytes in flight.
static bool isOfFewBytes(const ReductionInput &input, int64_t unroll) {
  return unroll * input.numReads * input.vector * input.readBytes < kBytesOfFewThreads;
}

/// True for small blocks of such threads that exchange several values. Wide strips of larger ones
/// write whole sectors.
static bool isExchangeOfFewBytes(const ReductionInput &input, int64_t unroll) {
  return input.exchangesSeveral && !input.writesElements && !input.isComputeBound &&
         isOfFewBytes(input, unroll);
}

/// Threads of a block that sums columns, of which so many threads read adjacent vectors.
static int64_t getOuterThreads(const ReductionInput &input, int64_t unroll, int64_t lanes,
                               std::optional<int64_t> rows) {
  if (input.isComputeBound)
    return kArithmeticThreads;
  if (isExchangeOfFewBytes(input, unroll))
    return kMostThreadsOfExchange;
  if (isOfFewBytes(input, unroll))
    return kManyThreads;
  const bool isShort = rows && *rows < kRowsOfExactLanes;
  return isShort && lanes < 32 && llvm::isPowerOf2_64(lanes) ? kNarrowThreads : kThreads;
}

/// Blocks of a wave.
static int64_t getOuterSlots(const ReductionInput &input, int64_t unroll, int64_t threads) {
  if (input.isComputeBound)
    return input.device.multiprocessors * kBlocksOfWave;
  const int64_t resident =
      isOfFewBytes(input, unroll) ? kManyResidentThreads : kBlocksPerMultiprocessor * kThreads;
  return input.device.multiprocessors * std::max<int64_t>(1, resident / threads);
}

/// The part of the device's time that so many equal blocks use, if all are resident at once.
static double getBusyShare(int64_t blocks, const artifact::DeviceDescription &device) {
  return double(blocks) / double(llvm::alignTo(blocks, device.multiprocessors));
}

/// Strips of narrower vectors, as many as fill the device without sharing results: for few rows,
/// the exchange through memory costs more than narrow vectors. nullopt if there are too few strips.
static std::optional<ReductionLoops>
chooseNarrowStrips(const ReductionInput &input, int64_t columns, int64_t others, int64_t rows) {
  const int64_t slots = input.device.multiprocessors * kBlocksPerMultiprocessor;
  const double bytes = double(columns) * double(others) * double(rows) * double(input.elementBytes);
  for (int64_t vector = input.vector / 2;
       vector * kLanesOfStrip * input.elementBytes >= kSegmentBytes; vector /= 2) {
    if (vector * input.elementBytes < kLeastNarrowBytes && bytes > kFewBytes)
      break;
    const int64_t strips = llvm::divideCeil(columns, kLanesOfStrip * vector) * others;
    if (double(strips) < kFilledShare * double(slots))
      continue;
    const int64_t unroll =
        std::max<int64_t>(1, kNarrowBytesInFlight / (vector * input.readBytes * input.numReads));
    ReductionLoops numbers{kLanesOfStrip, kThreads / kLanesOfStrip, vector,
                           int64_t(llvm::bit_floor(uint64_t(unroll))), 1};
    const int64_t lanes = kLanesOfStrip / 2,
                  halves = llvm::divideCeil(columns, lanes * vector) * others;
    if (lanes * vector * input.elementBytes >= kSegmentBytes &&
        getBusyShare(halves, input.device) > getBusyShare(strips, input.device) + kGainOfHalfStrips)
      numbers.threadsX = lanes;
    const int64_t steps = rows / (numbers.threadsY * numbers.unroll);
    return steps >= 1 && steps <= kMostNarrowSteps ? std::optional(numbers) : std::nullopt;
  }
  return std::nullopt;
}

/// Loops in which no threads share a column, so that nothing is exchanged. nullopt for more rows or
/// fewer columns.
static std::optional<ReductionLoops> chooseFewRows(const ReductionInput &input, int64_t columns,
                                                   int64_t others, int64_t rows) {
  const int64_t vectors = llvm::divideCeil(columns, input.vector);
  if (rows < 1 || rows > kRowsOfOneThread ||
      double(vectors) * double(others) <
          double(input.device.multiprocessors) * double(kThreadsOfFewRows))
    return std::nullopt;
  const int64_t most = std::max<int64_t>(2, kMostOfFewRows / input.numReads);
  // Steps of equally many rows, if possible: a step that is not whole has predicates.
  int64_t unroll = llvm::divideCeil(rows, llvm::divideCeil(rows, most));
  for (int64_t whole = std::min(most, rows); 2 * whole >= most; --whole)
    if (rows % whole == 0) {
      unroll = whole;
      break;
    }
  return ReductionLoops{kThreadsOfColumns, 1, input.vector, unroll, 1};
}

/// Vectors of each tensor that a thread has in flight: less for several tensors, unless these are
/// few bytes.
static int64_t getOuterUnroll(const ReductionInput &input) {
  if (input.isComputeBound)
    return kArithmeticUnroll;
  const int64_t most = input.vector * input.elementBytes < 16 ? 2 * kUnroll : kUnroll;
  const int64_t bytes = input.numReads * input.vector * input.readBytes;
  return llvm::bit_floor(uint64_t(std::clamp<int64_t>(
      kBytesOfFewThreads / bytes, std::max<int64_t>(1, most / input.numReads), most)));
}

/// The least and the most threads along a row.
struct LaneRange {
  int64_t least, most;
};

static LaneRange getOuterLanes(const ReductionInput &input, int64_t unroll,
                               std::optional<int64_t> columns, std::optional<int64_t> others,
                               std::optional<int64_t> rows) {
  const int64_t vectorBytes = input.vector * input.elementBytes;
  const bool isExchange = isExchangeOfFewBytes(input, unroll);
  const int64_t segment = isExchange ? kSegmentOfExchange : kSegmentBytes;
  const int64_t least = std::clamp<int64_t>(segment / vectorBytes, 1, kMaxLanes);
  int64_t most = std::clamp<int64_t>(
      (input.isComputeBound ? kArithmeticSegmentBytes : kWideSegmentBytes) / vectorBytes, 1,
      kMaxLanes);
  if (columns && *columns > 0) { // no lanes out of bounds
    const int64_t vectors = llvm::divideCeil(*columns, input.vector);
    const bool isExact = rows && (*rows >= kRowsOfExactLanes ||
                                  double(*rows) * double(*columns) * double(others.value_or(1)) >=
                                      double(kElementsOfExactLanes));
    if (isExact && vectorBytes < 16 && vectors <= kMostExactLanes && !input.isComputeBound)
      most = std::max(most, vectors);
    most = std::min<int64_t>(most, isExact ? vectors : int64_t(llvm::PowerOf2Ceil(vectors)));
  }
  if (isExchange)
    most = std::min(most, kMostLanesOfExchange);
  return {std::min(least, most), most};
}

/// The rows of threads of a block with so many threads along each.
static int64_t getOuterRows(const ReductionInput &input, int64_t unroll, int64_t lanes,
                            std::optional<int64_t> rows) {
  return llvm::bit_floor<uint64_t>(
      std::max<int64_t>(1, getOuterThreads(input, unroll, lanes, rows) / lanes));
}

/// Sets the strip width and the number of splits that fill whole waves best.
static void chooseStrips(const ReductionInput &input, LaneRange range, int64_t columns,
                         int64_t others, int64_t rows, ReductionLoops &numbers) {
  const bool areFew = !input.isComputeBound && isOfFewBytes(input, numbers.unroll);
  double best = -1;
  for (int64_t lanes = range.most; lanes >= range.least; lanes /= 2) {
    int64_t threadsY = getOuterRows(input, numbers.unroll, lanes, rows);
    int64_t slots = getOuterSlots(input, numbers.unroll, threadsY * lanes);
    int64_t strips = std::max<int64_t>(1, llvm::divideCeil(columns, lanes * input.vector) *
                                              std::max<int64_t>(1, others));
    int64_t steps = std::max<int64_t>(1, rows / (threadsY * numbers.unroll));
    const double inBounds = double(columns) / double(llvm::alignTo(std::max<int64_t>(1, columns),
                                                                   lanes * input.vector));
    for (int64_t wave = 1, e = input.isComputeBound ? kMaxWaves : kMaxMemoryWaves; wave <= e;
         ++wave) {
      int64_t splits =
          std::clamp<int64_t>(wave * slots / strips, 1, std::min<int64_t>(steps, 65535));
      int64_t waves = llvm::divideCeil(strips * splits, slots);
      double used = double(strips * splits) / double(waves * slots);
      // More strips of fewer threads instead of partial results.
      const bool areStripsEnough = areFew && splits == 1 && strips <= kMostWavesOfStrips * slots;
      if (areStripsEnough)
        used = std::min(1.0, double(strips) / double(slots) / kFilledByStrips);
      if (!input.isComputeBound)
        used = used * inBounds - kGainOfWave * double(wave - 1);
      // A slightly better utilization does not justify more partial results.
      if (used > best + (areStripsEnough ? -0.01 : 0.02)) {
        best = used;
        numbers.threadsX = lanes;
        numbers.threadsY = threadsY;
        numbers.splits = splits;
      }
    }
  }
}

static ReductionLoops chooseOuter(const ReductionInput &input) {
  ReductionLoops numbers{kThreads, 1, input.vector, kUnroll, 1};
  numbers.unroll = getOuterUnroll(input);
  std::optional<int64_t> columns = input.requirements.getSize(input.shape.innerKept);
  std::optional<int64_t> others = input.requirements.getSize(input.shape.outerKept);
  std::optional<int64_t> rows = input.requirements.getSize(input.shape.outerReduced);
  const LaneRange lanes = getOuterLanes(input, numbers.unroll, columns, others, rows);
  numbers.threadsX = lanes.most;
  numbers.threadsY = getOuterRows(input, numbers.unroll, lanes.most, rows);
  if (!columns || !others || !rows)
    return numbers;
  if (std::optional<ReductionLoops> few = chooseFewRows(input, *columns, *others, *rows))
    return *few;
  chooseStrips(input, lanes, *columns, *others, *rows, numbers);
  if (numbers.splits > 1 && !input.isComputeBound)
    if (std::optional<ReductionLoops> narrow =
            chooseNarrowStrips(input, *columns, std::max<int64_t>(1, *others), *rows))
      return *narrow;
  const int64_t all = llvm::divideCeil(*columns, numbers.threadsX * input.vector) *
                      std::max<int64_t>(1, *others) * numbers.threadsX;
  const int64_t resident = input.device.multiprocessors * kBlocksPerMultiprocessor * kThreads;
  auto hasIdleRows = [&] {
    const int64_t step = numbers.threadsY * numbers.unroll;
    const int64_t rest = llvm::alignTo(*rows, step) - *rows;
    return *rows > step && rest * kMostIdleRows > *rows;
  };
  while (!input.isComputeBound && numbers.splits == 1 && numbers.threadsY > 1 && hasIdleRows() &&
         all * numbers.threadsY / 2 >= resident)
    numbers.threadsY /= 2;
  // Few rows: fewer loads in flight, and no threads without a row.
  while (numbers.unroll > 1 && numbers.threadsY * numbers.unroll > std::max<int64_t>(1, *rows))
    numbers.unroll /= 2;
  while (numbers.threadsY > 1 && numbers.threadsY > std::max<int64_t>(1, *rows) &&
         numbers.threadsX * numbers.threadsY > kShortRowThreads)
    numbers.threadsY /= 2;
  return numbers;
}

/// Smaller blocks if they take few steps before they combine several values of each thread: more of
/// them are resident meanwhile.
static void limitThreadsOfExchange(const ReductionInput &input, ReductionLoops &loops) {
  const std::optional<int64_t> rows = input.requirements.getSize(input.shape.outerReduced);
  const int64_t step = loops.splits * loops.threadsY * loops.unroll;
  if (input.exchangesSeveral && rows && *rows <= kFewStepsOfExchange * step && loops.threadsY > 1 &&
      loops.threadsX * loops.threadsY > kMostThreadsOfExchange)
    loops.threadsY /= 2;
}

/// Fewer blocks for a result where those of the grid, which may wait for each other, would not be
/// resident at once.
static void limitSplits(const ReductionInput &input, ReductionLoops &loops) {
  const int64_t most = input.device.maxCooperativeThreads / (loops.threadsX * loops.threadsY);
  if (loops.splits == 1 || input.device.maxCooperativeThreads == 0)
    return;
  const std::optional<int64_t> blocks = getNumBlocks(input.requirements, input.shape, loops);
  if (!blocks || *blocks > most)
    loops.splits = blocks ? std::max<int64_t>(1, loops.splits * most / *blocks) : 1;
  loops.splitRows &= loops.splits > 1;
}

ReductionLoops fuser::fitReduction(const KernelView &kernel, ReductionInput input) {
  findSharingRows(kernel, input);
  while (!input.shape.isInner() && input.vector > 1 &&
         input.vector * input.accumulatorBytes > kMostBytesOfAccumulators)
    input.vector /= 2;
  ReductionLoops loops = input.shape.isInner() ? chooseInner(input) : chooseOuter(input);
  if (!input.shape.isInner())
    limitThreadsOfExchange(input, loops);
  limitSplits(input, loops);
  return loops;
}
