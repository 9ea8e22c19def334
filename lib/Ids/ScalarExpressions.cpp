//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic as affine expressions.
//
//===----------------------------------------------------------------------===//

#include "ScalarExpressions.h"
#include "fuser/Ids/PositivePart.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

AffineExpr ScalarExpressions::get(Value value) {
  auto it = cache.find(value);
  if (it != cache.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  AffineExpr expr = op ? translate(op) : AffineExpr();
  cache[value] = expr;
  return expr;
}

AffineExpr ScalarExpressions::divide(AffineExpr lhs, AffineExpr rhs, AffineExprKind kind) {
  // An affine expression with a divisor below 1 is undefined, and truncation equals floor only for
  // non-negative numbers.
  if (facts.getRange(rhs).lower < 1 || facts.getRange(lhs).lower < 0)
    return {};
  return getAffineBinaryOpExpr(kind, lhs, rhs);
}

AffineExpr ScalarExpressions::select(AffineExpr lhs, AffineExpr rhs, bool larger) {
  IntegerRange left = facts.getRange(lhs), right = facts.getRange(rhs);
  if (left.lower >= right.upper)
    return larger ? lhs : rhs;
  if (right.lower >= left.upper)
    return larger ? rhs : lhs;
  if (!hasClamps)
    return {};
  return larger ? getLarger(lhs, rhs) : getSmaller(lhs, rhs);
}

AffineExpr ScalarExpressions::translate(Operation *op) {
  APInt constant;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_ConstantInt(&constant)))
    return constant.getSignificantBits() > 64
               ? AffineExpr()
               : getAffineConstantExpr(constant.getSExtValue(), op->getContext());
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    if (!index || !type || *index < 0 || *index >= type.getRank())
      return {};
    return extentOf(dim.getSource(), *index);
  }
  SmallVector<AffineExpr> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(get(operand));
    if (!operands.back())
      return {};
  }
  using Result = AffineExpr;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) { return operands[0]; })
      .Case([&](arith::AddIOp) { return operands[0] + operands[1]; })
      .Case([&](arith::SubIOp) { return operands[0] - operands[1]; })
      .Case([&](arith::MulIOp) { return operands[0] * operands[1]; })
      .Case<arith::CeilDivSIOp>(
          [&](auto) { return divide(operands[0], operands[1], AffineExprKind::CeilDiv); })
      .Case<arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return divide(operands[0], operands[1], AffineExprKind::FloorDiv); })
      .Case<arith::RemSIOp>(
          [&](auto) { return divide(operands[0], operands[1], AffineExprKind::Mod); })
      .Case<arith::MaxSIOp>([&](auto) { return select(operands[0], operands[1], true); })
      .Case<arith::MinSIOp>([&](auto) { return select(operands[0], operands[1], false); })
      .Case([&](affine::AffineApplyOp apply) {
        unsigned numDims = apply.getAffineMap().getNumDims();
        return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
            ArrayRef(operands).take_front(numDims), ArrayRef(operands).drop_front(numDims));
      })
      .Default([](Operation *) { return Result(); });
}
