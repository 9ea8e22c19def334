//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an equality of two expressions says about one symbol. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_IDS_SOLVEEQUALITY_H
#define FUSER_LIB_IDS_SOLVEEQUALITY_H

#include "fuser/Ids/SymbolFacts.h"

namespace fuser {

/// `symbol` equals `value`, which does not contain it.
struct SymbolSolution {
  mlir::AffineExpr symbol, value;
};

/// Solves `lhs == rhs` for a symbol. Both are sums of products as the facts allow; a symbol has a
/// solution where it is a term of its own, and where the solution is an integer expression: the
/// coefficient of the symbol is 1, -1 or, of an exact quotient, 1 / q or -1 / q; of an equality
/// without other symbols it is any number. Where several symbols have solutions, those without
/// negative coefficients take precedence, and then the last symbol. None if no symbol has one or
/// if it contradicts the range of the symbol.
std::optional<SymbolSolution> solveEquality(mlir::AffineExpr lhs, mlir::AffineExpr rhs,
                                            const SymbolFacts &facts);

} // namespace fuser

#endif // FUSER_LIB_IDS_SOLVEEQUALITY_H
