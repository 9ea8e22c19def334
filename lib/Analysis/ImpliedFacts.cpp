//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The dimension of an argument that `expr` is, if it is one.
static std::optional<ExtentAnalysis::Symbol> getDimension(const ExtentAnalysis &analysis,
                                                          AffineExpr expr) {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  if (!symbol || analysis.getSymbols()[symbol.getPosition()].dim < 0)
    return std::nullopt;
  return analysis.getSymbols()[symbol.getPosition()];
}

ArrayAttr fuser::getFactsWithImplied(FunctionOpInterface program, const ExtentAnalysis &analysis) {
  MLIRContext *context = program->getContext();
  llvm::SmallSetVector<Attribute, 8> facts;
  if (auto given = program->getAttrOfType<ArrayAttr>("facts"))
    facts.insert(given.begin(), given.end());
  for (const ExtentAnalysis::Equality &equality : analysis.getImpliedEqualities()) {
    auto lhs = getDimension(analysis, equality.lhs), rhs = getDimension(analysis, equality.rhs);
    if (lhs && rhs) {
      facts.insert(FactAttr::getEqual(context, lhs->arg, lhs->dim, rhs->arg, rhs->dim));
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(lhs ? equality.rhs : equality.lhs);
    auto symbol = lhs ? lhs : rhs;
    if (!constant || !symbol)
      continue;
    facts.insert(FactAttr::getAtLeast(context, symbol->arg, symbol->dim, constant.getValue()));
    facts.insert(FactAttr::getAtMost(context, symbol->arg, symbol->dim, constant.getValue()));
  }
  return facts.empty() ? ArrayAttr() : ArrayAttr::get(context, facts.getArrayRef());
}
