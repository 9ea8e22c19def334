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
#include <numeric>

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
/// Adjacent bytes of a strip, how much longer narrower ones take than the first, and how much
/// longer those take of which no row begins at a sector: two strips access each sector at their
/// common border. Normalization of columns by their variance takes, on one NVIDIA H200, us: strips
/// of 32 bytes of 16384x4016, x4008, x4004 and x4002 bf16 124, 190, 263 and 283, of 16384x4008,
/// x4004, x4002 and x4001 f32 219, 355, 502 and 568; strips of 128 bytes of 2048x30008, x30002 and
/// x30001 f32 152, 236 and 244.
struct Strip {
  int64_t bytes;
  double cost, costOfSharedSectors;
};
constexpr Strip kStrips[] = {{kWidestStripBytes, 1.0, 1.6}, {64, 1.1, 1.5}, {32, 1.3, 2.5}};
/// The blocks of a cluster from which on strips are so long that others access their sectors too
/// late to find them in a cache: normalization of 300x333x101 f32 over the middle takes 34 us.
constexpr double kLargeCluster = 4;
/// How much longer loads of elements take than copies: the same for bf16 takes 33 us.
constexpr double kCostOfLoads = 1.7;
/// How much longer strips of merged planes take that are accessed by elements of 4 bytes, the index
/// of each of which is divided (twice as long for elements of 2 bytes, which are loaded instead of
/// copied), and with each other block of a cluster. Batch norm of 512x128x29x29 takes 247 us there
/// for f32 and 198 for bf16, predicted 176 and 71 without this; one of 64x64x56x56 f32, with
/// vectors, 37.2, predicted 36.2.
constexpr double kCostOfDivisions = 1.12, kCostOfPeerOfElements = 0.04;
constexpr int64_t kVectorBytes = 16;
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

/// How much longer strips of a width take as what they have of a row does not begin at sectors: in
/// proportion to the part of it that does not. Merged planes are longer than all strips.
static double getCostOfAlignment(const StripSizes &sizes, const StripFit &fit, const Strip &strip) {
  constexpr double worst = 7.0 / 8;
  if (sizes.columns == 0 || (sizes.part != 0 && fit.part == 0))
    return 1;
  const int64_t part = std::max<int64_t>(sizes.part, 1) * sizes.elementBytes;
  const int64_t bytes = std::gcd(sizes.columns * part, countColumns(sizes, fit) * part);
  const double apart = 1 - double(std::gcd(bytes, kSectorBytes)) / double(kSectorBytes),
               cost = 1 + (strip.costOfSharedSectors - 1) * apart / worst *
                              std::min(1.0, double(fit.cluster) / kLargeCluster);
  return sizes.areCopied() ? cost : std::max(cost, kCostOfLoads);
}

/// How much longer a grid takes as the last strip of each row has columns that do not exist.
static double getCostOfMissing(const StripSizes &sizes, const StripFit &fit) {
  if (sizes.columns == 0)
    return 1;
  return double(llvm::alignTo(sizes.columns, countColumns(sizes, fit))) / double(sizes.columns);
}

/// How much longer strips of merged planes take.
static double getCostOfPlanes(const StripSizes &sizes, const StripFit &fit) {
  const int64_t bytes = sizes.vector * sizes.elementBytes;
  if (sizes.part == 0 || fit.part != 0 || bytes >= kVectorBytes)
    return 1;
  const double each = std::max(1.0, double(kLeastCopyBytes) / double(bytes));
  return kCostOfDivisions * each * (1 + kCostOfPeerOfElements * double(fit.cluster - 1));
}

double fuser::getCostOfStrip(const StripSizes &sizes, const StripFit &fit) {
  constexpr Strip narrower = {0, 2.0, 2.5};
  const int64_t elements = fit.getThreads() / fit.rows * sizes.vector;
  // Of elements that are narrower when they are stored, rows are shorter.
  const int64_t element =
      sizes.storedBytes > 0 ? std::min(sizes.storedBytes, sizes.elementBytes) : sizes.elementBytes;
  const auto *strip = llvm::find_if(kStrips, [&](const Strip &each) {
    return (sizes.part != 0 && fit.part == 0) || each.bytes <= elements * element;
  });
  const Strip &width = strip == std::end(kStrips) ? narrower : *strip;
  return width.cost * getCostOfAlignment(sizes, fit, width) * getCostOfSectors(sizes, fit) *
         getCostOfMissing(sizes, fit) * getCostOfPlanes(sizes, fit);
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
        consider(fit, getCostOfStrip(sizes, fit));
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
