//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of the ops that wait for copies.
//
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using namespace fuser::loop;

ParseResult WaitPhaseOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  SmallVector<OpAsmParser::UnresolvedOperand> buffers;
  OpAsmParser::UnresolvedOperand barriers;
  AffineExpr place, phase;
  SmallVector<Type> types;
  Type barrierType;
  if (parser.parseOperandList(buffers) || parser.parseKeyword("of") ||
      parser.parseOperand(barriers) || parser.parseLSquare() || exprs.parseExpr(place) ||
      parser.parseRSquare() || parser.parseKeyword("phase") || parser.parseLParen() ||
      exprs.parseExpr(phase) || parser.parseRParen() ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types) ||
      parser.parseKeyword("of") || parser.parseType(barrierType) ||
      parser.resolveOperands(buffers, types, parser.getNameLoc(), result.operands) ||
      parser.resolveOperand(barriers, barrierType, result.operands) ||
      exprs.resolve(result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.use = AffineMapAttr::get(exprs.getMap({place, phase}));
  const int32_t numBuffers = buffers.size();
  llvm::copy(ArrayRef<int32_t>{numBuffers, 1, int32_t(result.operands.size()) - numBuffers - 1},
             properties.operandSegmentSizes.begin());
  return success();
}

void WaitPhaseOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getUse().getNumDims());
  printer << " ";
  printer.printOperands(getBuffers());
  printer << " of " << getBarriers() << "[";
  exprs.printExpr(getPlace());
  printer << "] phase (";
  exprs.printExpr(getPhase());
  printer << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"use", "operandSegmentSizes"});
  printer << " : ";
  llvm::interleaveComma(getBuffers().getTypes(), printer);
  printer << " of " << getBarriers().getType();
}
