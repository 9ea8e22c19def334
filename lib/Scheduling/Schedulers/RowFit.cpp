//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fits rows to the registers of threads.
//
//===----------------------------------------------------------------------===//

#include "RowFit.h"
#include "ReductionLoops.h"
#include "Warps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace fuser;

/// Bytes of a row per thread, if the registers permit: more for long rows of short elements, of one
/// length, which are reduced by fewer warps then.
constexpr int64_t kBytesPerThread = 64, kBytesPerThreadOfLongRow = 128;
constexpr int64_t kLongRowBytes = 16 * 1024;
/// For still longer rows, as much as a thread can keep packed in half of its registers, if as many
/// threads as leave room for a second block can. A row that is reduced once needs no more warps to
/// reduce it quickly up to a greater length.
constexpr int64_t kBytesPerThreadOfLongestRow = 256;
constexpr int64_t kLongestRowBytes = 32 * 1024, kLongestRowBytesOfOneStep = 48 * 1024;
constexpr int64_t kLongestRowThreads = 256;
constexpr int64_t kLeastVectorsOfLongestRow = 12;
/// Threads up to which two blocks share an SM, and the maximum of one block.
constexpr int64_t kSharedThreads = 512;
constexpr int64_t kMaxThreads = 1024;
/// Bytes of a kept row of short elements beyond which kMaxThreads threads have too few registers
/// for what they compute of it in f32: kSharedThreads have twice as many.
constexpr int64_t kShortBytesOfMaxThreads = 112;
/// Kept bytes of short elements of several tensors beyond which kSharedThreads threads of several
/// reductions have more registers than leave room for a second block of them: kMaxThreads with half
/// of the elements each are twice as many threads. The gradient of an instance norm of
/// 1024 rows of 16384 bf16 takes 29.4 us on one NVIDIA H200 with 1024 threads, 36.3 with 512.
constexpr int64_t kShortBytesOfSharedThreads = 64;
/// Registers of a thread that may hold kept rows: with kMaxThreads half of its 64. Of a long row
/// that few threads keep, more: four blocks of them are resident even so.
constexpr int64_t kKeptBytesPerThread = 128, kKeptBytesOfFewThreads = 256;
constexpr int64_t kFewThreads = 128;
/// Threads and kept bytes of a block that has a part of a row. Each thread keeps up to
/// kKeptBytesOfFewThreads: the more blocks a multiprocessor has, the fewer of its threads wait for
/// the other blocks of a cluster. Softmax of 4096x131072 bf16 takes 556 us with 128 threads, 646
/// with 256 and 796 with 512 on one NVIDIA H200.
constexpr int64_t kMaxClusterThreads = 512;
constexpr int64_t kMaxClusterBlockBytes = 64 * 1024;
/// Vectors of a thread if alignment makes them narrower than 16 bytes.
constexpr int64_t kMaxVectors = 16;

/// Vectors up to which rows share a warp: RMS norm of 2000003x33 f32 takes 148 us on one NVIDIA
/// H200 with 8 threads for a row, 307 with 32.
static constexpr int64_t kMostOfShared = 3 * kWarp;

/// Threads of a row of vectors of several elements, unless fewer waste less: layer norm of
/// 400000x100 bf16 takes 50 us on one NVIDIA H200 with 16, 57 with 8.
static constexpr int64_t kLeastThreadsOfVectors = 16;
/// Half of the threads have two vectors each if they would leave three of eight idle: softmax of
/// 5000000x10 f32 takes 139 us there with 4 threads for 5 vectors, 194 with 8.
static constexpr int64_t kMostHalved = 16, kLeastHalved = 5;

/// Fewer threads, two of them or more, have up to so many vectors of 16 bytes each if they leave an
/// eighth less idle than more threads: softmax of 2000000x48 bf16 takes 92 us there with 2 threads
/// for 6 vectors, 103 with 8, layer norm of 800000x80 bf16 66 us with 4 for 10, 77 with 8 and 70
/// with 2, of 400000x160 64 us with 4 for 20, 66 with 8.
static constexpr int64_t kMostOfTwo = 3, kMostOfDense = 5, kDenseVectorBytes = 16;

