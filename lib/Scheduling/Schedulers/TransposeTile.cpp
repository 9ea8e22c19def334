//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tile of a block of transpositions, beyond the usual ones of vectors.
//
//===----------------------------------------------------------------------===//

#include "TransposeTile.h"
#include "Warps.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace fuser;

namespace {

/// The most threads of a block.
constexpr int64_t kMostThreads = 512;
/// Vectors of a tile that a thread moves.
constexpr int64_t kVectorsOfThread = 2;
/// A tile's row of what is read in bytes, and in elements.
constexpr int64_t kRowBytes = 256;
constexpr int64_t kMaxTile = 128;
/// The longest side of any tile.
constexpr int64_t kMostSide = 1024;
/// Its row of what is written, of which adjacent blocks complete a longer piece: in bytes, and the
/// minimum in elements.
constexpr int64_t kWrittenRowBytes = 128;
constexpr int64_t kLeastWrittenTile = 64;

/// Where one side is in vectors and the other one in single elements: its tiles at most, the bytes
/// of a thread, all of which it waits for at once, where single elements are read and where they
/// are written, and the bytes of vectors that are gathered from single elements. On one NVIDIA H200
/// 256x64x55x55 bf16 become channels-last in 55 us with 32 bytes of a thread and vectors of 8, in
/// 63 with either 16; the transposition of a sum of 5001x10000 bf16 takes 85 us with 16, 103 with
/// 32. That of a sum of 30000x5001 bf16 takes 261 us with tiles of 32 elements that are read, 268
/// with 64, of 12000x3001 f32 113 and 109.
constexpr int64_t kMixedTile = 64, kShortMixedRead = 32;
constexpr int64_t kMixedReadBytes = 32, kMixedWrittenBytes = 16;
constexpr int64_t kMixedVectorBytes = 8;

/// Tiles of single elements: the bytes that a thread reads of all arguments, and those where
/// elements are shorter than four bytes and a function of several arguments is transposed. On one
/// NVIDIA H200 the transposition of a sum of 7001x7003 f32 takes 153 us with four elements of a
/// thread, 189 with eight, that of 10007x10007 bf16 195 us with 16, 243 with eight.
constexpr int64_t kNarrowBytes = 32, kShortNarrowBytes = 64;
/// The elements of such a tile that are read and written, and where it is the only one of a kernel
/// that reads one argument, or others as well: there the transposition of 10007x10007 bf16 takes
/// 139 us with 64x64 elements, 148 with 64x32.
constexpr int64_t kNarrowRead = 64, kNarrowWritten = 32;
constexpr int64_t kOnlyRead = 64, kOnlyReadOfSeveral = 32, kOnlyWritten = 64;

/// The longest dimension of single elements that is one side as it is, the most rows of such a tile
/// that is not swizzled, the elements of a thread, and the threads that a block has about.
constexpr int64_t kMaxExact = 128;
constexpr int64_t kMaxUnswizzled = 8;
constexpr int64_t kElementsOfThread = 8;
constexpr int64_t kExactThreads = 192;
/// The elements of a thread where the other side is in vectors, or rows are read whole: images of
/// 64x65x56x56 bf16, which become channels-last, take 22.1 us on one NVIDIA H100, 27.6 with 8.
constexpr int64_t kElementsOfExact = 16;
/// Where a function of all arguments is transposed: a side of few elements, and the other one. On
/// one NVIDIA H200 the transposition of a sum of 1500017x31 bf16 takes 89 us with 128 elements
/// along the other side and 96 with 64, that of 500001x65 f32 106 with 64 and 131 with 32, that of
/// 31x1500017 bf16 92 with 32 and 95 with 64.
constexpr int64_t kFewExact = 32;
constexpr int64_t kOtherOfFew = 128, kOtherWritten = 64, kOtherRead = 32;

/// Of a tile whose vectors cross the ends of rows: the most threads; the elements along the other
/// side, the most where these vectors are all that is read, and the elements where loops follow the
/// results and the vectors are those of the results, or of a transposed argument. On one NVIDIA
/// H100 x + transpose(y) of 500003x97 bf16 takes 99 us with 32 elements and 119 with 64, of
/// 97x500003 115 with 128 and 1024 threads, 121 with 64 and 158 with 64 and 776 threads; on one
/// NVIDIA H200 the transposition of a sum of 97x1000003 takes 164 us with 512 threads, 244 with
/// 776.
constexpr int64_t kMostCrossedThreads = 1024, kMostOtherOfCrossed = 256;
constexpr int64_t kShortOfCrossed = 32, kLongOfCrossed = 128;

/// Rows of so few elements have vectors that cross their ends even if their number is even. Those
/// of one row are narrow, and threads along the rows move sectors in parts. The elements along the
/// other side, whose vectors are scattered or gathered over so many bytes, and the vectors of a
/// thread. On one NVIDIA H200 two channels of 1024 images of 4096 bf16 become the fastest dimension
/// in 32 us, 162 without tiles and 49 with tiles of half of the size; four channels of 50176 stop
/// being it in 25 us, 34 without tiles, 62 with vectors over 64 bytes. Eight channels take 92, and
/// 81 without tiles.
constexpr int64_t kMostCrossedEven = 4;
constexpr int64_t kOtherOfEven = 512, kScatteredBytes = 32, kVectorsOfEven = 2;

/// The tile of a thread: the threads of a block, the bytes of an access and the fewest along the
/// long side, the bytes of a thread and the most vectors that it has for them, and the most bytes
/// of a run, over which the accesses of a warp are spread. Narrower accesses and longer runs are
/// for long sides of fewer elements than a tile in shared memory has.
constexpr int64_t kThreadsOfRegisters = 256;
constexpr int64_t kAccessBytes = 16, kLeastAccessBytes = 4;
constexpr int64_t kBytesOfThread = 16, kMostUnrolled = 4;
constexpr int64_t kMostRunBytes = 48, kMostNarrow = 512;

/// A tile becomes smaller, down to this size, while a part of 1 / kMostPadding of it, compared to
/// the dimension, would be out of bounds: of 16x1000x13x13 bf16, which become channels-last, tiles
/// of 128x64 take 9.0 us on one NVIDIA H200, tiles of 64x64 8.0.
constexpr int64_t kLeastFitted = 32, kMostPadding = 4;

} // namespace

