//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic as affine expressions. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_ANALYSIS_SCALAREXPRESSIONS_H
#define FUSER_LIB_ANALYSIS_SCALAREXPRESSIONS_H

#include "fuser/Ids/SymbolFacts.h"
#include "mlir/IR/Value.h"
#include <functional>

namespace fuser {

/// Translates integers and indices that are computed from arguments into expressions of symbols.
class ScalarExpressions {
public:
  /// Names dimension `dim` of a tensor; null where it has no expression.
  using ExtentOf = std::function<mlir::AffineExpr(mlir::Value tensor, unsigned dim)>;

  /// `cache` holds the scalar arguments and receives every value that was asked for; `facts`
  /// decide min, max and the rounding of signed divisions.
  ScalarExpressions(llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache, const SymbolFacts &facts,
                    ExtentOf extentOf)
      : cache(cache), facts(facts), extentOf(std::move(extentOf)) {}

  /// The expression of a scalar; null where it depends on data, or on an op that is unknown.
  mlir::AffineExpr get(mlir::Value value);

private:
  mlir::AffineExpr translate(mlir::Operation *op);
  /// Division that truncates: floor where both sides are known not to be negative.
  mlir::AffineExpr divide(mlir::AffineExpr lhs, mlir::AffineExpr rhs, mlir::AffineExprKind kind);
  mlir::AffineExpr select(mlir::AffineExpr lhs, mlir::AffineExpr rhs, bool larger);

  llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache;
  const SymbolFacts &facts;
  ExtentOf extentOf;
};

} // namespace fuser

#endif // FUSER_LIB_ANALYSIS_SCALAREXPRESSIONS_H
