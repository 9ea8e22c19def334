//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Known properties of integer expressions: ranges, divisors, equality.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_SYMBOLFACTS_H
#define FUSER_IDS_SYMBOLFACTS_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <limits>
#include <optional>

namespace fuser {

/// A closed interval of integers; the limits of int64_t stand for "unbounded".
struct IntegerRange {
  static constexpr int64_t kUnboundedBelow = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kUnboundedAbove = std::numeric_limits<int64_t>::max();

  int64_t lower = kUnboundedBelow;
  int64_t upper = kUnboundedAbove;

  static IntegerRange exactly(int64_t value) { return {value, value}; }
  bool isConstant() const { return lower == upper; }
  bool contains(int64_t value) const { return lower <= value && value <= upper; }
  IntegerRange intersect(IntegerRange other) const {
    return {std::max(lower, other.lower), std::min(upper, other.upper)};
  }
  bool operator==(IntegerRange other) const { return lower == other.lower && upper == other.upper; }
};

/// Facts about symbols (and whole expressions), and their consequences for expressions of +, *,
/// floordiv, ceildiv and mod. Expressions are over mathematical integers: arithmetic here saturates
/// and never wraps. Divisors are assumed to be positive. Normal forms are cached: threads must not
/// share an object, not even for queries.
class SymbolFacts {
public:
  /// States lower <= expr <= upper, in addition to earlier facts.
  void addRange(mlir::AffineExpr expr, IntegerRange range);
  /// States expr % divisor == 0; `divisor` is at least 1.
  void addDivisor(mlir::AffineExpr expr, int64_t divisor);
  /// States that two products of symbols are equal, as rows and columns that two reshapes merge:
  /// normal forms have one of both. Nothing is stated of other expressions.
  void addEqualProducts(mlir::AffineExpr lhs, mlir::AffineExpr rhs);

  /// What was stated of one expression.
  struct Known {
    mlir::AffineExpr expr;
    IntegerRange range;
    int64_t divisor;
  };
  /// All that was stated, in an order that depends on the expressions only.
  llvm::SmallVector<Known> getKnown() const;

  /// The smallest interval that follows by interval arithmetic.
  IntegerRange getRange(mlir::AffineExpr expr) const;
  /// The largest known number that divides `expr`: at least 1, or 0 if `expr` is 0, which every
  /// number divides.
  int64_t getDivisor(mlir::AffineExpr expr) const;

  /// The sum of products in a fixed order, with divisions eliminated if they leave no remainder.
  /// Two expressions with the same normal form are equal if the facts hold; the converse is not
  /// guaranteed. If a coefficient overflows, `expr` itself.
  mlir::AffineExpr normalize(mlir::AffineExpr expr) const;
  /// True if `lhs` and `rhs` have the same normal form.
  bool isEqual(mlir::AffineExpr lhs, mlir::AffineExpr rhs) const;
  /// Replaces products of `atoms` (sorted) that are stated to be equal to others.
  void replaceProducts(llvm::SmallVectorImpl<mlir::AffineExpr> &atoms) const;

private:
  struct Fact {
    IntegerRange range;
    int64_t divisor = 1;
  };
  llvm::DenseMap<mlir::AffineExpr, Fact> facts;
  /// Products, as sorted symbols, and what replaces them: of fewer factors, or earlier ones.
  struct EqualProducts {
    llvm::SmallVector<mlir::AffineExpr, 2> from, to;
  };
  llvm::SmallVector<EqualProducts> products;
  /// Normal forms under the present facts.
  mutable llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr> normalForms;
};

} // namespace fuser

#endif // FUSER_IDS_SYMBOLFACTS_H
