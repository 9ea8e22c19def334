//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SHORTBUFFERS_H
#define FUSER_LIB_LOWERING_SHORTBUFFERS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser {

/// Buffers whose elements only reach memory outside of the kernel rounded to floats of at most 16
/// bits: their values may be off by a few ulp of f32 (ADR 11). Integers, comparisons and wider
/// floats that are computed from an element rule it out.
class ShortBuffers {
public:
  explicit ShortBuffers(loop::KernelOp kernel);
  bool holdAll(mlir::ValueRange buffers) const;

private:
  /// Buffers that are not short.
  llvm::DenseSet<mlir::Value> exact;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SHORTBUFFERS_H
