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

AffineExpr ScalarExpressions::divide(AffineExpr lhs, AffineExpr rhs, AffineExprKind kind,
                                     bool truncates) {
  // Truncation equals floor only for non-negative numbers. An affine expression with a divisor
  // below 1 is undefined; of a divisor that only a call knows, the call computes what it finds, and
  // sizes that are negative are refused.
  IntegerRange divisor = facts.getRange(rhs);
  bool isOpen = divisor.lower == IntegerRange::kUnboundedBelow && divisor.upper >= 1 &&
                isa<AffineSymbolExpr>(rhs);
  if ((divisor.lower < 1 && !isOpen) || (truncates && facts.getRange(lhs).lower < 0))
    return {};
  return getAffineBinaryOpExpr(kind, lhs, rhs);
}

AffineExpr ScalarExpressions::isNegative(AffineExpr expr) {
  IntegerRange range = facts.getRange(expr);
  if (range.lower >= 0)
    return getAffineConstantExpr(0, expr.getContext());
  if (range.upper < 0)
    return getAffineConstantExpr(1, expr.getContext());
  return -getSign(expr);
}

AffineExpr ScalarExpressions::choose(AffineExpr condition, AffineExpr ifTrue, AffineExpr ifFalse) {
  if (auto known = dyn_cast<AffineConstantExpr>(condition))
    return known.getValue() != 0 ? ifTrue : ifFalse;
  // Products with 0 and 1 alone never leave the range of their factors.
  return condition * ifTrue + (1 - condition) * ifFalse;
}

AffineExpr ScalarExpressions::pick(AffineExpr lhs, AffineExpr rhs, bool larger) {
  IntegerRange left = facts.getRange(lhs), right = facts.getRange(rhs);
  if (left.lower >= right.upper)
    return larger ? lhs : rhs;
  if (right.lower >= left.upper)
    return larger ? rhs : lhs;
  if (!hasClamps)
    return {};
  return larger ? getLarger(lhs, rhs) : getSmaller(lhs, rhs);
}

AffineExpr ScalarExpressions::compare(arith::CmpIOp op, AffineExpr lhs, AffineExpr rhs) {
  using P = arith::CmpIPredicate;
  bool isUnsigned = op.getPredicate() >= P::ult;
  if (isUnsigned && (facts.getRange(lhs).lower < 0 || facts.getRange(rhs).lower < 0))
    return {};
  AffineExpr isLess = isNegative(lhs - rhs), isGreater = isNegative(rhs - lhs);
  switch (op.getPredicate()) {
  case P::slt:
  case P::ult:
    return isLess;
  case P::sgt:
  case P::ugt:
    return isGreater;
  case P::sge:
  case P::uge:
    return 1 - isLess;
  case P::sle:
  case P::ule:
    return 1 - isGreater;
  case P::ne:
    return isLess + isGreater;
  case P::eq:
    return 1 - isLess - isGreater;
  }
  llvm_unreachable("unknown predicate");
}

AffineExpr ScalarExpressions::translateSelect(arith::SelectOp op, ArrayRef<AffineExpr> operands) {
  // A minimum or a maximum has a form that facts recognize.
  using P = arith::CmpIPredicate;
  if (auto comparison = op.getCondition().getDefiningOp<arith::CmpIOp>()) {
    const bool isLess =
        llvm::is_contained({P::slt, P::sle, P::ult, P::ule}, comparison.getPredicate());
    const bool isGreater =
        llvm::is_contained({P::sgt, P::sge, P::ugt, P::uge}, comparison.getPredicate());
    AffineExpr lhs = get(comparison.getLhs()), rhs = get(comparison.getRhs());
    const bool isSame = lhs == operands[1] && rhs == operands[2];
    if ((isLess || isGreater) && (isSame || (lhs == operands[2] && rhs == operands[1])))
      return pick(lhs, rhs, /*larger=*/isGreater == isSame);
  }
  return choose(operands[0], operands[1], operands[2]);
}

