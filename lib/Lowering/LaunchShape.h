//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The threads and blocks that the loops of a scheduled kernel require.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LAUNCHSHAPE_H
#define FUSER_LIB_LOWERING_LAUNCHSHAPE_H

#include "LoopNest.h"

namespace fuser {

class LaunchShape {
public:
  /// Fails after a diagnostic if loops on one type of block have different extents, or if a block
  /// has too many threads.
  static mlir::FailureOr<LaunchShape> create(KernelOp kernel, const LoopNest &nest,
                                             const ExtentAnalysis &extents);

  /// The threads of a block along a type of thread.
  int64_t getThreads(ParallelType type) const {
    return threads[unsigned(type) - unsigned(ParallelType::ThreadX)];
  }
  llvm::ArrayRef<int64_t> getThreads() const { return threads; }
  int64_t getNumThreads() const { return threads[0] * threads[1] * threads[2]; }
  /// The blocks of the grid, or of a cluster, along a type of block; null if no loop is on it.
  mlir::AffineExpr getBlocks(ParallelType type) const { return blocks.lookup(type); }

private:
  mlir::LogicalResult addBlocks(const ScheduledOp &scheduled, const Loop &loop,
                                const LoopNest &nest, const ExtentAnalysis &extents);

  llvm::SmallVector<int64_t, 3> threads;
  llvm::SmallDenseMap<ParallelType, mlir::AffineExpr> blocks;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LAUNCHSHAPE_H
