//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fits strips to the shared memory of blocks and clusters.
//
//===----------------------------------------------------------------------===//

#include "StripFit.h"
#include "Warps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace fuser;

namespace {

/// Threads of a block, and the most along the third axis. The second number is that of blocks whose
/// vectors are narrower than an asynchronous copy: loads that wait for registers take more threads
/// to keep memory busy. Batch norm of 64x64x55x55 bf16 takes 36 us on one NVIDIA H200 with 512
/// threads, 97 with 256.
constexpr int64_t kBlocks[] = {256, 512}, kMaxPlanes = 64;
/// Rows of a thread at a time: so many that its last step has the fewest that do not exist. Of
/// equal ones the first is taken; more of them keep memory busier.
constexpr int64_t kUnrolls[] = {4, 5, 6, 7, 8}, kUnrollsOfLoads[] = {8, 7, 6, 5, 4};
/// Adjacent bytes of a strip, and how much longer narrower ones take than the first: with copies,
/// and with loads of single elements, of which no row begins at a sector.
struct Strip {
  int64_t bytes;
  double cost, costOfLoads;
};
constexpr Strip kStrips[] = {{kWidestStripBytes, 1.0, 1.0}, {64, 1.1, 1.2}, {32, 1.3, 1.6}};
/// How much longer strips take of which an output has less than a sector in each row. Quantization
/// of 16384x4096 bf16 to int8 takes 195 us on one NVIDIA H200 with strips of 16 columns, a softmax
/// of the same 16384x4096, which stores twice as many bytes, 122.
constexpr double kCostOfPartSectors = 2;
/// How much longer each block of a cluster takes that waits for others.
constexpr double kCostOfPeer = 0.025;
/// The multiprocessors of a group in which all blocks of a cluster are: a cluster of a size that
/// does not divide them leaves some idle. Softmax of 50000x1024 bf16 along the columns takes 125 us
/// on one NVIDIA H200 with clusters of 8, 136 with those of 7.
constexpr int64_t kGroupMultiprocessors = 16;
/// How much longer a single resident block takes than two, where strips are chosen: batch norm of
/// 512x2048x7x7 bf16 in channels-last order takes 90 us there with one block that has strips of 64
/// bytes, 99 with two that have 32. Three or more are better than a single one, though not if that
/// has strips of 128 bytes, nor if theirs share sectors.
constexpr double kCostOfSingle = 1.1, kCostOfSingleNextToMany = 1.2, kMostCostOfMany = 1.5;
constexpr int64_t kManyResident = 3;
/// Bytes of shared memory that the device takes of each block, and those by which threads and
/// blocks combine what they have of a column.
constexpr int64_t kReservedBytes = 1024, kExchangeBytesOfColumn = 128;

} // namespace

/// How `threads` lie in a strip of so many adjacent bytes.
static StripFit placeThreads(const StripSizes &sizes, int64_t threads, int64_t bytes) {
  StripFit fit;
  const int64_t lanes = std::max<int64_t>(1, bytes / (sizes.vector * sizes.elementBytes));
  auto limit = [](int64_t most, int64_t needed) {
    return std::clamp<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(needed, 1)), 1, most);
  };
  if (sizes.part != 0) {
    fit.part = llvm::PowerOf2Ceil(llvm::divideCeil(sizes.part, sizes.vector));
    if (fit.part > lanes)
      fit.part = 0;
    else
      fit.columns = limit(lanes / fit.part, sizes.columns);
  } else {
    fit.columns = limit(lanes, llvm::divideCeil(sizes.columns, sizes.vector));
  }
  fit.rows = threads / (fit.columns * std::max<int64_t>(fit.part, 1));
  if (fit.part > 1)
    fit.rows = std::min(fit.rows, kMaxPlanes);
  return fit;
}

int64_t fuser::countColumns(const StripSizes &sizes, const StripFit &fit) {
  return fit.columns * (sizes.part == 0 ? sizes.vector : 1);
}

int64_t fuser::countStrips(const StripSizes &sizes, const StripFit &fit) {
  return sizes.outer * llvm::divideCeil(sizes.columns, countColumns(sizes, fit));
}

int64_t fuser::getSharedBytes(const StripSizes &sizes, const StripFit &fit) {
  return fit.getVectors() * sizes.vectorBytes + countColumns(sizes, fit) * kExchangeBytesOfColumn;
}

/// How much longer a strip takes because sectors that it stores are shared with other strips.
static double getCostOfSectors(const StripSizes &sizes, const StripFit &fit) {
  const int64_t elements = fit.getThreads() / fit.rows * sizes.vector;
  const bool isPart = fit.part != 0 && sizes.storedBytes > 0 &&
                      countColumns(sizes, fit) < sizes.columns &&
                      elements * sizes.storedBytes < kSectorBytes;
  return isPart ? kCostOfPartSectors : 1;
}

double fuser::getCostOfStrip(const StripSizes &sizes, const StripFit &fit) {
  constexpr double costOfNarrower = 2;
  const int64_t bytes = fit.getThreads() / fit.rows * sizes.vector * sizes.elementBytes;
  const auto *strip = llvm::find_if(
      kStrips, [&](const Strip &each) { return fit.part == 0 || each.bytes <= bytes; });
  return (strip == std::end(kStrips) ? costOfNarrower : strip->cost) * getCostOfSectors(sizes, fit);
}

