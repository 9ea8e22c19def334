//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The argument dimension that `expr` stands for, if any.
static std::optional<ExtentAnalysis::Symbol> getDimension(const ExtentAnalysis &analysis,
                                                          AffineExpr expr) {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  if (!symbol || analysis.getSymbols()[symbol.getPosition()].dim < 0)
    return std::nullopt;
  return analysis.getSymbols()[symbol.getPosition()];
}

/// The size of a dimension that an equality makes constant.
static std::optional<int64_t> getConstantSize(const ExtentAnalysis &analysis,
                                              const ExtentAnalysis::Equality &equality,
                                              ExtentAnalysis::Symbol &symbol) {
  auto lhs = getDimension(analysis, equality.lhs), rhs = getDimension(analysis, equality.rhs);
  auto constant = dyn_cast<AffineConstantExpr>(lhs ? equality.rhs : equality.lhs);
  if (!constant || !(lhs || rhs))
    return std::nullopt;
  symbol = lhs ? *lhs : *rhs;
  return constant.getValue();
}

SmallVector<ExtentAnalysis::Equality> fuser::getUnstatedEqualities(const ExtentAnalysis &analysis) {
  ExtentAnalysis::Symbol symbol;
  return llvm::filter_to_vector(
      analysis.getImpliedEqualities(), [&](const ExtentAnalysis::Equality &equality) {
        bool isEqual = getDimension(analysis, equality.lhs) && getDimension(analysis, equality.rhs);
        return !isEqual && !getConstantSize(analysis, equality, symbol);
      });
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
    ExtentAnalysis::Symbol symbol;
    std::optional<int64_t> size = getConstantSize(analysis, equality, symbol);
    if (!size)
      continue;
    facts.insert(FactAttr::getAtLeast(context, symbol.arg, symbol.dim, *size));
    facts.insert(FactAttr::getAtMost(context, symbol.arg, symbol.dim, *size));
  }
  return facts.empty() ? ArrayAttr() : ArrayAttr::get(context, facts.getArrayRef());
}
