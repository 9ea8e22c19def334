//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

Type ElementBuilder::getComputeType(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32 ? Float32Type::get(element.getContext()) : element;
}

Type ElementBuilder::getTypeLike(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return vector.clone(element);
  return element;
}

/// A constant of one scalar, or a splat of it.
static Value createConstant(OpBuilder &builder, Location loc, Type type, TypedAttr scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, scalar));
  return arith::ConstantOp::create(builder, loc, scalar);
}

Value ElementBuilder::constant(Value like, Type element, double value) {
  TypedAttr scalar = isa<FloatType>(element)
                         ? TypedAttr(builder.getFloatAttr(element, value))
                         : TypedAttr(builder.getIntegerAttr(element, int64_t(value)));
  return createConstant(builder, loc, getTypeLike(like, element), scalar);
}

Value ElementBuilder::constant(Value like, Type element, const APInt &value) {
  return createConstant(builder, loc, getTypeLike(like, element),
                        builder.getIntegerAttr(element, value));
}

Value ElementBuilder::constantLike(Value like, double value) {
  return constant(like, getElementTypeOrSelf(like.getType()), value);
}

Value ElementBuilder::splatLike(Value like, Value value) {
  if (auto type = dyn_cast<VectorType>(like.getType()))
    return vector::BroadcastOp::create(builder, loc, type, value);
  return value;
}

Value ElementBuilder::compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}

Value ElementBuilder::compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

Value ElementBuilder::select(Value condition, Value onTrue, Value onFalse) {
  return arith::SelectOp::create(builder, loc, condition, onTrue, onFalse);
}

Value ElementBuilder::square(ValueRange operands) {
  Value x = toCompute(operands)[0];
  return convertTo(apply<arith::MulFOp, arith::MulIOp>({x, x}), resultElement);
}

