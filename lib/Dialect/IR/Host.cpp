//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of fuser.host.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostOps.cpp.inc"

LogicalResult AllocOp::verify() {
  RankedTensorType type = cast<RankedTensorType>(getResult().getType());
  // HO1
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("expected ")
           << type.getNumDynamicDims() << " sizes for the dynamic dimensions of " << type
           << ", but got " << getSizes().size();
  if (auto order = getOrder()) {
    SmallVector<int64_t> sorted(*order);
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
      return emitOpError("expected 'order' to be a permutation of ")
             << type.getRank() << " dimensions, but got [" << *order << "]";
  }
  return success();
}

LogicalResult ViewOp::verify() {
  int64_t rank = cast<RankedTensorType>(getBase().getType()).getRank();
  // HO2
  if (int64_t(getStaticOffsets().size()) != rank || int64_t(getStaticSizes().size()) != rank ||
      cast<RankedTensorType>(getResult().getType()).getRank() != rank)
    return emitOpError("expected one offset, one size and one result dimension for each of ")
           << rank << " dimensions, but got " << getStaticOffsets().size() << ", "
           << getStaticSizes().size() << " and "
           << cast<RankedTensorType>(getResult().getType()).getRank();
  return success();
}

LogicalResult LaunchOp::verify() {
  // HO3
  if (getResults().size() != getOutputs().size())
    return emitOpError("expected one result for each of ")
           << getOutputs().size() << " outputs, but got " << getResults().size();
  for (auto [index, output, result] : llvm::enumerate(getOutputs(), getResults()))
    if (output.getType() != result.getType())
      return emitOpError("expected result ") << index << " of type " << output.getType()
                                             << " like its output, but got " << result.getType();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // HO4
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernel());
  if (!kernel)
    return emitOpError("expected a kernel named ") << getKernel() << ", but there is none";
  auto fuserKernel = dyn_cast<KernelOp>(kernel.getOperation());
  if (!fuserKernel)
    return success();
  auto check = [&](StringRef what, TypeRange have, TypeRange want) -> LogicalResult {
    if (have.size() != want.size())
      return emitOpError("expected ")
             << want.size() << " " << what << " for " << getKernel() << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want))
      if (a != b && failed(verifyCompatibleShape(a, b)))
        return emitOpError("expected ")
               << what << " " << index << " of type " << b << ", but got " << a;
    return success();
  };
  if (failed(check("inputs", getInputs().getTypes(), fuserKernel.getArgumentTypes())))
    return failure();
  return check("outputs", getOutputs().getTypes(), fuserKernel.getResultTypes());
}

LogicalResult CopyOp::verify() {
  // HO5
  if (getDestination().getType() != getResult().getType())
    return emitOpError("expected a result of type ")
           << getDestination().getType() << ", but got " << getResult().getType();
  auto source = cast<RankedTensorType>(getSource().getType()),
       target = cast<RankedTensorType>(getResult().getType());
  if (source.getElementType() != target.getElementType() ||
      failed(verifyCompatibleShape(source, target)))
    return emitOpError("expected a source of type ") << target << ", but got " << source;
  return success();
}

//===----------------------------------------------------------------------===//
// ForOp
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value count, int64_t streams) {
  state.addOperands(count);
  state.addAttribute(getStreamsAttrName(state.name), builder.getI64IntegerAttr(streams));
  Region *body = state.addRegion();
  body->emplaceBlock().addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*body, builder, state.location);
}

LogicalResult ForOp::verify() {
  // HO6
  if (getStreams() < 1)
    return emitOpError("expected at least 1 stream, but got ") << getStreams();
  if (getBody().getNumArguments() != 1 || !getBody().getArgument(0).getType().isIndex())
    return emitOpError("expected one body argument of type index");
  return success();
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument variable;
  OpAsmParser::UnresolvedOperand count;
  IntegerAttr streams;
  variable.type = parser.getBuilder().getIndexType();
  if (parser.parseArgument(variable) || parser.parseKeyword("to") || parser.parseOperand(count) ||
      parser.resolveOperand(count, variable.type, result.operands) ||
      parser.parseKeyword("streams") ||
      parser.parseAttribute(streams, parser.getBuilder().getI64Type(),
                            getStreamsAttrName(result.name), result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, variable))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << " " << getInductionVariable() << " to " << getCount() << " streams " << getStreams()
          << " ";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getStreamsAttrName()});
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}
