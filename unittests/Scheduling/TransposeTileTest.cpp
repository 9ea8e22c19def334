//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tiles of transpositions, on both sides of each limit.
//
//===----------------------------------------------------------------------===//

#include "TransposeTile.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {

constexpr int64_t kShared = 48 * 1024;

/// The widest vectors of rows of so many elements: 16 bytes, or what divides the row.
int64_t getWidth(int64_t size, int64_t bytes) {
  int64_t width = 16 / bytes;
  while (size % width != 0)
    width /= 2;
  return width;
}

/// What a transposition from rows of `read` elements to rows of `written` depends on: of a sum of
/// `numArguments`, which is computed before it is transposed (`writesIn`), or each of them is.
TransposeShape getShape(int64_t read, int64_t written, int64_t bytes, int64_t numArguments,
                        bool writesIn) {
  const TransposeSide reads{read, getWidth(read, bytes), !writesIn};
  const TransposeSide writes{written, getWidth(written, bytes), writesIn};
  const int64_t tiles = writesIn ? 1 : numArguments;
  return TransposeShape{writesIn ? writes : reads,
                        writesIn ? reads : writes,
                        writesIn,
                        bytes,
                        numArguments,
                        tiles,
                        tiles * bytes};
}

/// Threads: side x vectors that is read, side x vectors that is written, and where adjacent blocks
/// are.
std::string fit(const TransposeShape &shape, int64_t sharedBytes = kShared) {
  std::variant<TransposeTile, NoTransposeTile> fit = fitTransposeTile(shape, sharedBytes);
  if (const auto *none = std::get_if<NoTransposeTile>(&fit))
    return llvm::formatv("{0}: {1}x{2}", none->isTooShort ? "too short" : "too little memory",
                         none->in, none->out);
  auto [threads, in, out, vectorIn, vectorOut, adjacentIn, inRegisters] =
      std::get<TransposeTile>(fit);
  if (shape.writesIn) {
    std::swap(in, out);
    std::swap(vectorIn, vectorOut);
  }
  return llvm::formatv("{0}: {1}x{2} to {3}x{4}, along {5}", threads, in, vectorIn, out, vectorOut,
                       adjacentIn == shape.writesIn ? "writes" : "reads");
}

/// Rows of so many elements that are read and written: one argument, a sum of two in bf16 and f32.
/// Vectors of 16 bytes may cross the ends of adjacent rows.
std::string fitAll(int64_t read, int64_t written, bool isAdjacent = false) {
  std::string line = llvm::formatv("{0} to {1}", read, written);
  for (auto [bytes, numArguments, writesIn] :
       {std::tuple(2, 1, false), std::tuple(2, 2, true), std::tuple(4, 2, true)}) {
    TransposeShape shape = getShape(read, written, bytes, numArguments, writesIn);
    if (isAdjacent)
      shape.in.crossingWidth = shape.out.crossingWidth = 16 / bytes;
    line += " | " + fit(shape);
  }
  return line + "\n";
}

TEST(TransposeTile, SidesOfVectors) {
  EXPECT_EQ(
      fitAll(4096, 4096) + fitAll(300, 100000) + fitAll(100000, 300) + fitAll(169, 1000),
      R"(4096 to 4096 | 512: 128x8 to 64x8, along writes | 512: 128x8 to 64x8, along writes | 512: 64x4 to 64x4, along writes
300 to 100000 | 256: 64x4 to 64x8, along reads | 256: 64x4 to 64x8, along reads | 512: 64x4 to 64x4, along reads
100000 to 300 | 512: 128x8 to 64x4, along writes | 512: 128x8 to 64x4, along writes | 512: 64x4 to 64x4, along writes
169 to 1000 | 256: 64x1 to 64x4, along writes | 128: 32x1 to 64x8, along writes | 512: 64x1 to 64x4, along reads
)");
}

