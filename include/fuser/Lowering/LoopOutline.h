//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops, ops and buffers of a scheduled kernel as plain data, for tools that show them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LOWERING_LOOPOUTLINE_H
#define FUSER_LOWERING_LOOPOUTLINE_H

#include "fuser/Dialect/IR/Fuser.h"

#include <optional>
#include <vector>

namespace fuser {

/// A loop, an op that is computed there, a buffer that is new in each iteration, or the end of a
/// reduction, at which threads or blocks combine what each has accumulated.
struct LoopOutline {
  enum class Kind { Loop, Op, Buffer, Combine };
  Kind kind;

  // Loop.
  ParallelType type = ParallelType::Serial;
  /// The trip count, over the symbols of the kernel's ExtentAnalysis.
  mlir::AffineExpr extent = {};
  std::vector<LoopOutline> items = {};

  // Op, the op whose value is in the buffer, and the reduction.
  mlir::Operation *op = nullptr;

  // Combine: the types of the threads and blocks.
  llvm::SmallVector<ParallelType> types = {};

  // Buffer.
  MemoryType memory = MemoryType::Register;
  /// Sizes of its dimensions, as extents: of registers those of one thread, of shared memory those
  /// of one block.
  llvm::SmallVector<mlir::AffineExpr> shape = {};
};

/// What is in a kernel outside of all loops. Values in global memory have no buffer. Fails after a
/// diagnostic where the schedule is illegal.
mlir::FailureOr<std::vector<LoopOutline>> outlineLoops(KernelOp kernel);

} // namespace fuser

#endif // FUSER_LOWERING_LOOPOUTLINE_H
