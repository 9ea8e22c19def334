//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramOutputs.h"
#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Ids/LargeValues.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fuser;

FailureOr<ProgramOutputs> ProgramOutputs::create(FusionOp fusion, const ExtentAnalysis &analysis) {
  ProgramOutputs result;
  SmallVector<ProgramOutput> &outputs = result.outputs;
  for (Value value : fusion.getBody().front().getTerminator()->getOperands()) {
    ProgramOutput output{value, std::nullopt, std::nullopt};
    if (auto argument = dyn_cast<BlockArgument>(value))
      output.forwarded = argument.getArgNumber();
    outputs.push_back(output);
  }
  if (auto aliases = fusion.getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      outputs[alias.getOutput()].alias = alias.getInput();

  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto asked = output.value.getDefiningOp<StrideOrderOp>();
    if (asked && fusion.getOutputStrideOrder(index) != asked.getOrder())
      return asked.emitOpError("expected the stride order of output ")
             << index
             << " to be a requirement on the fusion: run fuser-resolve-stride-orders first";
    auto type = cast<RankedTensorType>(output.value.getType());
    for (auto [dim, extent] : llvm::enumerate(analysis.getExtents(output.value)))
      if (!extent && type.isDynamicDim(dim) && !output.alias)
        return fusion.emitOpError("expected sizes of output ")
               << index << " that arguments determine, but got an unknown dimension " << dim;
  }
  return result;
}

HostOp fuser::createHostFunction(FusionOp fusion, ArrayAttr facts, OpBuilder &builder) {
  auto host =
      HostOp::create(builder, fusion.getLoc(), fusion.getSymName(), fusion.getFunctionType());
  for (auto [argument, given] : llvm::zip_equal(host.getArguments(), fusion.getArguments()))
    argument.setLoc(given.getLoc());
  host->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  host.setSymVisibilityAttr(fusion.getSymVisibilityAttr());
  host.setArgAttrsAttr(fusion.getArgAttrsAttr());
  host.setResAttrsAttr(fusion.getResAttrsAttr());
  host.setArgLayoutsAttr(fusion.getArgLayoutsAttr());
  host.setOutputOrdersAttr(fusion.getOutputOrdersAttr());
  host.setAliasesAttr(fusion.getAliasesAttr());
  host.setFactsAttr(facts);
  host.setInputIdsAttr(fusion.getInputIdsAttr());
  host.setOutputIdsAttr(fusion.getOutputIdsAttr());
  host.setExtentIdsAttr(fusion.getExtentIdsAttr());
  return host;
}

/// True where the product is that of one size of an argument and constants: arguments lie in
/// memory, so that such a product stays within 64 bits.
static bool isOfOneSize(AffineExpr product, const ExtentAnalysis &analysis) {
  unsigned numSymbols = 0;
  bool isOfArgument = true;
  product.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part)) {
      ++numSymbols;
      isOfArgument &= analysis.getSymbols()[symbol.getPosition()].dim >= 0;
    }
  });
  return numSymbols <= 1 && isOfArgument;
}

/// Kernels count the elements of values in 64 bits. What is in memory is counted where it is passed
/// or allocated.
static void buildCountExpectations(FusionOp fusion, const ExtentAnalysis &analysis,
                                   ExtentValues &extents, OpBuilder &builder) {
  llvm::DenseSet<AffineExpr> built;
  for (Value value : findLargeValues(fusion, analysis, kMaxElements - 1)) {
    AffineExpr product = getAffineConstantExpr(1, fusion.getContext());
    for (AffineExpr extent : analysis.getExtents(value))
      product = product * extent;
    product = analysis.simplify(product);
    if (isOfOneSize(product, analysis) || !built.insert(product).second)
      continue;
    Operation *op = value.getDefiningOp();
    ExpectOp::create(builder, op->getLoc(), extents.build(product),
                     extents.build(getAffineConstantExpr(kMaxElements - 1, fusion.getContext())),
                     ("elements of '" + op->getName().getStringRef() + "'").str(),
                     /*atMost=*/true);
  }
}

void fuser::buildExpectations(FusionOp fusion, const ExtentAnalysis &analysis,
                              ExtentValues &extents, OpBuilder &builder) {
  for (const ExtentAnalysis::Equality &equality : getUnstatedEqualities(analysis)) {
    StringRef name = equality.op->getName().getStringRef();
    ExpectOp::create(builder, equality.op->getLoc(), extents.build(equality.lhs),
                     extents.build(equality.rhs), ("sizes of '" + name + "'").str());
  }
  for (const ExtentAnalysis::Bound &bound : analysis.getImpliedBounds()) {
    auto expect = dyn_cast<ExpectOp>(bound.op);
    StringRef name = bound.op->getName().getStringRef();
    ExpectOp::create(builder, bound.op->getLoc(), extents.build(bound.lhs),
                     extents.build(bound.rhs),
                     expect ? expect.getReason().str() : ("box of '" + name + "'").str(),
                     /*atMost=*/true);
  }
  buildCountExpectations(fusion, analysis, extents, builder);
}
