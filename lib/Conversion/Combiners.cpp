//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts combiners to reductions and to pointwise ops.
//
//===----------------------------------------------------------------------===//

#include "Combiners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;
using Kind = Combiner::Kind;

static std::optional<Kind> getKind(Operation *op) {
  using Result = std::optional<Kind>;
  bool isBool = op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  if (isBool) // as numbers of one bit they are bools, see Elements.cpp
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case<arith::AndIOp, arith::MulIOp, arith::MaxSIOp, arith::MinUIOp>(
            [](auto) { return Kind::And; })
        .Case<arith::OrIOp, arith::MinSIOp, arith::MaxUIOp>([](auto) { return Kind::Or; })
        .Default([](Operation *) { return std::nullopt; });
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::Add; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::Mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return Kind::Maximum; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return Kind::Minimum; })
      .Case([](arith::MaxNumFOp) { return Kind::MaxNum; })
      .Case([](arith::MinNumFOp) { return Kind::MinNum; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Combiner> Combiner::match(Value yielded, BlockArgument running) {
  Operation *op = yielded.getDefiningOp();
  if (!op || op->getNumOperands() != 2 ||
      (op->getOperand(0) == running) == (op->getOperand(1) == running))
    return std::nullopt;
  std::optional<Kind> kind = getKind(op);
  if (!kind)
    return std::nullopt;
  return Combiner{*kind, op->getOperand(op->getOperand(0) == running ? 1 : 0)};
}

bool Combiner::isNeutral(TypedAttr initial) const {
  if (auto number = dyn_cast<FloatAttr>(initial)) {
    const APFloat &value = number.getValue();
    switch (kind) {
    case Kind::Add:
      return value.isZero();
    case Kind::Mul:
      return value.isExactlyValue(1.0);
    case Kind::Maximum:
      return value.isInfinity() && value.isNegative();
    case Kind::Minimum:
      return value.isInfinity() && !value.isNegative();
    default: // where all elements are NaN the initial value is the result
      return false;
    }
  }
  auto number = dyn_cast<IntegerAttr>(initial);
  if (!number)
    return false;
  const APInt &value = number.getValue();
  switch (kind) {
  case Kind::Add:
  case Kind::Or:
    return value.isZero();
  case Kind::Mul:
  case Kind::And:
    return value.isOne();
  case Kind::Maximum:
    return value.isMinSignedValue();
  case Kind::Minimum:
    return value.isMaxSignedValue();
  default:
    return false;
  }
}

/// Replaces NaN in `value` by the infinity that loses against all other values.
static Value replaceNaN(OpBuilder &builder, Location loc, Value value, bool negative) {
  auto type = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  Value infinity = arith::ConstantOp::create(
      builder, loc, FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), negative)));
  Value isNaN = IsNanOp::create(builder, loc, value);
  return WhereOp::create(builder, loc, isNaN, infinity, value);
}

Value Combiner::reduce(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> dims) const {
  switch (kind) {
  case Kind::Add:
    return SumOp::create(builder, loc, value, dims);
  case Kind::Mul:
    return ProdOp::create(builder, loc, value, dims);
  case Kind::Maximum:
    return MaxOp::create(builder, loc, value, dims);
  case Kind::Minimum:
    return MinOp::create(builder, loc, value, dims);
  case Kind::MaxNum:
    return MaxOp::create(builder, loc, replaceNaN(builder, loc, value, true), dims);
  case Kind::MinNum:
    return MinOp::create(builder, loc, replaceNaN(builder, loc, value, false), dims);
  case Kind::And:
    return AllOp::create(builder, loc, value, dims);
  case Kind::Or:
    return AnyOp::create(builder, loc, value, dims);
  }
  llvm_unreachable("unknown combiner");
}

Value Combiner::combine(OpBuilder &builder, Location loc, Value lhs, Value rhs) const {
  switch (kind) {
  case Kind::Add:
    return AddOp::create(builder, loc, lhs, rhs);
  case Kind::Mul:
    return MulOp::create(builder, loc, lhs, rhs);
  case Kind::Maximum:
    return MaximumOp::create(builder, loc, lhs, rhs);
  case Kind::Minimum:
    return MinimumOp::create(builder, loc, lhs, rhs);
  case Kind::MaxNum:
    return FmaxOp::create(builder, loc, lhs, rhs);
  case Kind::MinNum:
    return FminOp::create(builder, loc, lhs, rhs);
  case Kind::And:
    return BitwiseAndOp::create(builder, loc, lhs, rhs);
  case Kind::Or:
    return BitwiseOrOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown combiner");
}
