//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of reductions that no registers keep: of "reduction" and of "streaming".
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONLOOPS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONLOOPS_H

#include "fuser/Scheduling/ReductionShape.h"
#include <optional>

namespace fuser {

/// Factors of the loops. Inner: `threadsX` threads along the row, `threadsY` rows of a block,
/// `unroll` vectors of a thread at a time. Outer: `threadsX` threads along the columns, `threadsY`
/// along the rows, `unroll` rows of a thread at a time. `splits` blocks share a result.
struct ReductionLoops {
  int64_t threadsX = 1, threadsY = 1, vector = 1, unroll = 1, splits = 1;
  /// Whether they share the elements of all rows of the result, instead of the rows.
  bool splitRows = false;
};

/// The dimensions along which vectors lie: those of the row (inner), or of the columns (outer).
llvm::ArrayRef<unsigned> getVectorClasses(const ReductionShape &shape);

/// True for the outer pattern if no input varies along both the columns and the rows: all pairs of
/// two lists, of which a thread reads an element of the one for each step of its loop, and those of
/// the other before it. Only what is stored limits vectors then.
bool hasElementsOfSteps(const KernelView &kernel, const ReductionShape &shape);

/// The widest vectors of the pattern: of several accesses, if `bytes` are more than one has.
int64_t getWidestVector(const KernelView &kernel, const ReductionShape &shape,
                        const Requirements &requirements, int64_t bytes = 16);

/// Threads of a block that handles several short rows, if there are not many.
inline constexpr int64_t kShortRowThreads = 128;

/// The number of rows from which on there are many: short ones share warps. The most vectors that a
/// thread of such a row has in flight.
inline constexpr int64_t kRowsToShareWarps = 16 * 1024, kMostOfWarp = 8;
/// Threads of a block that handles several of many rows.
inline constexpr int64_t kWarpRowThreads = 256;

/// True for many rows, or an unknown number.
inline bool haveManyRows(std::optional<int64_t> rows) {
  return !rows || *rows >= kRowsToShareWarps;
}

/// The threads of a warp, or of a part of it, that share a row of `vectors`: as few as have at most
/// kMostOfWarp each, and no more vectors that do not exist. The fewer threads, the fewer shuffles
/// combine them. Fewer than `least` only if that leaves fewer vectors idle.
int64_t getThreadsOfWarp(int64_t vectors, int64_t least = 8);

/// Sets the threads and the vectors of a thread for rows of `vectors`: at most a warp for a short
/// row, of which a block has several; otherwise so that whole steps cover the row with the least
/// waste. Narrow vectors need more of them in flight. If there are many rows (or an unknown
/// number), longer ones count as short, too.
void fitRow(int64_t vectors, bool isNarrow, std::optional<int64_t> rows, ReductionLoops &loops);

/// The same for many rows (or an unknown number) of few vectors that are only read: as few threads
/// share one as have kBytesOfShortRow of it each, or two wide vectors, but at most kMostOfWarp.
/// False for other rows.
bool fitShortRow(int64_t vectors, int64_t vectorBytes, std::optional<int64_t> rows,
                 ReductionLoops &loops);

/// The blocks of a grid, if the kept sizes are known.
std::optional<int64_t> getNumBlocks(const Requirements &requirements, const ReductionShape &shape,
                                    const ReductionLoops &loops);

/// Sets the loops of the op of `loops`, which has every dimension of `shape`. A full step of the
/// outer pattern needs no bounds checks, which would serialize its loads, because there are few
/// predicate registers.
mlir::LogicalResult scheduleReduction(LoopBuilder &loops, const ReductionShape &shape,
                                      const ReductionLoops &factors);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONLOOPS_H
