//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparisons of indices that are known except near the borders of tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_BORDERTESTS_H
#define FUSER_LIB_LOWERING_BORDERTESTS_H

#include "LinearIndices.h"
#include "ValueRanges.h"

namespace fuser {

/// A comparison of an index, or of each lane of a vector, with a constant, or the least of two
/// indices at a constant distance.
struct BorderTest {
  mlir::Operation *op;
  /// What is compared; the first lane of a vector minus a constant.
  mlir::Value index;
  /// The range of the sum of the terms that the index has, without its constant.
  Integers range;
  /// For each lane, the sums of the terms for which the comparison has the outcome
  /// `outcomeInside`; for a least index, for which it is the first one or, if `outcomeInside` is
  /// false, the second one.
  llvm::SmallVector<Integers, 4> lanes;
  bool outcomeInside;
};

/// The test that an op is; nullopt for other ops, and where the index is not known to be one of 31
/// bits, in which sums do not wrap.
std::optional<BorderTest> getBorderTest(mlir::Operation &op, LinearIndices &indices,
                                        ValueRanges &ranges);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_BORDERTESTS_H