/// Of more vectors of 16 bytes, half as many threads have two each: rows of 128 bf16 that are
/// quantized, 8192x8192, take 47 us on one NVIDIA H200 with 8 threads, 51 with 16.
static constexpr int64_t kMostOfOneVector = 8;

/// The threads of a row that leave so few idle.
static int64_t getDenseThreads(int64_t vectors, int64_t threads) {
  int64_t best = threads;
  for (int64_t fewer = threads / 2;
       fewer > 1 && vectors <= fewer * (fewer == 2 ? kMostOfTwo : kMostOfDense); fewer /= 2)
    if (llvm::alignTo(vectors, fewer) * 8 <= llvm::alignTo(vectors, best) * 7)
      best = fewer;
  return best;
}

/// As many threads as a part has vectors; a part that fills no warp has a power of two of them, so
/// that shuffles can combine them.
static int64_t getThreadsOfPart(const RowElements &elements) {
  if (elements.part == 0)
    return 1;
  const int64_t vectors = std::max<int64_t>(1, llvm::divideCeil(elements.part, elements.vector));
  return vectors < kWarp ? llvm::PowerOf2Ceil(vectors) : llvm::alignTo(vectors, kWarp);
}

/// Vectors of a row: the last threads of a part may have none of it.
static int64_t getVectors(int64_t row, const RowElements &elements) {
  if (elements.part == 0)
    return std::max<int64_t>(1, llvm::divideCeil(row, elements.vector));
  return std::max<int64_t>(1, llvm::divideCeil(row, elements.part)) * getThreadsOfPart(elements);
}

/// A row whose threads hold whole parts at a time. nullopt if a block has too few threads.
static std::optional<RowFit> alignToParts(RowFit fit, int64_t vectors, int64_t part) {
  fit.part = part;
  fit.threads = llvm::alignTo(fit.threads, part);
  fit.vectors = llvm::divideCeil(llvm::divideCeil(vectors, fit.cluster), fit.threads);
  return fit.threads <= kMaxThreads ? std::optional(fit) : std::nullopt;
}

/// Threads that keep kBytesPerThreadOfLongestRow each. nullopt if the row is too short, too long,
/// or has vectors that are too narrow for that.
static std::optional<RowFit> fitFewThreads(int64_t rowBytes, int64_t vectors,
                                           const RowElements &elements) {
  if (rowBytes < (elements.numSteps > 1 ? kLongestRowBytes : kLongestRowBytesOfOneStep) ||
      elements.keptBytes > elements.bytes)
    return std::nullopt;
  const int64_t most = kBytesPerThreadOfLongestRow / (elements.vector * elements.keptBytes);
  const int64_t threads = llvm::PowerOf2Ceil(llvm::divideCeil(vectors, most));
  const int64_t each = llvm::divideCeil(vectors, threads);
  if (each < kLeastVectorsOfLongestRow || each > kMaxVectors || threads > kLongestRowThreads)
    return std::nullopt;
  return RowFit{threads, each};
}

