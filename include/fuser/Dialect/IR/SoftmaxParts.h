//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_SOFTMAXPARTS_H
#define FUSER_DIALECT_IR_SOFTMAXPARTS_H

namespace mlir {
class Operation;
}

namespace fuser {

/// What an op may be in a softmax, exp(x - max(x)) / sum(exp(x - max(x))).
enum class SoftmaxPart {
  None,
  Maximum,
  Sum,
  /// Both statistics by one reduction: the maximum is result 0, the sum result 1.
  MaximumAndSum,
  /// A statistic in the shape of the elements.
  Broadcast,
  Difference,
  Exponential,
  Quotient,
  /// Of elements to another type.
  Conversion,
};

/// `op` may be null.
SoftmaxPart getSoftmaxPart(mlir::Operation *op);

} // namespace fuser

#endif // FUSER_DIALECT_IR_SOFTMAXPARTS_H