//===----------------------------------------------------------------------===//
// Tiles of single elements
//===----------------------------------------------------------------------===//

static bool isShort(std::optional<int64_t> size, int64_t most) {
  return size && *size > 1 && *size <= most;
}

/// True if the side can be all of its dimension: single elements, few of which do without a
/// swizzle, unless their number is odd.
static bool isExact(const TransposeSide &side) {
  const bool isEven = side.size && *side.size % 2 == 0;
  return side.width == 1 &&
         isShort(side.size, side.isTransposed && isEven ? kMaxUnswizzled : kMaxExact);
}

/// True if a tile of a whole dimension that is written is better than tiles of a part: it is short,
/// or they would be out of bounds by a large part. On one NVIDIA H200 the transposition of a sum of
/// 97x500003 bf16 takes 99 us with tiles of 32x64, 119 with those of 97x32.
static bool isExactWritten(const TransposeSide &side) {
  return isExact(side) &&
         (*side.size <= kFewExact ||
          int64_t(llvm::alignTo(*side.size, kNarrowWritten)) * 10 > *side.size * 14);
}

/// The elements along the other side than an exact one, and those of a thread.
static std::pair<int64_t, int64_t> fitOther(const TransposeShape &shape, bool isExactOut) {
  const int64_t exact = *(isExactOut ? shape.out : shape.in).size;
  const TransposeSide &other = isExactOut ? shape.in : shape.out;
  if (shape.writesIn && other.width == 1) {
    const int64_t written = exact <= kFewExact ? kOtherOfFew : kOtherWritten;
    return {isExactOut ? written : kOtherRead, kElementsOfThread};
  }
  const int64_t ofThread = isExactOut && other.width == 1 ? kElementsOfThread : kElementsOfExact;
  return {std::max(kNarrowWritten * ofThread / kElementsOfThread,
                   int64_t(ofThread * llvm::bit_ceil<uint64_t>(kExactThreads / exact))),
          ofThread};
}

/// At most so many elements of a dimension.
static int64_t limitToSize(int64_t elements, std::optional<int64_t> size) {
  return size ? std::min<int64_t>(elements, llvm::PowerOf2Ceil(std::max<int64_t>(*size, 2)))
              : elements;
}

