//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts combiners to reductions and to pointwise ops.
//
//===----------------------------------------------------------------------===//

#include "Combiners.h"
#include "Extremes.h"
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
        .Case<arith::AddIOp, arith::XOrIOp>([](auto) { return Kind::Xor; })
        .Default([](Operation *) { return std::nullopt; });
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::Add; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::Mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return Kind::Maximum; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return Kind::Minimum; })
      .Case([](arith::MaxNumFOp) { return Kind::MaxNum; })
      .Case([](arith::MinNumFOp) { return Kind::MinNum; })
      .Case([](arith::MaxUIOp) { return Kind::MaxUnsigned; })
      .Case([](arith::MinUIOp) { return Kind::MinUnsigned; })
      .Default([](Operation *) { return std::nullopt; });
}

/// A minimum or maximum that is written with comparisons and selects.
static std::optional<Combiner> matchExtreme(Value yielded, BlockArgument running) {
  std::optional<Extreme> extreme = Extreme::match(yielded, running);
  if (!extreme)
    return std::nullopt;
  Kind kind = extreme->isUnsigned  ? extreme->isMaximum ? Kind::MaxUnsigned : Kind::MinUnsigned
              : extreme->skipsNaN  ? extreme->isMaximum ? Kind::MaxNum : Kind::MinNum
              : extreme->isMaximum ? Kind::Maximum
                                   : Kind::Minimum;
  return Combiner{kind, extreme->value};
}

bool fuser::conversion::dependsOn(Value value, BlockArgument running) {
  if (value == running)
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == running.getOwner() &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, running); });
}

std::optional<Combiner> Combiner::match(Value yielded, BlockArgument running) {
  // The running value may be kept in a narrower type than the combination: a reduction rounds once.
  Value combined = yielded;
  auto isRunning = [&](Value value) {
    if (combined != yielded)
      if (auto widen = value.getDefiningOp<arith::ExtFOp>())
        value = widen.getIn();
    return value == running;
  };
  if (auto narrow = yielded.getDefiningOp<arith::TruncFOp>())
    combined = narrow.getIn();
  Operation *op = combined.getDefiningOp();
  std::optional<Kind> kind;
  if (op && op->getNumOperands() == 2 &&
      isRunning(op->getOperand(0)) != isRunning(op->getOperand(1)))
    kind = getKind(op);
  if (!kind)
    return matchExtreme(yielded, running);
  Value input = op->getOperand(isRunning(op->getOperand(0)) ? 1 : 0);
  if (dependsOn(input, running))
    return std::nullopt;
  return Combiner{*kind, input};
}

TypedAttr Combiner::getIdentity(Type type) const {
  Builder builder(type.getContext());
  bool isMaximum = kind == Kind::Maximum || kind == Kind::MaxNum;
  switch (kind) {
  case Kind::Add:
  case Kind::Or:
  case Kind::Xor:
  case Kind::MaxUnsigned:
    return builder.getZeroAttr(type);
  case Kind::Mul:
  case Kind::And:
    return builder.getOneAttr(type);
  default:
    break;
  }
  if (auto floats = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floats.getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics))
      return {};
    return builder.getFloatAttr(type, APFloat::getInf(semantics, /*Negative=*/isMaximum));
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return {};
  unsigned width = integer.getWidth();
  return builder.getIntegerAttr(type, kind == Kind::MinUnsigned ? APInt::getAllOnes(width)
                                      : isMaximum               ? APInt::getSignedMinValue(width)
                                                                : APInt::getSignedMaxValue(width));
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
  case Kind::Xor:
    return value.isZero();
  case Kind::Mul:
  case Kind::And:
    return value.isOne();
  case Kind::Maximum:
    return value.isMinSignedValue();
  case Kind::Minimum:
    return value.isMaxSignedValue();
  case Kind::MaxUnsigned:
    return value.isZero();
  case Kind::MinUnsigned:
    return value.isAllOnes();
  default:
    return false;
  }
}

Value fuser::conversion::replaceNaN(OpBuilder &builder, Location loc, Value value, bool negative) {
  auto type = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // Types without infinity have a greatest number instead.
  APFloat most = APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                     : APFloat::getLargest(semantics, negative);
  Value infinity = arith::ConstantOp::create(builder, loc, FloatAttr::get(type, most));
  Value isNaN = IsNanOp::create(builder, loc, value);
  return WhereOp::create(builder, loc, isNaN, infinity, value);
}

Value fuser::conversion::flipSign(OpBuilder &builder, Location loc, Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  bool isTensor = isa<RankedTensorType>(value.getType());
  if (type.isIndex()) {
    type = builder.getI64Type();
    value = arith::IndexCastOp::create(builder, loc, type, value);
  }
  Value lowest = arith::ConstantOp::create(
      builder, loc, IntegerAttr::get(type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth())));
  if (isTensor)
    return BitwiseXorOp::create(builder, loc, value, lowest);
  return arith::XOrIOp::create(builder, loc, value, lowest);
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
  case Kind::MaxUnsigned:
    value = MaxOp::create(builder, loc, flipSign(builder, loc, value), dims);
    return flipSign(builder, loc, value);
  case Kind::MinUnsigned:
    value = MinOp::create(builder, loc, flipSign(builder, loc, value), dims);
    return flipSign(builder, loc, value);
  case Kind::And:
    return AllOp::create(builder, loc, value, dims);
  case Kind::Or:
    return AnyOp::create(builder, loc, value, dims);
  case Kind::Xor: {
    // Whether an odd number of them is true.
    Type i32 = builder.getI32Type();
    Value number =
        SumOp::create(builder, loc, Value(CastOp::create(builder, loc, i32, value)), dims);
    Value one = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    Value bit = BitwiseAndOp::create(builder, loc, number, one);
    return CastOp::create(builder, loc, builder.getI1Type(), bit);
  }
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
  case Kind::MaxUnsigned:
    return flipSign(
        builder, loc,
        MaximumOp::create(builder, loc, flipSign(builder, loc, lhs), flipSign(builder, loc, rhs)));
  case Kind::MinUnsigned:
    return flipSign(
        builder, loc,
        MinimumOp::create(builder, loc, flipSign(builder, loc, lhs), flipSign(builder, loc, rhs)));
  case Kind::And:
    return BitwiseAndOp::create(builder, loc, lhs, rhs);
  case Kind::Or:
    return BitwiseOrOp::create(builder, loc, lhs, rhs);
  case Kind::Xor:
    return BitwiseXorOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown combiner");
}
