//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tile of a block of transpositions, beyond the usual ones of vectors.
//
//===----------------------------------------------------------------------===//

#include "TransposeTile.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace fuser;

/// Tiles of single elements: those of a thread, the threads that a block has about, the elements
/// along both sides, and the longest dimension that is one side as it is.
constexpr int64_t kElementsOfThread = 8;
/// The elements of a thread where the other side is in vectors, or rows are read whole: images of
/// 64x65x56x56 bf16, which become channels-last, take 22.1 us on one NVIDIA H100, 27.6 with 8.
constexpr int64_t kElementsOfExact = 16;
constexpr int64_t kNarrowThreads = 192;
constexpr int64_t kNarrowIn = 64, kNarrowOut = 32;
constexpr int64_t kMaxExact = 128;
/// The most rows of a tile that is not swizzled.
constexpr int64_t kMaxUnswizzled = 8;

/// A tile becomes smaller, down to this size, while a part of 1 / kMostPadding of it, compared to
/// the dimension, would be out of bounds: of 16x1000x13x13 bf16, which become channels-last, tiles
/// of 128x64 take 9.0 us on one NVIDIA H200, tiles of 64x64 8.0.
constexpr int64_t kLeastFitted = 32, kMostPadding = 4;

/// One side of `exact` elements, and threads of which each has `ofThread` elements.
static TransposeTile fitExact(int64_t exact, std::optional<int64_t> otherSize, bool isOut,
                              int64_t ofThread) {
  int64_t other = std::max(kNarrowOut * ofThread / kElementsOfThread,
                           int64_t(ofThread * llvm::bit_ceil<uint64_t>(kNarrowThreads / exact)));
  if (otherSize)
    other = std::min<int64_t>(other, llvm::PowerOf2Ceil(std::max<int64_t>(*otherSize, 2)));
  const int64_t threads = llvm::divideCeil(exact * other, ofThread);
  return isOut ? TransposeTile{threads, other, exact} : TransposeTile{threads, exact, other};
}

static bool isShort(std::optional<int64_t> size, int64_t most) {
  return size && *size > 1 && *size <= most;
}

/// True if the side can be all of its dimension: single elements, few of which do without a
/// swizzle, unless their number is odd.
static bool isExact(const TransposeSide &side) {
  const bool isEven = side.size && *side.size % 2 == 0;
  return side.width == 1 &&
         isShort(side.size, side.isSwizzled && isEven ? kMaxUnswizzled : kMaxExact);
}

std::optional<TransposeTile> fuser::fitNarrow(const TransposeSide &in, const TransposeSide &out) {
  if (isExact(out))
    return fitExact(*out.size, in.size, /*isOut=*/true,
                    in.width > 1 ? kElementsOfExact : kElementsOfThread);
  if (isExact(in))
    return fitExact(*in.size, out.size, /*isOut=*/false, kElementsOfExact);
  if (in.width > 1 || out.width > 1)
    return std::nullopt;
  // More elements of a thread wait longer, as fewer threads are resident: a transposition of
  // 10007x10007 bf16 takes 203 us on one NVIDIA H200 with 8 of them, 335 with 16.
  auto getSide = [](std::optional<int64_t> size, int64_t most) {
    return isShort(size, kMaxExact) ? int64_t(llvm::PowerOf2Ceil(*size)) : most;
  };
  const int64_t sideIn = getSide(in.size, kNarrowIn),
                sideOut = std::min(getSide(out.size, kNarrowOut), kNarrowIn);
  return TransposeTile{
      std::clamp<int64_t>(sideIn * sideOut / kElementsOfThread, 32, kMaxTransposeThreads), sideIn,
      sideOut};
}

int64_t fuser::fitTile(int64_t size, int64_t most) {
  int64_t tile = std::min<int64_t>(most, llvm::PowerOf2Ceil(size));
  auto getPadded = [&](int64_t side) { return llvm::alignTo(size, side); };
  while (tile > kLeastFitted &&
         getPadded(tile) * kMostPadding > uint64_t(size) * (kMostPadding + 1) &&
         getPadded(tile / 2) < getPadded(tile))
    tile /= 2;
  return tile;
}
