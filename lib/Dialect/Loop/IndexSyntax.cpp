//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of the ops whose result is an index.
//
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using namespace fuser::loop;

ParseResult IndexOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::UnresolvedOperand buffer;
  ParsedAccess access;
  Type type;
  if (parser.parseOperand(buffer) || exprs.parseAccess(access) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(buffer, type, result.operands) || exprs.resolve(result.operands))
    return failure();
  AccessAttr attribute = exprs.getAccess(access);
  if (!attribute)
    return failure();
  result.getOrAddProperties<Properties>().access = attribute;
  result.addTypes(parser.getBuilder().getIndexType());
  return success();
}

void IndexOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getAccess().getMap().getNumDims());
  printer << " " << getBuffer();
  exprs.printAccess(getAccess());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"access"});
  printer << " : " << getBuffer().getType();
}

/// Parenthesized expressions of an op whose result is an index.
static ParseResult parseIndexOf(OpAsmParser &parser, OperationState &result, AffineMap &map) {
  ExprParser exprs(parser);
  SmallVector<AffineExpr> results;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return exprs.parseExpr(results.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) || exprs.resolve(result.operands))
    return failure();
  map = exprs.getMap(results);
  result.addTypes(parser.getBuilder().getIndexType());
  return success();
}

static void printIndexOf(OpAsmPrinter &printer, Operation *op, ValueRange indices, AffineMap map,
                         StringRef name) {
  ExprPrinter exprs(printer, indices, map.getNumDims());
  printer << "(";
  exprs.printExprs(map.getResults());
  printer << ")";
  printer.printOptionalAttrDict(op->getAttrs(), {name});
}

ParseResult WholeOp::parse(OpAsmParser &parser, OperationState &result) {
  AffineMap extent;
  if (parser.parseKeyword("to") || parseIndexOf(parser, result, extent))
    return failure();
  result.getOrAddProperties<Properties>().extent = AffineMapAttr::get(extent);
  return success();
}

void WholeOp::print(OpAsmPrinter &printer) {
  printer << " to ";
  printIndexOf(printer, *this, getIndices(), getExtent(), "extent");
}

ParseResult XorOp::parse(OpAsmParser &parser, OperationState &result) {
  AffineMap terms;
  if (parseIndexOf(parser, result, terms))
    return failure();
  result.getOrAddProperties<Properties>().terms = AffineMapAttr::get(terms);
  return success();
}

void XorOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printIndexOf(printer, *this, getIndices(), getTerms(), "terms");
}

ParseResult HoldsOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  ParsedConstraints constraints;
  if (exprs.parseConstraints(constraints) || parser.parseOptionalAttrDict(result.attributes) ||
      exprs.resolve(result.operands))
    return failure();
  result.getOrAddProperties<Properties>().constraints = exprs.getConstraints(constraints);
  result.addTypes(parser.getBuilder().getIndexType());
  return success();
}

void HoldsOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getConstraints().getBounds().getNumDims());
  printer << " ";
  exprs.printConstraints(getConstraints());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"constraints"});
}
