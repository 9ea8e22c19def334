//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H

#include <cstdint>
#include <optional>
#include <variant>

namespace fuser {

/// A dimension along which tiles have a side: its size, the widest vectors along it, whether
/// tensors of this fastest dimension pass through shared memory, and the widest vectors that may
/// cross the ends of its rows, whose number is the other dimension; 1 if its rows are not adjacent
/// in memory.
struct TransposeSide {
  std::optional<int64_t> size;
  int64_t width;
  bool isTransposed;
  int64_t crossingWidth = 1;
};

/// What the tile of a block depends on: the fastest dimension of transposed tensors (`in`) and that
/// of the others (`out`), which one of them is the outputs' (the *written* side, the other one is
/// *read*), the bytes of the widest element, the arguments that are read by the tile, the tiles in
/// shared memory, and their bytes for each element.
struct TransposeShape {
  TransposeSide in, out;
  bool writesIn;
  int64_t elementBytes, numArguments, numTiles, tileBytes;

  const TransposeSide &getRead() const { return writesIn ? out : in; }
  const TransposeSide &getWritten() const { return writesIn ? in : out; }
};

/// The threads of a block, the elements of its tile and of vectors along both sides, whether
/// adjacent blocks lie along `in`, and whether the tile is that of a thread, in registers.
struct TransposeTile {
  int64_t threads, in, out;
  int64_t vectorIn = 1, vectorOut = 1;
  bool adjacentIn = false;
  bool inRegisters = false;
};

/// What the tile of a thread depends on. The *short* side is all of a few dimensions, the *long*
/// one is the fastest dimension on the other side: whether the short side is that of `out`, its
/// elements, the size of the long side, the widest vectors along the long side and over both, the
/// bytes of the widest element that has vectors over both, and of the narrowest one that has
/// vectors along the long side.
struct ThreadTileShape {
  bool isShortOut = true;
  int64_t elements = 2;
  std::optional<int64_t> longSize;
  int64_t longWidth = 1, runWidth = 1, runBytes = 1, longBytes = 16;
};

/// Why there is no tile: its least size needs more shared memory than a block has, or a dimension
/// is too short for tiles. `in` and `out` are the sides of the smallest tile.
struct NoTransposeTile {
  bool isTooShort;
  int64_t in, out;
};

/// For shorter dimensions, reads without tiles are faster, if their vectors have several elements.
inline constexpr int64_t kLeastTransposeSize = 16;
/// Sides of fewer elements than that are extended by slower dimensions to at least so many.
inline constexpr int64_t kExtendedTransposeSize = 64;

/// The most elements of a short side that a thread has as a whole.
inline constexpr int64_t kMostOfThread = 8;

/// The most accesses of a thread that have bounds checks of their own. More of a whole tile need
/// none, which would serialize them.
inline constexpr int64_t kMostCheckedSteps = 2;

/// The tile of a block that has `sharedBytes` of shared memory.
std::variant<TransposeTile, NoTransposeTile> fitTransposeTile(const TransposeShape &shape,
                                                              int64_t sharedBytes);

/// The tile of a thread. nullopt if tiles of blocks are faster.
std::optional<TransposeTile> fitThreadTile(const ThreadTileShape &shape);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_TRANSPOSETILE_H
