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
  auto base = cast<RankedTensorType>(getBase().getType()),
       result = cast<RankedTensorType>(getResult().getType());
  int64_t rank = base.getRank();
  // HO2
  if (int64_t(getStaticOffsets().size()) != rank || int64_t(getStaticSizes().size()) != rank ||
      result.getRank() != rank)
    return emitOpError("expected one offset, one size and one result dimension for each of ")
           << rank << " dimensions, but got " << getStaticOffsets().size() << ", "
           << getStaticSizes().size() << " and " << result.getRank();
  if (failed(
          fuser::detail::verifyDynamicSizes(*this, getOffsets(), getStaticOffsets(), "offsets")) ||
      failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), getStaticSizes(), "sizes")) ||
      failed(fuser::detail::verifyResult(*this, getStaticSizes(), base.getElementType())))
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t offset = getStaticOffsets()[dim], size = getStaticSizes()[dim],
            extent = base.getDimSize(dim), end = 0;
    bool hasOffset = !ShapedType::isDynamic(offset), hasSize = !ShapedType::isDynamic(size);
    if ((hasOffset && offset < 0) || (hasSize && size < 0) ||
        (hasOffset && hasSize && !ShapedType::isDynamic(extent) &&
         (llvm::AddOverflow(offset, size, end) || end > extent)))
      return emitOpError("expected a box inside of dimension ")
             << dim << " (size " << extent << "), but got offset " << offset << " and size "
             << size;
  }
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

/// Equal types, or tensors of one element type whose shapes may be equal.
static bool areCompatible(Type a, Type b) {
  auto tensor = dyn_cast<RankedTensorType>(a), other = dyn_cast<RankedTensorType>(b);
  if (!tensor || !other)
    return a == b;
  return tensor.getElementType() == other.getElementType() &&
         succeeded(verifyCompatibleShape(tensor, other));
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // HO4
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernel());
  if (!kernel) {
    // Compiled kernels (a gpu.binary, an object's module) keep the name of their module only.
    Operation *root = symbols.lookupNearestSymbolFrom(*this, getKernel().getRootReference());
    if (root && !isa<FunctionOpInterface>(root))
      return success();
  }
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
      if (!areCompatible(a, b))
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
  if (!areCompatible(source, target))
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
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      fuser::detail::verifyParsedAttributes(parser, parser.getNameLoc(), result))
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
