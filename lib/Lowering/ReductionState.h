//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_REDUCTIONSTATE_H
#define FUSER_LIB_LOWERING_REDUCTIONSTATE_H

#include "KernelEmitter.h"

namespace fuser {

/// The accumulators of one reduction while its loops run.
struct KernelEmitter::Accumulators {
  /// Iteration loops inside of the reduction loops, and their extents: one tuple for each index.
  llvm::SmallVector<const Loop *> loops;
  llvm::SmallVector<int64_t> extents;
  /// Elements of the vectorized loop, and whether that loop is reduced.
  int64_t width = 1;
  bool foldLanes = false;
  /// One register array for each component of a tuple.
  llvm::SmallVector<mlir::Value> memory;

  Access access(unsigned component, mlir::Value offset) const {
    Access result;
    result.memory = memory[component];
    result.offset = offset;
    auto type = mlir::cast<mlir::MemRefType>(result.memory.getType());
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    result.alignment = std::min<int64_t>(16, bytes * width);
    return result;
  }
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_REDUCTIONSTATE_H
