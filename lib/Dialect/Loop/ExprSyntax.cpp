//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using fuser::ParallelType;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// Parser
//===----------------------------------------------------------------------===//

/// The position of a value among those that were named before; it is added if it is new.
static unsigned findOrAdd(SmallVectorImpl<ExprParser::Operand> &values,
                          const ExprParser::Operand &value) {
  const size_t position =
      llvm::find_if(values,
                    [&](const ExprParser::Operand &other) {
                      return other.name == value.name && other.number == value.number;
                    }) -
      values.begin();
  if (position == values.size())
    values.push_back(value);
  return position;
}

ParseResult ExprParser::parseExpr(AffineExpr &expr) {
  SmallVector<Operand> ownDims, ownSymbols;
  if (parser.parseAffineExprOfSSAIds(ownDims, ownSymbols, expr))
    return failure();
  SmallVector<AffineExpr> newDims, newSymbols;
  for (const Operand &value : ownDims)
    newDims.push_back(getAffineDimExpr(findOrAdd(dims, value), parser.getContext()));
  for (const Operand &value : ownSymbols)
    newSymbols.push_back(getAffineSymbolExpr(findOrAdd(symbols, value), parser.getContext()));
  expr = expr.replaceDimsAndSymbols(newDims, newSymbols);
  return success();
}

ParseResult ExprParser::parseConstraints(ParsedConstraints &constraints) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    AffineExpr lhs, rhs;
    if (parseExpr(lhs))
      return failure();
    const bool isLess = succeeded(parser.parseOptionalLess());
    if (!isLess && (parser.parseEqual() || parser.parseEqual()))
      return failure();
    if (parseExpr(rhs))
      return failure();
    constraints.kinds.push_back(isLess ? ConstraintKind::Less : ConstraintKind::Equal);
    constraints.bounds.append({lhs, rhs});
    return success();
  });
}

ParseResult ExprParser::parseOptionalGuard(StringRef keyword, ParsedConstraints &constraints) {
  return succeeded(parser.parseOptionalKeyword(keyword)) ? parseConstraints(constraints)
                                                         : success();
}

ParseResult ExprParser::parseAccess(ParsedAccess &access) {
  if (succeeded(parser.parseOptionalLBrace())) {
    if (parseExpr(access.results.emplace_back()) ||
        (succeeded(parser.parseOptionalComma()) && parseExpr(access.results.emplace_back())) ||
        parser.parseRBrace() || parser.parseKeyword("by") || parser.parseInteger(access.chunk) ||
        parser.parseKeyword("align") || parser.parseInteger(access.alignment))
      return failure();
    access.clamped = succeeded(parser.parseOptionalKeyword("clamp"));
  } else if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
               return parseExpr(access.results.emplace_back());
             })) {
    return failure();
  }
  access.kept = succeeded(parser.parseOptionalKeyword("keep"));
  return failure(parseOptionalTypes(parser, "follows", access.follows) ||
                 parseOptionalGuard("where", access.guard));
}

ParseResult ExprParser::resolve(SmallVectorImpl<Value> &operands) {
  Type index = parser.getBuilder().getIndexType();
  return failure(parser.resolveOperands(dims, index, operands) ||
                 parser.resolveOperands(symbols, index, operands));
}

AffineMap ExprParser::getMap(ArrayRef<AffineExpr> results) const {
  return AffineMap::get(dims.size(), symbols.size(), results, parser.getContext());
}

ConstraintsAttr ExprParser::getConstraints(const ParsedConstraints &constraints) const {
  return ConstraintsAttr::get(parser.getContext(), constraints.kinds, getMap(constraints.bounds));
}

AccessAttr ExprParser::getAccess(const ParsedAccess &access) const {
  return parser.getChecked<AccessAttr>(parser.getContext(), getMap(access.results),
                                       getConstraints(access.guard), access.chunk, access.alignment,
                                       access.clamped, access.kept, access.follows);
}

ParseResult fuser::loop::parseTypes(OpAsmParser &parser, ParallelTypesAttr &types) {
  SmallVector<ParallelType> values;
  auto parseType = [&]() -> ParseResult {
    StringRef keyword;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<ParallelType> type = fuser::symbolizeParallelType(keyword);
    if (!type)
      return parser.emitError(loc, "expected a parallel type, but got ") << keyword;
    values.push_back(*type);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseType))
    return failure();
  types = parser.getChecked<ParallelTypesAttr>(parser.getContext(), ArrayRef<ParallelType>(values));
  return success(bool(types));
}

ParseResult fuser::loop::parseOptionalTypes(OpAsmParser &parser, StringRef keyword,
                                            ParallelTypesAttr &types) {
  if (succeeded(parser.parseOptionalKeyword(keyword)))
    return parseTypes(parser, types);
  types = ParallelTypesAttr::get(parser.getContext(), {});
  return success();
}

//===----------------------------------------------------------------------===//
// Printer
//===----------------------------------------------------------------------===//

void ExprPrinter::printExpr(AffineExpr expr) {
  printer.printAffineExprOfSSAIds(expr, dims, symbols);
}

void ExprPrinter::printExprs(ArrayRef<AffineExpr> exprs) {
  llvm::interleaveComma(exprs, printer, [&](AffineExpr expr) { printExpr(expr); });
}

void ExprPrinter::printConstraints(ConstraintsAttr constraints) {
  printer << "(";
  llvm::interleaveComma(llvm::seq<unsigned>(0, constraints.size()), printer, [&](unsigned number) {
    printExpr(constraints.getLhs(number));
    printer << (constraints.getKinds()[number] == ConstraintKind::Less ? " < " : " == ");
    printExpr(constraints.getRhs(number));
  });
  printer << ")";
}

void ExprPrinter::printOptionalGuard(StringRef keyword, ConstraintsAttr constraints) {
  if (constraints.empty())
    return;
  printer << " " << keyword << " ";
  printConstraints(constraints);
}

void ExprPrinter::printAccess(AccessAttr access) {
  const bool hasOffset = access.hasOffset();
  printer << (hasOffset ? "{" : "[");
  printExprs(access.getMap().getResults());
  printer << (hasOffset ? "}" : "]");
  if (hasOffset)
    printer << " by " << access.getChunk() << " align " << access.getAlignment();
  if (access.getClamped())
    printer << " clamp";
  if (access.getKept())
    printer << " keep";
  printOptionalTypes(printer, "follows", access.getFollows());
  printOptionalGuard("where", access.getGuard());
}

void fuser::loop::printOptionalTypes(OpAsmPrinter &printer, StringRef keyword,
                                     ParallelTypesAttr types) {
  if (types.getTypes().empty())
    return;
  printer << " " << keyword << " ";
  printTypes(printer, types);
}

void fuser::loop::printTypes(OpAsmPrinter &printer, ParallelTypesAttr types) {
  printer << "[";
  llvm::interleaveComma(types.getTypes(), printer,
                        [&](ParallelType type) { printer << stringifyParallelType(type); });
  printer << "]";
}
