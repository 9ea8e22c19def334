//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ops require the facts of a kernel.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace fuser;

/// The op that makes two sizes equal: the first one after which the equalities that ops require
/// connect their symbols; null if there is none.
static Operation *findRequirement(const ExtentAnalysis &analysis, FactAttr fact) {
  llvm::EquivalenceClasses<unsigned> equal;
  auto getSymbol = [&](int64_t arg, int64_t dim) {
    auto symbols = analysis.getSymbols();
    auto found = llvm::find_if(symbols, [&](const ExtentAnalysis::Symbol &symbol) {
      return symbol.arg == arg && symbol.dim == dim;
    });
    return unsigned(found - symbols.begin());
  };
  unsigned lhs = getSymbol(fact.getArg(), fact.getDim()),
           rhs = getSymbol(fact.getOtherArg(), fact.getOtherDim());
  for (const ExtentAnalysis::Equality &equality : analysis.getImpliedEqualities()) {
    auto first = dyn_cast<AffineSymbolExpr>(equality.lhs),
         second = dyn_cast<AffineSymbolExpr>(equality.rhs);
    if (!first || !second)
      continue;
    equal.unionSets(first.getPosition(), second.getPosition());
    if (equal.isEquivalent(lhs, rhs))
      return equality.op;
  }
  return nullptr;
}

ArrayAttr fuser::describeFacts(KernelOp kernel) {
  ArrayAttr facts = kernel.getFactsAttr();
  auto isEqual = [](Attribute fact) { return cast<FactAttr>(fact).getKind() == FactKind::Equal; };
  if (!facts || llvm::none_of(facts, isEqual))
    return {};
  // Without the facts the analysis finds the ops that require them.
  Builder builder(kernel.getContext());
  kernel.setFactsAttr(builder.getArrayAttr(
      llvm::filter_to_vector(facts, [&](Attribute fact) { return !isEqual(fact); })));
  FailureOr<ExtentAnalysis> analysis = failure();
  {
    // Kernels of other threads keep their diagnostics.
    ScopedDiagnosticHandler quiet(kernel.getContext(),
                                  [thread = llvm::get_threadid()](Diagnostic &) {
                                    return success(llvm::get_threadid() == thread);
                                  });
    analysis = ExtentAnalysis::create(kernel);
  }
  kernel.setFactsAttr(facts);
  if (failed(analysis))
    return {};
  bool hasReason = false;
  SmallVector<Attribute> reasons;
  for (FactAttr fact : facts.getAsRange<FactAttr>()) {
    Operation *op = isEqual(fact) ? findRequirement(*analysis, fact) : nullptr;
    hasReason |= op != nullptr;
    reasons.push_back(builder.getStringAttr(
        op ? "sizes of '" + op->getName().getStringRef().str() + "'" : std::string()));
  }
  return hasReason ? builder.getArrayAttr(reasons) : ArrayAttr();
}
