//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equalities between symbols and expressions, as a substitution. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_IDS_SYMBOLSUBSTITUTION_H
#define FUSER_LIB_IDS_SYMBOLSUBSTITUTION_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/LogicalResult.h"

namespace fuser {

/// `expr` with symbol k replaced by `replacements[k]`.
mlir::AffineExpr substituteSymbols(mlir::AffineExpr expr,
                                   llvm::ArrayRef<mlir::AffineExpr> replacements);

/// A union-find over symbols whose representatives may be constants and expressions.
class SymbolSubstitution {
public:
  /// Adds the next symbol, which represents itself.
  mlir::AffineExpr addSymbol(mlir::MLIRContext *context);
  /// Unites `lhs` and `rhs`: the first of two symbols represents both; a constant or an expression
  /// represents a symbol that it does not contain. Two expressions are not united. Fails if both
  /// are different constants.
  llvm::LogicalResult unify(mlir::AffineExpr lhs, mlir::AffineExpr rhs);
  /// `expr` in terms of representatives.
  mlir::AffineExpr apply(mlir::AffineExpr expr);

private:
  mlir::AffineExpr find(unsigned symbol);

  llvm::SmallVector<mlir::AffineExpr> representatives;
};

} // namespace fuser

#endif // FUSER_LIB_IDS_SYMBOLSUBSTITUTION_H
