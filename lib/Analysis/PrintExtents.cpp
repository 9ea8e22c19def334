//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-print-extents.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Passes.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPRINTEXTENTS
#include "fuser/Analysis/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// "s2 = size of argument 1, dimension 0: 0 to 4096, divisible by 8"
static std::string describeSymbol(const ExtentAnalysis &extents, unsigned index,
                                  MLIRContext *context) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ExtentAnalysis::Symbol symbol = extents.getSymbols()[index];
  os << "s" << index << " = ";
  if (symbol.dim < 0)
    os << "value of argument " << symbol.arg;
  else
    os << "size of argument " << symbol.arg << ", dimension " << symbol.dim;
  AffineExpr self = getAffineSymbolExpr(index, context);
  if (extents.getSymbolExpr(index) != self) {
    os << ": " << extents.getSymbolExpr(index);
    return text;
  }
  IntegerRange range = extents.getRange(self);
  if (range.lower != IntegerRange::kUnboundedBelow && range.lower != 0)
    os << ", at least " << range.lower;
  if (range.upper != IntegerRange::kUnboundedAbove)
    os << ", at most " << range.upper;
  if (int64_t divisor = extents.getKnownDivisor(self); divisor > 1)
    os << ", divisible by " << divisor;
  return text;
}

static void printExtents(FunctionOpInterface program, const ExtentAnalysis &extents) {
  for (unsigned index = 0, e = extents.getSymbols().size(); index < e; ++index)
    program->emitRemark(describeSymbol(extents, index, program->getContext()));
  for (const ExtentAnalysis::Equality &equality : extents.getImpliedEqualities()) {
    std::string text;
    llvm::raw_string_ostream(text) << equality.lhs << " = " << equality.rhs;
    equality.op->emitRemark("needs ") << text;
  }
  for (const ExtentAnalysis::Bound &bound : extents.getImpliedBounds()) {
    std::string text;
    llvm::raw_string_ostream(text) << bound.lhs << " <= " << bound.rhs;
    bound.op->emitRemark("needs ") << text;
  }
  for (Operation &op : program.getFunctionBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(llvm::seq<unsigned>(0, view.getDomain().getNumIds()), os,
                          [&](unsigned id) { os << extents.getIdExtent(op.getResult(0), id); });
    op.emitRemark("extents [") << text << "]";
  }
}

namespace {
struct PrintExtents : fuser::impl::FuserPrintExtentsBase<PrintExtents> {
  void runOnOperation() override {
    for (FunctionOpInterface program : getOperation().getOps<FunctionOpInterface>()) {
      if (!isa<FusionOp, KernelOp>(program.getOperation()))
        continue;
      FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(program);
      if (failed(extents))
        return signalPassFailure();
      printExtents(program, *extents);
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
