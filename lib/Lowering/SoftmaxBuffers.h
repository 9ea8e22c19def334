//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H
#define FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {

/// Finds the exponentials exp(x - max(x)) of which subnormal results may be 0 (ADR 11): their sum
/// is at least 1, and each of them is only summed, or divided by the sum and stored in 16 bits.
class SoftmaxBuffers {
public:
  explicit SoftmaxBuffers(loop::KernelOp kernel);
  /// True if `tile` computes such an exponential.
  bool isNumerator(loop::TileOp tile) const { return numerators.contains(tile); }
  /// True if `tile` divides such an exponential by the sum.
  bool isQuotient(loop::TileOp tile) const { return quotients.contains(tile); }

private:
  llvm::SmallPtrSet<mlir::Operation *, 4> numerators, quotients;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SOFTMAXBUFFERS_H
