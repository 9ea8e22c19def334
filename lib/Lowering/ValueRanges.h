//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranges of the values of kernel IR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_VALUERANGES_H
#define FUSER_LIB_LOWERING_VALUERANGES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// The sizes of a launch along x, y and z, 0 where they are not known, and known divisors of
/// arguments of the function.
struct LaunchSizes {
  int64_t blocks[3] = {0, 0, 0}, threads[3] = {0, 0, 0};
  llvm::SmallDenseMap<mlir::Value, int64_t> divisors;
};

/// What is known of the lowest bits of a value: value mod 2^bits.
struct LowBits {
  unsigned bits;
  uint64_t value;
};

/// What a value, or each lane of a vector, lies between. Floats are finite, so that none is NaN.
template <typename T> struct Interval {
  T least, greatest;

  static std::optional<Interval> getUnion(std::optional<Interval> a, std::optional<Interval> b) {
    if (!a || !b)
      return std::nullopt;
    return Interval{std::min(a->least, b->least), std::max(a->greatest, b->greatest)};
  }
};
using Integers = Interval<int64_t>;
using Floats = Interval<double>;

/// Ranges of the values of a kernel at a place in it.
class ValueRanges {
public:
  explicit ValueRanges(const LaunchSizes &launch) : launch(launch) {}

  std::optional<Integers> getIntegers(mlir::Value value);
  std::optional<Floats> getFloats(mlir::Value value);
  /// Of integers, whatever wraps: in groups of four rows that are whole, the last row of all is the
  /// last one of a group.
  LowBits getLowBits(mlir::Value value) const;

  /// Values are also in the ranges that `condition`, or its negation, gives them, until `leave`.
  void enter(mlir::Value condition, bool isTrue = true);
  void leave();

private:
  std::optional<Integers> computeIntegers(mlir::Value value);
  std::optional<Integers> computeOfArithmetic(mlir::Operation *op);
  std::optional<Floats> computeFloats(mlir::Operation *op);
  std::optional<Integers> getOfId(mlir::gpu::Dimension dimension, const int64_t (&sizes)[3]);
  void addCondition(mlir::Value condition, bool isTrue);
  /// The union of the ranges of what is selected, each where it is.
  std::optional<Integers> getOfSelection(mlir::arith::SelectOp op);
  /// Of (base + offset) / n, as a quotient of the base that is one more where the offset leaves its
  /// row; nullopt for other selections.
  std::optional<Integers> getOfNextQuotient(mlir::arith::SelectOp op);
  /// Of min(x, x - size): a place past the end of a row is in the next row.
  std::optional<Integers> getOfWrapped(mlir::arith::MinUIOp op);
  /// Of a quotient whose remainder may have a range as well.
  std::optional<Integers> getOfQuotient(mlir::arith::DivUIOp op);

  /// What is known of values since one condition: computed, and stated by it.
  struct Scope {
    llvm::DenseMap<mlir::Value, std::optional<Integers>> integers;
    llvm::DenseMap<mlir::Value, std::optional<Floats>> floats;
    llvm::DenseMap<mlir::Value, Integers> stated;
  };
  llvm::SmallVector<Scope, 4> scopes = llvm::SmallVector<Scope, 4>(1);
  const LaunchSizes &launch;
  unsigned depth = 0;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_VALUERANGES_H
