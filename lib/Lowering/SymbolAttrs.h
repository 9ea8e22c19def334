//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expressions over the symbols of ExtentAnalysis, as attributes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SYMBOLATTRS_H
#define FUSER_LIB_LOWERING_SYMBOLATTRS_H

#include "fuser/Ids/Extents.h"

namespace fuser {

/// The bind attribute of an extent symbol.
mlir::Attribute getSymbolAttr(const ExtentAnalysis &extents, unsigned symbol,
                              mlir::MLIRContext *context);

/// Renumbers the symbols that occur in expressions, from 0.
class SymbolNumbering {
public:
  SymbolNumbering(const ExtentAnalysis &extents, llvm::ArrayRef<mlir::AffineExpr> exprs,
                  mlir::MLIRContext *context);
  /// The original symbol of each new symbol.
  llvm::ArrayRef<mlir::Attribute> getSymbols() const { return symbols; }
  mlir::AffineMap getMap(llvm::ArrayRef<mlir::AffineExpr> results) const;

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Attribute> symbols;
  llvm::SmallVector<mlir::AffineExpr> renumbered;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SYMBOLATTRS_H
