//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matches bodies that keep the greater or the smaller of two values, and where it is.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_EXTREMES_H
#define FUSER_LIB_CONVERSION_EXTREMES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace fuser::conversion {

/// A body that yields the extreme of a running value and a new one, possibly with an index that is
/// selected in the same way, by any combination of comparisons, selects, minima, maxima and logic.
/// The outcome of such a body depends only on the order of the two values and of the two indices
/// and on which values are NaN, so the match evaluates it for each case.
struct Extreme {
  bool isMaximum = true;
  /// NaN is skipped, as if it were the least (greatest) value; else it wins.
  bool skipsNaN = false;
  /// Integers are compared as unsigned ones.
  bool isUnsigned = false;
  /// Of equal values the one with the greatest index is taken, not the one with the smallest.
  bool takesLast = false;
  /// What the body compares with the running values: values of the body that do not depend on them.
  mlir::Value value, index;

  /// Matches `yielded`, which replaces `running`; with an index, also `yieldedIndex`, which
  /// replaces `runningIndex`.
  static std::optional<Extreme> match(mlir::Value yielded, mlir::BlockArgument running,
                                      mlir::Value yieldedIndex = {},
                                      mlir::BlockArgument runningIndex = {});
};

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_EXTREMES_H