std::optional<RowFit> fuser::fitBlock(int64_t row, const RowElements &elements, bool isOneLength) {
  const auto [vector, bytes, keptBytes, part, numSteps, areManyRows, numRows, areDrawn] = elements;
  const int64_t vectors = getVectors(row, elements);
  if (part != 0)
    row = vectors * vector;
  if (row * keptBytes > kMaxThreads * kKeptBytesPerThread)
    return std::nullopt;
  // Random numbers need the registers for themselves: dropout and layer norm of 16384x8192 bf16
  // take 221 us on one NVIDIA H200 with 64 bytes of each thread, 252 with 128.
  const bool isLong =
      isOneLength && areManyRows && !areDrawn && bytes <= 2 && row * bytes >= kLongRowBytes;
  if (isLong)
    if (std::optional<RowFit> fit = fitFewThreads(row * bytes, vectors, elements))
      return alignToParts(*fit, vectors, getThreadsOfPart(elements));
  int64_t threads = llvm::PowerOf2Ceil(
      llvm::divideCeil(row * bytes, isLong ? kBytesPerThreadOfLongRow : kBytesPerThread));
  threads = std::clamp<int64_t>(threads, 1, kSharedThreads);
  auto perThread = [&] { return int64_t(llvm::divideCeil(vectors, threads)); };
  auto tooMany = [&] {
    const int64_t most =
        isLong && threads <= kFewThreads ? kKeptBytesOfFewThreads : kKeptBytesPerThread;
    return perThread() * elements.vector * elements.keptBytes > most || perThread() > kMaxVectors;
  };
  while (threads < kMaxThreads && tooMany())
    threads *= 2;
  // Less than a warp: no more threads than vectors.
  threads = std::min<int64_t>(threads, llvm::PowerOf2Ceil(vectors));
  if (threads < kWarp)
    threads = std::min<int64_t>(kWarp, llvm::PowerOf2Ceil(vectors));
  if (part == 0 && numRows >= kRowsToShareWarps) {
    if (threads == kWarp && vectors <= kMostOfShared)
      threads = getThreadsOfWarp(vectors, vector > 1 ? kLeastThreadsOfVectors : 0);
    else if (threads <= kMostHalved && vectors >= kLeastHalved && vectors * 8 <= threads * 5)
      threads /= 2;
    if (threads <= kWarp && vector * bytes >= kDenseVectorBytes) {
      threads = getDenseThreads(vectors, threads);
      if (threads > kMostOfOneVector && vectors <= threads)
        threads /= 2;
    }
  }
  int64_t each = perThread();
  if (each > kMaxVectors)
    return std::nullopt;
  if (threads > kSharedThreads && keptBytes <= 2 &&
      each * vector * keptBytes > kShortBytesOfMaxThreads &&
      llvm::divideCeil(vectors, kSharedThreads) <= uint64_t(kMaxVectors)) {
    threads = kSharedThreads;
    each = perThread();
  }
  if (threads == kSharedThreads && numSteps > 1 && bytes <= 2 && keptBytes > bytes &&
      each % 2 == 0 && each * vector * keptBytes > kShortBytesOfSharedThreads) {
    threads = kMaxThreads;
    each = perThread();
  }
  if (threads > kWarp)
    threads = llvm::alignTo(llvm::divideCeil(vectors, each), kWarp);
  return alignToParts({threads, each}, vectors, getThreadsOfPart(elements));
}

/// A cluster whose threads each keep as much as they can. nullopt if the row does not fit.
static std::optional<RowFit> fitCluster(int64_t row, const RowElements &elements,
                                        int64_t maxBlocks) {
  const int64_t blocks = llvm::bit_floor(uint64_t(std::clamp<int64_t>(maxBlocks, 1, 8)));
  const int64_t most =
      std::min(kMaxVectors, kKeptBytesOfFewThreads / (elements.vector * elements.keptBytes));
  if (blocks == 1 || most == 0)
    return std::nullopt;
  const int64_t vectors = getVectors(row, elements);
  const int64_t ofBlock = llvm::divideCeil(vectors, blocks);
  const int64_t threads = llvm::alignTo(llvm::divideCeil(ofBlock, most), kWarp);
  if (threads > kMaxClusterThreads ||
      ofBlock * elements.vector * elements.keptBytes > kMaxClusterBlockBytes)
    return std::nullopt;
  return alignToParts({threads, int64_t(llvm::divideCeil(ofBlock, threads)), blocks}, vectors,
                      getThreadsOfPart(elements));
}

std::optional<RowFit> fuser::fitRow(int64_t row, const RowElements &elements,
                                    const artifact::DeviceDescription &device) {
  if (std::optional<RowFit> fit = fitBlock(row, elements, /*isOneLength=*/false))
    return fit;
  return fitCluster(row, elements, device.maxClusterBlocks);
}

int64_t fuser::getMostKeptBytes(const artifact::DeviceDescription &device) {
  const int64_t blocks = std::min<int64_t>(device.maxClusterBlocks, 8);
  return std::max(kMaxThreads * kKeptBytesPerThread,
                  blocks > 1 ? blocks * kMaxClusterBlockBytes : 0);
}