/// One side of few elements is all of its dimension.
static TransposeTile fitExact(const TransposeShape &shape, bool isExactOut) {
  const int64_t exact = *(isExactOut ? shape.out : shape.in).size;
  auto [other, ofThread] = fitOther(shape, isExactOut);
  other = limitToSize(std::min(other, kMostSide), (isExactOut ? shape.in : shape.out).size);
  const int64_t threads = llvm::divideCeil(exact * other, ofThread);
  return isExactOut ? TransposeTile{threads, other, exact} : TransposeTile{threads, exact, other};
}

/// True if a side that is all of its dimension has vectors that cross the ends of its rows, which
/// are adjacent in memory. They leave the tile without padding and swizzle, so that rows of an odd
/// number of elements, or of few, have the elements of a column in different banks. Vectors along
/// the other side, which gather or scatter elements of such a tile, would have bank conflicts.
static bool isCrossed(const TransposeShape &shape, bool isOut) {
  const TransposeSide &side = isOut ? shape.out : shape.in, &other = isOut ? shape.in : shape.out;
  if (side.crossingWidth == 1 || !isShort(side.size, kMaxExact))
    return false;
  return *side.size % 2 == 0 ? *side.size <= kMostCrossedEven : other.width == 1;
}

/// The elements along the other side than one whose vectors cross the ends of its rows.
static int64_t getOtherOfCrossed(const TransposeShape &shape, bool isRead,
                                 const TransposeSide &side) {
  if (isRead && shape.writesIn)
    return llvm::bit_floor(
        uint64_t((kMostCrossedThreads + kWarp) * side.crossingWidth / *side.size));
  int64_t other = kLongOfCrossed;
  if (!isRead)
    other = shape.writesIn ? kOtherWritten : kShortOfCrossed;
  while (*side.size * other < kExactThreads * side.crossingWidth)
    other *= 2;
  return other;
}

/// A tile of whole rows of a side of two or four elements, in vectors that cross their ends.
static TransposeTile fitCrossedEven(const TransposeShape &shape, bool isOut) {
  const TransposeSide &side = isOut ? shape.out : shape.in, &across = isOut ? shape.in : shape.out;
  const int64_t exact = *side.size, other = limitToSize(kOtherOfEven, across.size);
  const int64_t width = std::min(side.crossingWidth, exact * other);
  const int64_t scattered =
      std::min(across.width, std::max<int64_t>(kScatteredBytes / (exact * shape.elementBytes), 1));
  const int64_t threads = std::clamp<int64_t>(
      llvm::alignTo(llvm::divideCeil(exact * other, kVectorsOfEven * width), kWarp), kWarp,
      kMostThreads);
  return isOut ? TransposeTile{threads, other, exact, scattered, width}
               : TransposeTile{threads, exact, other, width, scattered};
}

/// A tile of whole rows of a side, in vectors that cross their ends, of which a thread has one. The
/// warps that move single elements have one row each.
static TransposeTile fitCrossed(const TransposeShape &shape, bool isOut) {
  const TransposeSide &side = isOut ? shape.out : shape.in;
  const bool isRead = isOut == shape.writesIn;
  const int64_t exact = *side.size;
  const int64_t other = limitToSize(std::clamp<int64_t>(getOtherOfCrossed(shape, isRead, side),
                                                        kLeastTransposeSize, kMostOtherOfCrossed),
                                    (isOut ? shape.in : shape.out).size);
  int64_t width = side.crossingWidth;
  while (exact * other % width != 0)
    width /= 2;
  int64_t threads = llvm::alignTo(llvm::divideCeil(exact * other, width), kWarp);
  // Two arguments that are read element by element.
  if (!isRead && shape.writesIn)
    threads = llvm::bit_floor(uint64_t(exact * other / kElementsOfThread + kWarp));
  threads = std::min(threads, kMostCrossedThreads);
  return isOut ? TransposeTile{threads, other, exact, 1, width}
               : TransposeTile{threads, exact, other, width};
}

