//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Affine expressions over SSA values, as the ops of the loop dialect print and parse them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_LOOP_EXPRSYNTAX_H
#define FUSER_LIB_DIALECT_LOOP_EXPRSYNTAX_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser::loop {

/// Constraints before the operands of their op are known.
struct ParsedConstraints {
  llvm::SmallVector<ConstraintKind> kinds;
  llvm::SmallVector<mlir::AffineExpr> bounds;
};

/// An access before the operands of its op are known.
struct ParsedAccess {
  llvm::SmallVector<mlir::AffineExpr> results;
  ParsedConstraints guard;
  int64_t chunk = 0, alignment = 0;
  bool clamped = false, kept = false;
  ParallelTypesAttr follows;
};

/// Parses the expressions of one op: each value that they name becomes one operand, dimensions
/// first. Attributes are created when all have been parsed.
class ExprParser {
public:
  using Operand = mlir::OpAsmParser::UnresolvedOperand;

  explicit ExprParser(mlir::OpAsmParser &parser) : parser(parser) {}

  mlir::ParseResult parseExpr(mlir::AffineExpr &expr);
  /// `(` constraint (`,` constraint)* `)`
  mlir::ParseResult parseConstraints(ParsedConstraints &constraints);
  /// (`keyword` constraints)?
  mlir::ParseResult parseOptionalGuard(llvm::StringRef keyword, ParsedConstraints &constraints);
  /// `[` indices `]` or `{` (block `,`)? offset `}` `by` chunk `align` bytes, `clamp`?, `keep`?,
  /// (`follows` types)?, (`where` guard)?
  mlir::ParseResult parseAccess(ParsedAccess &access);

  llvm::ArrayRef<Operand> getDims() const { return dims; }
  llvm::ArrayRef<Operand> getSymbols() const { return symbols; }
  /// Resolves all values as `index` and adds them to the operands of the op.
  mlir::ParseResult resolve(llvm::SmallVectorImpl<mlir::Value> &operands);
  mlir::AffineMap getMap(llvm::ArrayRef<mlir::AffineExpr> results) const;
  ConstraintsAttr getConstraints(const ParsedConstraints &constraints) const;
  AccessAttr getAccess(const ParsedAccess &access) const;

private:
  mlir::OpAsmParser &parser;
  llvm::SmallVector<Operand> dims, symbols;
};

/// Prints expressions over the operands of one op.
class ExprPrinter {
public:
  /// The first `numDims` of `indices` are dimensions, the rest symbols.
  ExprPrinter(mlir::OpAsmPrinter &printer, mlir::ValueRange indices, unsigned numDims)
      : printer(printer), dims(indices.take_front(numDims)), symbols(indices.drop_front(numDims)) {}

  void printExpr(mlir::AffineExpr expr);
  void printExprs(llvm::ArrayRef<mlir::AffineExpr> exprs);
  void printConstraints(ConstraintsAttr constraints);
  /// Nothing for an empty list.
  void printOptionalGuard(llvm::StringRef keyword, ConstraintsAttr constraints);
  void printAccess(AccessAttr access);

private:
  mlir::OpAsmPrinter &printer;
  mlir::ValueRange dims, symbols;
};

/// A body without terminator, perhaps empty.
mlir::ParseResult parseBody(mlir::OpAsmParser &parser, mlir::Region &body,
                            llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments = {});
void printBody(mlir::OpAsmPrinter &printer, mlir::Region &body);

/// `[` types `]`
mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, ParallelTypesAttr &types);
/// (`keyword` types)?
mlir::ParseResult parseOptionalTypes(mlir::OpAsmParser &parser, llvm::StringRef keyword,
                                     ParallelTypesAttr &types);
/// Nothing for an empty list.
void printOptionalTypes(mlir::OpAsmPrinter &printer, llvm::StringRef keyword,
                        ParallelTypesAttr types);
void printTypes(mlir::OpAsmPrinter &printer, ParallelTypesAttr types);

} // namespace fuser::loop

#endif // FUSER_LIB_DIALECT_LOOP_EXPRSYNTAX_H
