//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H
#define FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser {

/// Finds the exponentials exp(x - max(x)) of which subnormal results may be 0 (ADR 11): their sum
/// is at least 1, and each of them is only summed, or divided by the sum and stored in 16 bits.
class SoftmaxBuffers {
public:
  explicit SoftmaxBuffers(loop::KernelOp kernel);
  /// True if `tile` computes such an exponential.
  bool isNumerator(loop::TileOp tile) const;

private:
  using Tiles = llvm::SmallVector<loop::TileOp, 1>;
  llvm::ArrayRef<loop::TileOp> getWriters(mlir::Value buffer) const;
  llvm::ArrayRef<loop::TileOp> getReaders(mlir::Value buffer) const;
  /// The only op whose element is written to a buffer; null if it is moved, or if there are others.
  loop::TileOp getOnlyWriter(mlir::Value buffer) const;
  mlir::Value skipMoves(mlir::Value buffer, bool broadcasts) const;
  bool isSame(mlir::Value a, mlir::Value b, unsigned depth = 0) const;
  /// The step that gives a buffer the result of a reduction of a row; null for other buffers.
  loop::TileOp getReduction(mlir::Value buffer) const;
  bool isReductionOf(loop::TileOp finalize, llvm::function_ref<bool(mlir::Value)> isElement) const;
  bool isSumOf(mlir::Value buffer, loop::TileOp exp, loop::TileOp max) const;
  bool isStoredShort(mlir::Value buffer, unsigned depth = 0) const;

  llvm::DenseMap<mlir::Value, Tiles> writers, readers;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H
