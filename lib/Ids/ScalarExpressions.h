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
#include "mlir/IR/Value.h"
#include <functional>

namespace fuser {

/// Translates integers and indices computed from arguments into expressions of symbols.
class ScalarExpressions {
public:
  /// Returns the expression of dimension `dim` of a tensor; null if it has none.
  using ExtentOf = std::function<mlir::AffineExpr(mlir::Value tensor, unsigned dim)>;

  /// `cache` contains the scalar arguments and receives every queried value; `facts` are used to
  /// resolve min, max and the rounding of signed divisions. Minima and maxima that they do not
  /// resolve have an expression if `hasClamps`.
  ScalarExpressions(llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache, const SymbolFacts &facts,
                    ExtentOf extentOf, bool hasClamps)
      : cache(cache), facts(facts), extentOf(std::move(extentOf)), hasClamps(hasClamps) {}

  /// The expression of a scalar; null if it depends on data, or on an unsupported op.
  mlir::AffineExpr get(mlir::Value value);

private:
  mlir::AffineExpr translate(mlir::Operation *op);
  /// Truncating division: floor if both sides are known to be non-negative.
  mlir::AffineExpr divide(mlir::AffineExpr lhs, mlir::AffineExpr rhs, mlir::AffineExprKind kind);
  mlir::AffineExpr select(mlir::AffineExpr lhs, mlir::AffineExpr rhs, bool larger);

  llvm::DenseMap<mlir::Value, mlir::AffineExpr> &cache;
  const SymbolFacts &facts;
  ExtentOf extentOf;
  bool hasClamps;
};

} // namespace fuser

#endif // FUSER_LIB_IDS_SCALAREXPRESSIONS_H
