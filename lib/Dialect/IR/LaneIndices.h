//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is known of the lanes of a vector of indices from the ops that compute it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_LANEINDICES_H
#define FUSER_LIB_DIALECT_IR_LANEINDICES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace fuser {

/// Lanes of a vector of integers or indices; a scalar has one. Sums and products are taken not to
/// wrap: they do not for elements that exist, and what is computed for others is not used.
struct LaneIndices {
  /// Of each lane, minus the first; nullopt where the difference is not known.
  std::optional<llvm::SmallVector<int64_t>> offsets;
  /// A power of two that divides the first lane.
  int64_t divisor = 1;

  static LaneIndices get(mlir::Value value);

  /// True where each lane is the one before it plus 1.
  bool areAdjacent() const;
};

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_LANEINDICES_H
