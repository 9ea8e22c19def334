//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bind attributes of symbols.
//
//===----------------------------------------------------------------------===//

#include "SymbolAttrs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

Attribute fuser::getSymbolAttr(const ExtentAnalysis &extents, unsigned symbol,
                               MLIRContext *context) {
  ExtentAnalysis::Symbol entry = extents.getSymbols()[symbol];
  if (entry.dim < 0)
    return kernel_ir::ScalarAttr::get(context, entry.arg);
  return kernel_ir::SizeAttr::get(context, entry.arg, entry.dim);
}

SymbolNumbering::SymbolNumbering(const ExtentAnalysis &extents, ArrayRef<AffineExpr> exprs,
                                 MLIRContext *context)
    : context(context), renumbered(extents.getSymbols().size()) {
  llvm::SmallSetVector<unsigned, 4> used;
  for (AffineExpr expr : exprs)
    expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        used.insert(symbol.getPosition());
    });
  for (unsigned symbol : used) {
    renumbered[symbol] = getAffineSymbolExpr(symbols.size(), context);
    symbols.push_back(getSymbolAttr(extents, symbol, context));
  }
  for (auto [symbol, expr] : llvm::enumerate(renumbered))
    if (!expr)
      renumbered[symbol] = getAffineSymbolExpr(symbol, context);
}

AffineMap SymbolNumbering::getMap(ArrayRef<AffineExpr> results) const {
  SmallVector<AffineExpr> replaced;
  for (AffineExpr result : results)
    replaced.push_back(result.replaceSymbols(renumbered));
  return AffineMap::get(0, symbols.size(), replaced, context);
}
