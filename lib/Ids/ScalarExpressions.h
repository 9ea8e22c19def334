//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic as affine expressions. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_IDS_SCALAREXPRESSIONS_H
#define FUSER_LIB_IDS_SCALAREXPRESSIONS_H

#include "fuser/Ids/SymbolFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Value.h"
#include <functional>

namespace fuser {

/// Translates integers and indices computed from arguments into expressions of symbols.
class ScalarExpressions {
public:
  /// Returns the expression of dimension `dim` of a tensor; null if it has none.
  using ExtentOf = std::function<mlir::AffineExpr(mlir::Value tensor, unsigned dim)>;

  /// `cache` contains the scalar arguments and receives every queried value; `facts` are used to
  /// resolve min, max and the rounding of signed divisions. Minima, maxima and conditions
  /// that they do not resolve have an expression if `hasClamps`.
  ScalarExpressions(llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache, const SymbolFacts &facts,
                    ExtentOf extentOf, bool hasClamps)
      : cache(cache), facts(facts), extentOf(std::move(extentOf)), hasClamps(hasClamps) {}

  /// The expression of a scalar; null if it depends on data, or on an unsupported op.
  mlir::AffineExpr get(mlir::Value value);

private:
  mlir::AffineExpr translate(mlir::Operation *op);
  /// Truncating division: floor if both sides are known to be non-negative.
  mlir::AffineExpr divide(mlir::AffineExpr lhs, mlir::AffineExpr rhs, mlir::AffineExprKind kind,
                          bool truncates = true);
  /// The smaller or the larger one.
  mlir::AffineExpr pick(mlir::AffineExpr lhs, mlir::AffineExpr rhs, bool larger);
  // Conditions are expressions of the value 0 or 1.
  mlir::AffineExpr isNegative(mlir::AffineExpr expr);
  mlir::AffineExpr compare(mlir::arith::CmpIOp op, mlir::AffineExpr lhs, mlir::AffineExpr rhs);
  mlir::AffineExpr choose(mlir::AffineExpr condition, mlir::AffineExpr ifTrue,
                          mlir::AffineExpr ifFalse);
  mlir::AffineExpr translateSelect(mlir::arith::SelectOp op,
                                   llvm::ArrayRef<mlir::AffineExpr> operands);
  /// Ops of which an operand or the result is a condition; null for other ones.
  mlir::AffineExpr translateCondition(mlir::Operation *op,
                                      llvm::ArrayRef<mlir::AffineExpr> operands);

  llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache;
  const SymbolFacts &facts;
  ExtentOf extentOf;
  bool hasClamps;
};

} // namespace fuser

#endif // FUSER_LIB_IDS_SCALAREXPRESSIONS_H
