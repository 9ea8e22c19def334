//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of the ops by which a block waits for another one.
//
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using namespace fuser::loop;

/// `%flags` `[` place `]`
static ParseResult parsePlace(OpAsmParser &parser, ExprParser &exprs,
                              OpAsmParser::UnresolvedOperand &flags, AffineExpr &place) {
  return failure(parser.parseOperand(flags) || parser.parseLSquare() || exprs.parseExpr(place) ||
                 parser.parseRSquare());
}

static void printPlace(OpAsmPrinter &printer, ExprPrinter &exprs, Value flags, AffineMap place) {
  printer << " " << flags << "[";
  exprs.printExprs(place.getResults());
  printer << "]";
}

ParseResult OrderBlocksOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::UnresolvedOperand counter, slot;
  SmallVector<AffineExpr> counts;
  Type counterType, slotType;
  if (parser.parseOperand(counter) || parser.parseKeyword("of") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     [&] { return exprs.parseExpr(counts.emplace_back()); }) ||
      parser.parseKeyword("through") || parser.parseOperand(slot) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(counterType) ||
      parser.parseComma() || parser.parseType(slotType) ||
      parser.resolveOperand(counter, counterType, result.operands) ||
      parser.resolveOperand(slot, slotType, result.operands) || exprs.resolve(result.operands))
    return failure();
  result.getOrAddProperties<Properties>().counts = AffineMapAttr::get(exprs.getMap(counts));
  return success();
}

void OrderBlocksOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getCounts().getNumDims());
  printer << " " << getCounter() << " of [";
  exprs.printExprs(getCounts().getResults());
  printer << "] through " << getSlot();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"counts"});
  printer << " : " << getCounter().getType() << ", " << getSlot().getType();
}

ParseResult PublishOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::UnresolvedOperand flags;
  SmallVector<OpAsmParser::UnresolvedOperand> memory;
  AffineExpr place;
  ParsedConstraints guard;
  ParallelTypesAttr follows;
  SmallVector<Type> types;
  if (parsePlace(parser, exprs, flags, place) || parser.parseKeyword("of") ||
      parser.parseOperandList(memory) || exprs.parseOptionalGuard("if", guard) ||
      parseOptionalTypes(parser, "follows", follows) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types))
    return failure();
  llvm::SMLoc loc = parser.getNameLoc();
  if (types.size() != memory.size() + 1)
    return parser.emitError(loc, "expected ")
           << memory.size() + 1 << " types of buffers, but got " << types.size();
  if (parser.resolveOperand(flags, types.front(), result.operands) ||
      parser.resolveOperands(memory, ArrayRef(types).drop_front(), loc, result.operands) ||
      exprs.resolve(result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.place = AffineMapAttr::get(exprs.getMap(place));
  properties.guard = exprs.getConstraints(guard);
  properties.follows = follows;
  const int32_t numBuffers = types.size();
  llvm::copy(ArrayRef<int32_t>{1, numBuffers - 1, int32_t(result.operands.size()) - numBuffers},
             properties.operandSegmentSizes.begin());
  return success();
}

void PublishOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getPlace().getNumDims());
  printPlace(printer, exprs, getFlags(), getPlace());
  printer << " of ";
  printer.printOperands(getMemory());
  exprs.printOptionalGuard("if", getGuard());
  printOptionalTypes(printer, "follows", getFollows());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"place", "guard", "follows", "operandSegmentSizes"});
  printer << " : " << getFlags().getType();
  for (Value buffer : getMemory())
    printer << ", " << buffer.getType();
}

ParseResult AwaitOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::UnresolvedOperand flags;
  AffineExpr place;
  ParsedConstraints guard;
  Type type;
  if (parsePlace(parser, exprs, flags, place) || exprs.parseOptionalGuard("if", guard) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(flags, type, result.operands) || exprs.resolve(result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.place = AffineMapAttr::get(exprs.getMap(place));
  properties.guard = exprs.getConstraints(guard);
  return success();
}

void AwaitOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getPlace().getNumDims());
  printPlace(printer, exprs, getFlags(), getPlace());
  exprs.printOptionalGuard("if", getGuard());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"place", "guard"});
  printer << " : " << getFlags().getType();
}
