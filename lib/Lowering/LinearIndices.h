//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Indices of kernel IR as sums of multiples of values.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LINEARINDICES_H
#define FUSER_LIB_LOWERING_LINEARINDICES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser {

/// An index as a constant and a sum of multiples of values, which are in the order in which they
/// were met first. Sums, differences and products wrap alike, so that equal forms are equal
/// indices.
struct LinearIndex {
  llvm::SmallVector<std::pair<unsigned, int64_t>> terms;
  int64_t constant = 0;
};

/// Makes linear indices, and remembers them.
class LinearIndices {
public:
  const LinearIndex &get(mlir::Value index);
  /// The value that terms have as `number`.
  mlir::Value getValue(unsigned number) const { return values[number]; }

private:
  LinearIndex compute(mlir::Value index);
  LinearIndex getUnknown(mlir::Value index);

  llvm::DenseMap<mlir::Value, LinearIndex> known;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<mlir::Value> values;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LINEARINDICES_H
