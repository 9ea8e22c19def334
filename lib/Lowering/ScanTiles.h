//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of a scan whose dimension is split over threads, or over the elements of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SCANTILES_H
#define FUSER_LIB_LOWERING_SCANTILES_H

#include "LoopNest.h"

namespace fuser {

/// What each loop of a scan is to the tiles that it scans. A thread has the elements of a tile that
/// its own loops, the levels, iterate over.
struct ScanTile {
  /// A loop of a thread, or the elements of its vector.
  struct Level {
    const Loop *loop;
    int64_t extent;
  };

  /// In the order of the loops; the elements of the vector are the last.
  llvm::SmallVector<Level> levels;
  /// The elements of the vector, if it is not scanned: each tuple is of such vectors.
  int64_t lanes = 1;
  /// Numbers in `levels`: of kept dimensions; of the scanned one, more significant than its
  /// threads, and less significant, in the order of significance.
  llvm::SmallVector<unsigned> kept, outer, inner;
  /// Loops of kept dimensions around a tile, each iteration of which has its own carried tuple.
  llvm::SmallVector<Level> around;
  /// The threads that share a row, most significant first; those with more than one thread.
  llvm::SmallVector<ParallelType> threads;

  /// The iterations of some levels together.
  int64_t count(llvm::ArrayRef<unsigned> some) const;
  /// The elements of a tile in a thread, and the tuples that it carries.
  int64_t numElements() const;
  int64_t numCarried() const;

  /// `blockSize`: the threads of a block in x, y and z. Fails with a diagnostic if the schedule is
  /// not legal.
  static mlir::FailureOr<ScanTile> get(const ScheduledOp &scheduled,
                                       llvm::ArrayRef<int64_t> blockSize);
};

/// The threads of a block in x, y and z: the largest extents on each type.
llvm::SmallVector<int64_t, 3> getBlockSize(const LoopNest &nest);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SCANTILES_H