Value ElementBuilder::bitcast(Value value, Type element) {
  Type type = getTypeLike(value, element);
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

Value fuser::createZero(OpBuilder &builder, Location loc, Type element) {
  auto complexType = dyn_cast<ComplexType>(element);
  if (!complexType)
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  TypedAttr zero = builder.getZeroAttr(complexType.getElementType());
  return complex::ConstantOp::create(builder, loc, element, builder.getArrayAttr({zero, zero}));
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

Type ElementBuilder::getRegisterType(Type element) {
  auto complexType = dyn_cast<ComplexType>(element);
  if (!complexType)
    return element;
  unsigned width = complexType.getElementType().getIntOrFloatBitWidth();
  return IntegerType::get(element.getContext(), 2 * width);
}

ElementBuilder::Parts ElementBuilder::unpack(Value element, Type part) {
  unsigned width = part.getIntOrFloatBitWidth();
  Type bits = getTypeLike(element, builder.getIntegerType(width)),
       type = getTypeLike(element, part);
  Value amount = constant(element, builder.getIntegerType(2 * width), APInt(2 * width, width));
  auto getLowHalf = [&](Value value) -> Value {
    Value half = arith::TruncIOp::create(builder, loc, bits, value);
    return arith::BitcastOp::create(builder, loc, type, half);
  };
  return {getLowHalf(element), getLowHalf(create<arith::ShRUIOp>({element, amount}))};
}

Value ElementBuilder::pack(Parts parts) {
  unsigned width = getElementTypeOrSelf(parts.real.getType()).getIntOrFloatBitWidth();
  Type bits = getTypeLike(parts.real, builder.getIntegerType(width));
  Type packed = builder.getIntegerType(2 * width), type = getTypeLike(parts.real, packed);
  auto widen = [&](Value part) -> Value {
    Value half = arith::BitcastOp::create(builder, loc, bits, part);
    return arith::ExtUIOp::create(builder, loc, type, half);
  };
  Value amount = constant(parts.real, packed, APInt(2 * width, width));
  Value high = create<arith::ShLIOp>({widen(parts.imaginary), amount});
  return create<arith::OrIOp>({widen(parts.real), high});
}

ElementBuilder::Parts ElementBuilder::getParts(Value element, Type from, Type part) {
  if (auto complexType = dyn_cast<ComplexType>(from)) {
    Parts parts = unpack(element, complexType.getElementType());
    return {convertTo(parts.real, part), convertTo(parts.imaginary, part)};
  }
  Value real = convertTo(element, part);
  return {real, constantLike(real, 0)};
}

Value ElementBuilder::convert(Value element, Type from, Type to) {
  if (from == to)
    return element;
  if (auto complexType = dyn_cast<ComplexType>(to))
    return pack(getParts(element, from, complexType.getElementType()));
  auto complexType = dyn_cast<ComplexType>(from);
  if (!complexType)
    return convertTo(element, to);
  Parts parts = unpack(element, complexType.getElementType());
  if (!to.isInteger(1))
    return convertTo(parts.real, to);
  return create<arith::OrIOp>({convertTo(parts.real, to), convertTo(parts.imaginary, to)});
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Minima and maxima between a number and the constant that bounds it.
static constexpr unsigned kMaxBoundingOps = 4;

/// True if the value is NaN or a number for which `holds`, as those on one side of a limit. `Bound`
/// is the op whose result is not on the other side of either operand.
template <typename Bound, typename Other>
static bool isBounded(Value value, function_ref<bool(const APFloat &)> holds,
                      unsigned depth = kMaxBoundingOps) {
  if (std::optional<APFloat> constant = getConstantFloat(value))
    return holds(*constant);
  auto isOperandBounded = [&](Value operand) {
    return isBounded<Bound, Other>(operand, holds, depth - 1);
  };
  Operation *op = value.getDefiningOp();
  if (depth == 0 || !isa_and_nonnull<Bound, Other>(op))
    return false;
  return isa<Bound>(op) ? llvm::any_of(op->getOperands(), isOperandBounded)
                        : llvm::all_of(op->getOperands(), isOperandBounded);
}

/// Float to integer: saturates, NaN gives 0. The result of `arith.fptosi` beyond the range is
/// poison, which the selects never choose. What a clamp bounds needs none for that side.
static Value floatToInteger(ElementBuilder &b, Value value, IntegerType element) {
  unsigned width = element.getWidth();
  const double limit = std::ldexp(1.0, int(width) - 1);
  Value result =
      arith::FPToSIOp::create(b.builder, b.loc, ElementBuilder::getTypeLike(value, element), value);
  if (!isBounded<arith::MinimumFOp, arith::MaximumFOp>(
          value, [&](const APFloat &bound) { return bound.convertToDouble() < limit; }))
    result = b.select(b.compare(arith::CmpFPredicate::OGE, value, b.constantLike(value, limit)),
                      b.constant(value, element, APInt::getSignedMaxValue(width)), result);
  if (!isBounded<arith::MaximumFOp, arith::MinimumFOp>(
          value, [&](const APFloat &bound) { return bound.convertToDouble() >= -limit; }))
    result = b.select(b.compare(arith::CmpFPredicate::OLT, value, b.constantLike(value, -limit)),
                      b.constant(value, element, APInt::getSignedMinValue(width)), result);
  return b.select(b.compare(arith::CmpFPredicate::UNO, value, value), b.constant(value, element, 0),
                  result);
}

Value ElementBuilder::convertTo(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = getTypeLike(value, element);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(element);
  // Half types convert to and from every other type through f32.
  Type f32 = builder.getF32Type();
  if (from != f32 && element != f32 &&
      (getComputeType(from) == f32 || getComputeType(element) == f32))
    return convertTo(convertTo(value, f32), element);
  if (element.isInteger(1)) {
    Value zero = constant(value, from, 0.0);
    return fromFloat ? compare(arith::CmpFPredicate::UNE, value, zero)
                     : compare(arith::CmpIPredicate::ne, value, zero);
  }
  // Conversions between index and floats go through i64.
  if ((isa<IndexType>(from) && toFloat) || (fromFloat && isa<IndexType>(element)))
    return convertTo(convertTo(value, builder.getI64Type()), element);
  if (fromFloat && toFloat) {
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  if (fromFloat)
    return floatToInteger(*this, value, cast<IntegerType>(element));
  if (toFloat) {
    if (from.isInteger(1))
      return arith::UIToFPOp::create(builder, loc, type, value);
    return arith::SIToFPOp::create(builder, loc, type, value);
  }
  if (isa<IndexType>(from) || isa<IndexType>(element)) {
    if (from.isInteger(1))
      return arith::IndexCastUIOp::create(builder, loc, type, value);
    return arith::IndexCastOp::create(builder, loc, type, value);
  }
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth()) {
    if (from.isInteger(1))
      return arith::ExtUIOp::create(builder, loc, type, value);
    return arith::ExtSIOp::create(builder, loc, type, value);
  }
  return arith::TruncIOp::create(builder, loc, type, value);
}

bool fuser::isValuePreservingCast(Type from, Type to) {
  if (from == to)
    return true;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return llvm::APFloatBase::isRepresentableBy(fromFloat.getFloatSemantics(),
                                                toFloat.getFloatSemantics());
  auto fromInteger = dyn_cast<IntegerType>(from), toInteger = dyn_cast<IntegerType>(to);
  if (!fromInteger)
    return false;
  // A bool is 0 or 1, any other integer has a sign.
  if (toInteger)
    return fromInteger.getWidth() < toInteger.getWidth();
  if (!toFloat || !llvm::APFloat::semanticsHasZero(toFloat.getFloatSemantics()))
    return false;
  // Magnitudes below 2^(width - 1) need that many bits; the greatest has one bit set.
  int64_t bits = int64_t(fromInteger.getWidth()) - 1;
  return bits <= llvm::APFloat::semanticsPrecision(toFloat.getFloatSemantics()) &&
         bits <= llvm::APFloat::semanticsMaxExponent(toFloat.getFloatSemantics());
}

bool fuser::isRedundantCast(Type from, Type through, Type to) {
  if (!isValuePreservingCast(from, through))
    return false;
  bool turnsFloat = isa<IntegerType>(from) && isa<FloatType>(through);
  return !turnsFloat || !isa<IntegerType>(to) || to.isInteger(1) || isValuePreservingCast(from, to);
}

SmallVector<Value> ElementBuilder::toCompute(ValueRange operands) {
  Type compute = getComputeType(resultElement);
  return llvm::map_to_vector(operands, [&](Value operand) { return convertTo(operand, compute); });
}

//===----------------------------------------------------------------------===//
// Operations that families share
//===----------------------------------------------------------------------===//

Value ElementBuilder::maximum(Value lhs, Value rhs) {
  // As signed numbers, true would be -1.
  if (getElementTypeOrSelf(lhs.getType()).isInteger(1))
    return create<arith::OrIOp>({lhs, rhs});
  return apply<arith::MaximumFOp, arith::MaxSIOp>({lhs, rhs});
}

Value ElementBuilder::minimum(Value lhs, Value rhs) {
  if (getElementTypeOrSelf(lhs.getType()).isInteger(1))
    return create<arith::AndIOp>({lhs, rhs});
  return apply<arith::MinimumFOp, arith::MinSIOp>({lhs, rhs});
}

/// The predicate that treats false as 0 and true as 1.
static arith::CmpIPredicate toUnsigned(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::ult;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::ule;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::ugt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::uge;
  default:
    return predicate;
  }
}

Value ElementBuilder::compare(ValueRange operands, Type lhsType, Type rhsType,
                              arith::CmpFPredicate floatPredicate,
                              arith::CmpIPredicate intPredicate) {
  Type element = getElementTypeOrSelf(isa<RankedTensorType>(lhsType) ? lhsType : rhsType);
  Type compute = getComputeType(element);
  Value lhs = convertTo(operands[0], compute), rhs = convertTo(operands[1], compute);
  if (isFloat(lhs))
    return compare(floatPredicate, lhs, rhs);
  return compare(compute.isInteger(1) ? toUnsigned(intPredicate) : intPredicate, lhs, rhs);
}