TEST(TransposeTile, OneSideOfSingleElements) {
  EXPECT_EQ(
      fitAll(5001, 30000) + fitAll(30000, 5001) + fitAll(65, 30000) + fitAll(30000, 65),
      R"(5001 to 30000 | 256: 64x1 to 64x4, along reads | 128: 32x1 to 64x8, along reads | 512: 64x1 to 64x4, along reads
30000 to 5001 | 512: 64x8 to 64x1, along writes | 512: 64x4 to 64x1, along writes | 512: 64x2 to 64x1, along writes
65 to 30000 | 260: 65x1 to 64x8, along reads | 260: 65x1 to 64x8, along reads | 260: 65x1 to 64x4, along reads
30000 to 65 | 260: 64x8 to 65x1, along writes | 260: 64x8 to 65x1, along writes | 260: 64x4 to 65x1, along writes
)");
}

TEST(TransposeTile, SingleElements) {
  std::string table;
  for (auto [read, written] :
       {std::pair(10007, 10007), std::pair(31, 99991), std::pair(33, 99991), std::pair(127, 99991),
        std::pair(129, 99991), std::pair(99991, 31), std::pair(99991, 33), std::pair(99991, 45),
        std::pair(99991, 47), std::pair(99991, 97), std::pair(99991, 129)})
    table += fitAll(read, written);
  EXPECT_EQ(
      table,
      R"(10007 to 10007 | 256: 64x1 to 64x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
31 to 99991 | 248: 31x1 to 128x1, along writes | 496: 31x1 to 128x1, along writes | 496: 31x1 to 128x1, along writes
33 to 99991 | 264: 33x1 to 128x1, along writes | 264: 33x1 to 64x1, along writes | 264: 33x1 to 64x1, along writes
127 to 99991 | 508: 127x1 to 64x1, along writes | 1016: 127x1 to 64x1, along writes | 1016: 127x1 to 64x1, along writes
129 to 99991 | 256: 64x1 to 64x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
99991 to 31 | 248: 64x1 to 31x1, along writes | 124: 32x1 to 31x1, along writes | 124: 32x1 to 31x1, along writes
99991 to 33 | 264: 64x1 to 33x1, along writes | 132: 32x1 to 33x1, along writes | 132: 32x1 to 33x1, along writes
99991 to 45 | 180: 32x1 to 45x1, along writes | 180: 32x1 to 45x1, along writes | 180: 32x1 to 45x1, along writes
99991 to 47 | 188: 32x1 to 47x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
99991 to 97 | 388: 32x1 to 97x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
99991 to 129 | 256: 64x1 to 64x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
)");
}

TEST(TransposeTile, VectorsThatCrossTheEndsOfRows) {
  std::string table;
  for (auto [read, written] :
       {std::pair(3, 99991), std::pair(31, 99991), std::pair(127, 99991), std::pair(129, 99991),
        std::pair(34, 99991), std::pair(31, 99992), std::pair(31, 17), std::pair(99991, 3),
        std::pair(99991, 31), std::pair(99991, 97), std::pair(99991, 127), std::pair(99991, 129),
        std::pair(99992, 31)})
    table += fitAll(read, written, /*isAdjacent=*/true);
  EXPECT_EQ(
      table,
      R"(3 to 99991 | 96: 3x8 to 256x1, along writes | 96: 3x8 to 256x1, along writes | 192: 3x4 to 256x1, along writes
31 to 99991 | 512: 31x8 to 128x1, along writes | 992: 31x8 to 256x1, along writes | 992: 31x4 to 128x1, along writes
127 to 99991 | 1024: 127x8 to 128x1, along writes | 1024: 127x8 to 64x1, along writes | 1024: 127x4 to 32x1, along writes
129 to 99991 | 256: 64x1 to 64x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
34 to 99991 | 512: 64x2 to 64x1, along writes | 512: 64x2 to 64x1, along writes | 512: 64x2 to 64x1, along writes
31 to 99992 | 248: 31x1 to 128x8, along writes | 248: 31x1 to 128x8, along writes | 248: 31x1 to 128x4, along reads
31 to 17 | 96: 32x1 to 17x8, along writes | 128: 31x8 to 32x1, along writes | 256: 31x4 to 32x1, along writes
99991 to 3 | 96: 256x1 to 3x8, along writes | 128: 256x1 to 3x8, along writes | 128: 256x1 to 3x4, along writes
99991 to 31 | 256: 64x1 to 31x8, along writes | 256: 64x1 to 31x8, along writes | 256: 64x1 to 31x4, along writes
99991 to 97 | 416: 32x1 to 97x8, along writes | 512: 64x1 to 97x8, along writes | 512: 64x1 to 97x4, along writes
99991 to 127 | 512: 32x1 to 127x8, along writes | 1024: 64x1 to 127x8, along writes | 1024: 64x1 to 127x4, along writes
99991 to 129 | 256: 64x1 to 64x1, along writes | 128: 64x1 to 32x1, along writes | 512: 64x1 to 32x1, along writes
99992 to 31 | 248: 128x8 to 31x1, along writes | 248: 128x8 to 31x1, along writes | 248: 128x4 to 31x1, along writes
)");
}