/// A tile of which elements are read or written one by one: a dimension of few elements is a side
/// of it as it is. nullopt if vectors of one side need the usual tiles.
static std::optional<TransposeTile> fitNarrow(const TransposeShape &shape) {
  for (bool isOut : {true, false})
    if (isCrossed(shape, isOut))
      return *(isOut ? shape.out : shape.in).size % 2 == 0 ? fitCrossedEven(shape, isOut)
                                                           : fitCrossed(shape, isOut);
  if (isExact(shape.out))
    return fitExact(shape, /*isExactOut=*/true);
  if (shape.writesIn && shape.out.width == 1 ? isExactWritten(shape.in) : isExact(shape.in))
    return fitExact(shape, /*isExactOut=*/false);
  if (shape.in.width > 1 || shape.out.width > 1)
    return std::nullopt;
  auto getSide = [&](std::optional<int64_t> size, int64_t most) {
    return isShort(size, kMaxExact) && (!shape.writesIn || *size < most)
               ? int64_t(llvm::PowerOf2Ceil(*size))
               : most;
  };
  const bool isOnly = shape.numTiles == 1 && !shape.writesIn;
  const int64_t mostRead = !isOnly                  ? kNarrowRead
                           : shape.numArguments > 1 ? kOnlyReadOfSeveral
                                                    : kOnlyRead;
  const int64_t read = getSide(shape.getRead().size, mostRead),
                written = std::min(
                    getSide(shape.getWritten().size, isOnly ? kOnlyWritten : kNarrowWritten),
                    kNarrowRead);
  const int64_t bytes = shape.writesIn && shape.elementBytes < 4 ? kShortNarrowBytes : kNarrowBytes;
  const int64_t ofThread = std::max<int64_t>(
      llvm::bit_floor(uint64_t(bytes / (shape.elementBytes * shape.numArguments))), 1);
  const int64_t threads = std::clamp<int64_t>(read * written / ofThread, 32, kMostThreads);
  return shape.writesIn ? TransposeTile{threads, written, read}
                        : TransposeTile{threads, read, written};
}

//===----------------------------------------------------------------------===//
// Tiles of vectors
//===----------------------------------------------------------------------===//

/// A side of at most `most` elements, a power of two, of which a short dimension leaves few out of
/// bounds.
static int64_t fitSide(std::optional<int64_t> size, int64_t most) {
  if (!size)
    return most;
  const int64_t elements = std::max<int64_t>(*size, 1);
  int64_t side = std::min<int64_t>(most, llvm::PowerOf2Ceil(elements));
  auto getPadded = [&](int64_t to) { return llvm::alignTo(elements, to); };
  while (side > kLeastFitted &&
         getPadded(side) * kMostPadding > uint64_t(elements) * (kMostPadding + 1) &&
         getPadded(side / 2) < getPadded(side))
    side /= 2;
  return side;
}

/// The longest side that is written, of at most `most` elements: whole rows, not two parts of them,
/// where these begin within sectors, which the parts would share, unless that leaves more elements
/// out of bounds. On one NVIDIA H200 the permutation of 64x100x120x96 bf16 to rows of 100 takes 95
/// us with tiles of 128x128, 116 with 128x64.
static int64_t limitWritten(const TransposeShape &shape, int64_t read, int64_t most) {
  const std::optional<int64_t> size = shape.getWritten().size;
  if (!size || *size <= most || *size > std::min(read, kMaxTile) ||
      *size * shape.elementBytes % kSectorBytes == 0)
    return most;
  const int64_t whole = llvm::PowerOf2Ceil(*size);
  return whole <= int64_t(llvm::alignTo(*size, fitSide(size, most))) ? whole : most;
}

/// The usual tile: its sides.
static std::variant<TransposeTile, NoTransposeTile> fitSides(const TransposeShape &shape,
                                                             int64_t sharedBytes) {
  int64_t read = std::min(kMaxTile, kRowBytes / shape.elementBytes);
  int64_t written =
      std::min(read, std::max(kLeastWrittenTile, kWrittenRowBytes / shape.elementBytes));
  written = limitWritten(shape, read, written);
  while (read > kLeastTransposeSize && read * written * shape.tileBytes > sharedBytes)
    (written > read / 2 ? written : read) /= 2;
  const int64_t mostIn = shape.writesIn ? written : read, mostOut = shape.writesIn ? read : written;
  if (mostIn * mostOut * shape.tileBytes > sharedBytes)
    return NoTransposeTile{/*isTooShort=*/false, mostIn, mostOut};
  TransposeTile tile{0, fitSide(shape.in.size, mostIn), fitSide(shape.out.size, mostOut)};
  auto isTooShort = [&](int64_t side, bool isOut) {
    const int64_t width = (isOut ? shape.out : shape.in).width;
    return side < kLeastTransposeSize && (side < 2 || (width > 1 && !isCrossed(shape, isOut)));
  };
  if (isTooShort(tile.in, /*isOut=*/false) || isTooShort(tile.out, /*isOut=*/true))
    return NoTransposeTile{/*isTooShort=*/true, tile.in, tile.out};
  return tile;
}

