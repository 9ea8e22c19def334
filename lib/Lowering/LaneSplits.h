//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expressions of the lanes of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LANESPLITS_H
#define FUSER_LIB_LOWERING_LANESPLITS_H

#include "LoopExprs.h"
#include "llvm/ADT/BitVector.h"

namespace fuser {

/// An expression as base + lane, or as an expression that is the same for all lanes.
struct LaneSplit {
  mlir::AffineExpr base;
  bool hasLane = false;
};

class LaneSplits {
public:
  explicit LaneSplits(LoopFacts &facts);

  /// From now on, lanes are the indices 0 to width - 1 of this dimension; null: there are none.
  void setLanes(mlir::AffineExpr newVariable, int64_t newWidth) {
    variable = newVariable;
    width = newWidth;
  }
  mlir::AffineExpr getVariable() const { return variable; }
  int64_t getWidth() const { return width; }
  /// Data or a swizzle gives each lane an index of its own.
  void setPerLane(mlir::AffineExpr dim);

  /// True if the expression is the same for all lanes.
  bool isFixed(mlir::AffineExpr expr) const;
  /// Splits the lane off an expression, for the lanes of one chunk; none if lanes are neither equal
  /// nor consecutive. The base of consecutive lanes is a multiple of the chunk.
  std::optional<LaneSplit> split(mlir::AffineExpr expr, int64_t chunk) const;
  /// True if the lanes of a chunk are one element, or consecutive ones at a multiple of the chunk.
  bool isContiguous(mlir::AffineExpr offset, int64_t chunk) const;
  /// True if they are consecutive elements of `bytes` each, and one access of a buffer with this
  /// alignment.
  bool isVector(const LaneSplit &parts, int64_t chunk, int64_t bytes, int64_t alignment) const;
  /// True if a guard holds for all lanes of a chunk or for none.
  bool isUniform(const Constraints &guard, int64_t chunk) const;
  bool isUniform(const Constraint &constraint, int64_t chunk) const;

private:
  LoopFacts &facts;
  mlir::AffineExpr variable;
  int64_t width = 1;
  /// By dimension.
  llvm::BitVector perLane;
  /// By the logarithm of a chunk: its first lane, a multiple of the chunk.
  mlir::AffineExpr first[5];
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LANESPLITS_H