int64_t fuser::getMostShared(int64_t resident, const artifact::DeviceDescription &device) {
  return std::min(std::max(device.sharedBytesPerBlock, device.sharedBytesPerBlockOptIn),
                  device.sharedBytesPerMultiprocessor / resident - kReservedBytes);
}

/// How much longer loads by `threads` resident ones take: fewer keep memory less busy.
static double getCostOfThreads(int64_t threads) {
  constexpr double few = 1024, all = 2048, gain = 0.15;
  return std::max(1.0, few / double(threads)) *
         std::pow(all / std::min(double(threads), all), gain);
}

/// How much longer a grid takes as clusters do not fill the groups of multiprocessors. Where
/// several blocks share a multiprocessor they do.
static double getCostOfGroups(int64_t cluster, int64_t resident) {
  if (resident > 1)
    return 1;
  return double(kGroupMultiprocessors) / double(kGroupMultiprocessors / cluster * cluster);
}

/// How long a strip takes, without its width. What is not copied is loaded by steps, the last of
/// which waits for each of its loads if some rows do not exist. Blocks of more threads take longer
/// to combine what they have.
static double getCost(const StripSizes &sizes, const StripFit &fit, int64_t rows,
                      const artifact::DeviceDescription &device) {
  const double blocks = double(countStrips(sizes, fit)) * double(fit.cluster);
  double cost = (1 + kCostOfPeer * double(fit.cluster - 1)) * double(fit.getMostRows()) *
                std::max(1.0, double(device.multiprocessors) / blocks);
  if (sizes.areCopied())
    return cost;
  constexpr double costOfBounds = 1.1, costOfManyThreads = 1.05;
  if (fit.getMostRows() != rows)
    cost *= costOfBounds;
  if (fit.getThreads() > kBlocks[0])
    cost *= costOfManyThreads;
  const int64_t resident = std::max<int64_t>(1, device.sharedBytesPerMultiprocessor /
                                                    (getSharedBytes(sizes, fit) + kReservedBytes));
  return cost * getCostOfThreads(resident * fit.getThreads());
}

namespace {
/// A fit, its cost, and that of the width of its strips.
struct CostOfFit {
  StripFit fit;
  double cost, costOfStrip;
};
} // namespace

/// The fit that takes the least time, so that `resident` blocks share a multiprocessor. nullopt if
/// no cluster has the shared memory.
static std::optional<CostOfFit> fitResident(const StripSizes &sizes, int64_t resident,
                                            const artifact::DeviceDescription &device) {
  const int64_t most = getMostShared(resident, device);
  std::optional<CostOfFit> best;
  auto consider = [&](StripFit fit, double costOfStrip) {
    const int64_t rows =
        fit.part != 0 ? sizes.rows : llvm::divideCeil(sizes.rows * sizes.part, sizes.vector);
    const int64_t each = std::max<int64_t>(1, llvm::divideCeil(rows, fit.rows * fit.cluster));
    for (int64_t unroll : sizes.areCopied() ? kUnrolls : kUnrollsOfLoads) {
      fit.unroll = std::min(unroll, each);
      fit.steps = llvm::divideCeil(each, fit.unroll);
      if (getSharedBytes(sizes, fit) > most)
        continue;
      const double cost =
          costOfStrip * getCost(sizes, fit, rows, device) * getCostOfGroups(fit.cluster, resident);
      if (!best || cost < best->cost)
        best = CostOfFit{fit, cost, costOfStrip};
    }
  };
  for (const Strip &strip : kStrips)
    for (int64_t threads : llvm::ArrayRef(kBlocks).take_front(sizes.areCopied() ? 1 : 2)) {
      StripFit fit = placeThreads(sizes, threads, strip.bytes);
      for (fit.cluster = 1; fit.cluster <= std::clamp<int64_t>(device.maxClusterBlocks, 1, 8);
           ++fit.cluster)
        consider(fit, (sizes.areCopied() ? strip.cost : strip.costOfLoads) *
                          getCostOfSectors(sizes, fit));
    }
  return best;
}

std::optional<StripFit> fuser::fitStrip(const StripSizes &sizes,
                                        const artifact::DeviceDescription &device) {
  const std::optional<CostOfFit> single = fitResident(sizes, /*resident=*/1, device);
  if (!single)
    return std::nullopt;
  // While one block combines partial results, the copies of another one are in flight.
  if (!sizes.areCopied())
    return single->fit;
  if (std::optional<CostOfFit> two = fitResident(sizes, /*resident=*/2, device);
      two && (two->costOfStrip <= single->costOfStrip * kCostOfSingle ||
              (two->costOfStrip <= single->costOfStrip * kMostCostOfMany &&
               getSharedBytes(sizes, two->fit) <= getMostShared(kManyResident, device))))
    return two->fit;
  const std::optional<CostOfFit> many = fitResident(sizes, kManyResident, device);
  return many && many->costOfStrip <= single->costOfStrip * kCostOfSingleNextToMany &&
                 many->fit.getThreads() >= single->fit.getThreads()
             ? many->fit
             : single->fit;
}