/// True if adjacent blocks lie along the side that is read: its rows share sectors, those that are
/// written do not. On one NVIDIA H200 the transposition of a sum of 100000x300 f32 takes 90.5 us
/// then, 99.8 otherwise.
static bool isAdjacentInReads(const TransposeShape &shape) {
  auto hasWholeSectors = [&](const TransposeSide &side) {
    return side.size && *side.size * shape.elementBytes % kSectorBytes == 0;
  };
  return hasWholeSectors(shape.getWritten()) && !hasWholeSectors(shape.getRead());
}

std::variant<TransposeTile, NoTransposeTile> fuser::fitTransposeTile(const TransposeShape &shape,
                                                                     int64_t sharedBytes) {
  std::variant<TransposeTile, NoTransposeTile> usual = fitSides(shape, sharedBytes);
  auto *found = std::get_if<TransposeTile>(&usual);
  if (!found)
    return usual;
  TransposeTile tile = *found;
  const bool singleIn = shape.in.width == 1, singleOut = shape.out.width == 1;
  std::optional<TransposeTile> narrow = fitNarrow(shape);
  if (narrow && narrow->in * narrow->out * shape.tileBytes <= sharedBytes)
    tile = *narrow;
  else
    narrow.reset();
  const bool isMixed = !narrow && singleIn != singleOut;
  if (isMixed) {
    tile.in = std::min(tile.in, kMixedTile);
    const bool isShort = shape.writesIn && singleOut && shape.elementBytes < 4;
    tile.out = std::min(tile.out, isShort ? kShortMixedRead : kMixedTile);
  }
  // Tensors of one fastest dimension have vectors along it, which a tile of the others gathers.
  auto getVector = [&](int64_t side, int64_t width, bool isGathered) {
    if (isMixed && isGathered)
      width = std::min(width, std::max<int64_t>(kMixedVectorBytes / shape.elementBytes, 1));
    while (side % width != 0)
      width /= 2;
    return width;
  };
  if (tile.vectorIn == 1)
    tile.vectorIn = getVector(tile.in, shape.in.width, shape.out.isTransposed);
  if (tile.vectorOut == 1)
    tile.vectorOut = getVector(tile.out, shape.out.width, shape.in.isTransposed);
  tile.adjacentIn = isAdjacentInReads(shape) != shape.writesIn;
  if (narrow)
    return tile;
  const int64_t mixedBytes =
      shape.getRead().width == 1 && shape.numTiles == 1 ? kMixedReadBytes : kMixedWrittenBytes;
  const int64_t ofThread = isMixed ? std::max<int64_t>(mixedBytes / shape.elementBytes, 1)
                                   : kVectorsOfThread * std::max(tile.vectorIn, tile.vectorOut);
  tile.threads = std::clamp<int64_t>(tile.in * tile.out / ofThread, 32, kMostThreads);
  return tile;
}

//===----------------------------------------------------------------------===//
// Tiles of threads
//===----------------------------------------------------------------------===//

std::optional<TransposeTile> fuser::fitThreadTile(const ThreadTileShape &shape) {
  if (shape.longSize && *shape.longSize < kLeastTransposeSize)
    return std::nullopt;
  // Few enough elements that vectors over both sides are adjacent, if that leaves wide accesses.
  const int64_t even = shape.elements & -shape.elements;
  const int64_t wanted = std::max(
      {kAccessBytes / even / shape.runBytes, kLeastAccessBytes / shape.longBytes, int64_t(1)});
  const int64_t along = std::min<int64_t>(shape.longWidth, wanted);
  const int64_t bytes = along * shape.elements * shape.runBytes;
  if ((along * shape.longBytes < kLeastAccessBytes || bytes > kMostRunBytes) &&
      (!shape.longSize || *shape.longSize >= kMostNarrow))
    return std::nullopt;
  int64_t run = shape.runWidth;
  while (along * shape.elements % run != 0)
    run /= 2;
  const int64_t tile = along * int64_t(llvm::bit_floor(uint64_t(std::clamp<int64_t>(
                                   llvm::divideCeil(kBytesOfThread, bytes), 1, kMostUnrolled))));
  TransposeTile fit = shape.isShortOut
                          ? TransposeTile{kThreadsOfRegisters, tile, shape.elements, along, run}
                          : TransposeTile{kThreadsOfRegisters, shape.elements, tile, run, along};
  fit.inRegisters = true;
  return fit;
}
