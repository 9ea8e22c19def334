//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Affine expressions of symbols as arith on index.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Ids/PositivePart.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

Value ExtentValues::buildConstant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ExtentValues::buildSymbol(unsigned position) {
  Value &value = symbols[position];
  if (value)
    return value;
  ExtentAnalysis::Symbol symbol = analysis.getSymbols()[position];
  Value argument = arguments[symbol.arg];
  if (symbol.dim >= 0)
    value = tensor::DimOp::create(builder, loc, argument, symbol.dim);
  else if (argument.getType().isIndex())
    value = argument;
  else if (argument.getType().isInteger(1))
    value = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), argument);
  else
    value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), argument);
  return value;
}

Value ExtentValues::build(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return buildConstant(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return buildSymbol(symbol.getPosition());
  if (AffineExpr operand = matchPositivePart(expr))
    return arith::MaxSIOp::create(builder, loc, build(operand), buildConstant(0));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = build(binary.getLHS()), rhs = build(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mod: {
    // Affine mod is never negative, unlike arith.remsi.
    Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
    Value product = arith::MulIOp::create(builder, loc, quotient, rhs);
    return arith::SubIOp::create(builder, loc, lhs, product);
  }
  default:
    llvm_unreachable("extents have no dimensions, and leaves are done");
  }
}