TEST(TransposeTile, SizesThatAreNotKnown) {
  TransposeShape shape = getShape(4096, 4096, 2, 2, true);
  shape.in.size = shape.out.size = std::nullopt;
  EXPECT_EQ(fit(shape), "512: 128x8 to 64x8, along writes");
  shape.in.width = shape.out.width = 1;
  EXPECT_EQ(fit(shape), "128: 64x1 to 32x1, along writes");
}

TEST(TransposeTile, TilesFitIntoSharedMemory) {
  EXPECT_EQ(fit(getShape(4096, 4096, 4, 20, false)), "64: 32x4 to 16x4, along writes");
  EXPECT_EQ(fit(getShape(4096, 4096, 4, 40, false)), "32: 16x4 to 16x4, along writes");
  EXPECT_EQ(fit(getShape(4096, 4096, 4, 60, false)), "too little memory: 16x16");
  // The tile of single elements would not fit, and the usual one is smaller.
  EXPECT_EQ(fit(getShape(10007, 10007, 4, 1, false), 4 * 32 * 32),
            "512: 32x1 to 32x1, along writes");
}

TEST(TransposeTile, ShortSidesAreOfSingleElements) {
  EXPECT_EQ(fit(getShape(8, 4096, 2, 1, false)), "too short: 8x64");
  EXPECT_EQ(fit(getShape(4096, 8, 2, 1, false)), "too short: 128x8");
  EXPECT_EQ(fit(getShape(8, 4096, 2, 2, true)), "too short: 64x8");
  EXPECT_EQ(fit(getShape(1, 4096, 2, 1, false)), "too short: 1x64");
  EXPECT_EQ(fit(getShape(7, 4096, 2, 1, false)), "224: 7x1 to 512x8, along reads");
}

/// Sides of 2 to 1024 elements, 1 to 1024 threads and whole vectors, as parameters have them.
bool isValid(const TransposeTile &tile) {
  auto isSide = [](int64_t side) { return side >= 2 && side <= 1024; };
  return isSide(tile.in) && isSide(tile.out) && tile.threads >= 1 && tile.threads <= 1024 &&
         tile.in * tile.out % tile.vectorIn == 0 && tile.in * tile.out % tile.vectorOut == 0;
}

TEST(TransposeTile, AllTilesAreValidParameters) {
  constexpr int64_t kSizes[] = {1, 2, 3, 5, 7, 8, 31, 33, 64, 100, 127, 255, 1040, 100003};
  unsigned tiles = 0;
  for (int64_t in : kSizes)
    for (int64_t out : kSizes)
      for (int64_t bytes : {1, 2, 4, 8, 16})
        for (unsigned flags = 0; flags < 128; ++flags) {
          auto getSide = [&](int64_t size, bool crosses, bool isSingle) {
            const int64_t most = std::max<int64_t>(16 / bytes, 1);
            return TransposeSide{size, isSingle ? 1 : std::min(most, size & -size),
                                 (flags & 1) != 0, crosses ? most : 1};
          };
          TransposeShape shape{getSide(in, flags & 2, flags & 32),
                               getSide(out, flags & 4, flags & 64),
                               (flags & 8) != 0,
                               bytes,
                               flags & 16 ? 2 : 1,
                               1,
                               bytes};
          std::variant<TransposeTile, NoTransposeTile> tile = fitTransposeTile(shape, 48 * 1024);
          if (const auto *found = std::get_if<TransposeTile>(&tile)) {
            ++tiles;
            EXPECT_TRUE(isValid(*found)) << in << "x" << out << ", " << bytes << " bytes, flags "
                                         << flags << ": " << found->in << "x" << found->out;
          }
        }
  EXPECT_GT(tiles, 1000u);
}