AffineExpr ScalarExpressions::translateCondition(Operation *op, ArrayRef<AffineExpr> operands) {
  // Kernels get what depends on a condition as an argument.
  if (!hasClamps)
    return {};
  bool isBool = op->getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::CmpIOp comparison) {
        return comparison.getLhs().getType().isInteger(1)
                   ? AffineExpr()
                   : compare(comparison, operands[0], operands[1]);
      })
      .Case([&](arith::SelectOp select) { return translateSelect(select, operands); })
      .Case([&](arith::ExtUIOp extend) {
        return extend.getIn().getType().isInteger(1) ? operands[0] : AffineExpr();
      })
      .Case([&](arith::AndIOp) { return isBool ? operands[0] * operands[1] : AffineExpr(); })
      .Case([&](arith::OrIOp) {
        return isBool ? operands[0] + operands[1] - operands[0] * operands[1] : AffineExpr();
      })
      .Case([&](arith::XOrIOp) {
        return isBool ? operands[0] + operands[1] - 2 * operands[0] * operands[1] : AffineExpr();
      })
      .Default([](Operation *) { return AffineExpr(); });
}

AffineExpr ScalarExpressions::translate(Operation *op) {
  APInt constant;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_ConstantInt(&constant)))
    return constant.getSignificantBits() > 64
               ? AffineExpr()
               : getAffineConstantExpr(constant.getBitWidth() == 1
                                           ? int64_t(constant.getZExtValue())
                                           : constant.getSExtValue(),
                                       op->getContext());
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
  if (op->getNumResults() != 1)
    return {};
  if (AffineExpr condition = translateCondition(op, operands))
    return condition;
  // The rest calculates with numbers.
  if (llvm::any_of(op->getOperandTypes(), [](Type type) { return type.isInteger(1); }))
    return {};
  using Result = AffineExpr;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) { return operands[0]; })
      .Case([&](arith::TruncIOp narrow) {
        // The number with the same lowest bits that is nearest to 0.
        unsigned width = narrow.getType().getIntOrFloatBitWidth();
        if (width > 32)
          return Result();
        int64_t half = int64_t(1) << (width - 1);
        IntegerRange range = facts.getRange(operands[0]);
        if (width == 1) // a condition, which is 0 or 1
          return range.lower >= 0 && range.upper <= 1 ? operands[0] : operands[0] % 2;
        return range.lower >= -half && range.upper < half
                   ? operands[0]
                   : (operands[0] + half) % (2 * half) - half;
      })
      .Case([&](arith::AddIOp) { return operands[0] + operands[1]; })
      .Case([&](arith::SubIOp) { return operands[0] - operands[1]; })
      .Case([&](arith::MulIOp) { return operands[0] * operands[1]; })
      .Case([&](arith::CeilDivSIOp) {
        return divide(operands[0], operands[1], AffineExprKind::CeilDiv, /*truncates=*/false);
      })
      .Case([&](arith::FloorDivSIOp) {
        return divide(operands[0], operands[1], AffineExprKind::FloorDiv, /*truncates=*/false);
      })
      .Case([&](arith::DivSIOp) {
        return divide(operands[0], operands[1], AffineExprKind::FloorDiv);
      })
      .Case<arith::RemSIOp>(
          [&](auto) { return divide(operands[0], operands[1], AffineExprKind::Mod); })
      .Case<arith::MaxSIOp>([&](auto) { return pick(operands[0], operands[1], true); })
      .Case<arith::MinSIOp>([&](auto) { return pick(operands[0], operands[1], false); })
      .Case([&](affine::AffineApplyOp apply) {
        unsigned numDims = apply.getAffineMap().getNumDims();
        return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
            ArrayRef(operands).take_front(numDims), ArrayRef(operands).drop_front(numDims));
      })
      .Default([](Operation *) { return Result(); });
}