/// The tile of a thread: short side x vectors over both sides, long side x vectors.
std::string fitThread(int64_t elements, std::optional<int64_t> longSize, int64_t bytes,
                      std::optional<int64_t> longBytes = std::nullopt) {
  ThreadTileShape shape;
  shape.elements = elements;
  shape.longSize = longSize;
  shape.longBytes = longBytes.value_or(bytes);
  shape.runBytes = bytes;
  shape.longWidth = getWidth(longSize.value_or(16), std::max(bytes, shape.longBytes));
  shape.runWidth = getWidth(longSize.value_or(16) * elements, bytes);
  const std::optional<TransposeTile> tile = fitThreadTile(shape);
  if (!tile)
    return "none";
  return llvm::formatv("{0}: {1}x{2}, {3}x{4}", tile->threads, tile->out, tile->vectorOut, tile->in,
                       tile->vectorIn);
}

TEST(TransposeTile, TilesOfThreads) {
  std::string table;
  for (int64_t elements = 2; elements <= 8; ++elements) {
    table += llvm::formatv("{0}:", elements);
    for (int64_t bytes : {1, 2, 4, 8})
      table += " | " + fitThread(elements, 4096, bytes);
    table += "\n";
  }
  EXPECT_EQ(table,
            R"(2: | 256: 2x16, 8x8 | 256: 2x8, 4x4 | 256: 2x4, 2x2 | 256: 2x2, 1x1
3: | 256: 3x16, 16x16 | 256: 3x8, 8x8 | 256: 3x4, 4x4 | 256: 3x2, 2x2
4: | 256: 4x16, 4x4 | 256: 4x8, 2x2 | 256: 4x4, 1x1 | 256: 4x2, 1x1
5: | none | none | none | none
6: | 256: 6x16, 8x8 | 256: 6x8, 4x4 | 256: 6x4, 2x2 | 256: 6x2, 1x1
7: | none | none | none | none
8: | 256: 8x16, 4x4 | 256: 8x8, 2x2 | 256: 8x4, 1x1 | none
)");
}

TEST(TransposeTile, NarrowTilesOfThreads) {
  // Vectors of 2 elements, and none, in rows of bf16 and f32; sizes that are not known.
  EXPECT_EQ(fitThread(2, 66, 2), "256: 2x4, 4x2");
  EXPECT_EQ(fitThread(2, 33, 2), "256: 2x2, 4x1");
  EXPECT_EQ(fitThread(3, 33, 2), "256: 3x1, 2x1");
  EXPECT_EQ(fitThread(2, 33, 4), "256: 2x2, 2x1");
  EXPECT_EQ(fitThread(2, std::nullopt, 2), "256: 2x8, 4x4");
  // Runs of more than 48 bytes.
  EXPECT_EQ(fitThread(5, 504, 2), "256: 5x8, 8x8");
  EXPECT_EQ(fitThread(7, 512, 2), "none");
  // Narrower elements along the long side have more of them.
  EXPECT_EQ(fitThread(2, 4096, 4, 1), "256: 2x4, 4x4");
  // Long rows of single elements of 4 bytes, and of 2 bytes; short rows.
  EXPECT_EQ(fitThread(2, 5001, 4), "256: 2x2, 2x1");
  EXPECT_EQ(fitThread(2, 511, 2), "256: 2x2, 4x1");
  EXPECT_EQ(fitThread(2, 513, 2), "none");
  EXPECT_EQ(fitThread(2, 16, 2), "256: 2x8, 4x4");
  EXPECT_EQ(fitThread(2, 15, 2), "none");
}

} // namespace
