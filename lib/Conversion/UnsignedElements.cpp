//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of arith and math on unsigned integers and on bits. Integers of fuser are signed, so that
// these become several ops: narrow integers are extended, 64 bits are divided in two steps.
//
//===----------------------------------------------------------------------===//

#include "ElementImporter.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

Value ElementImporter::bits(Value like, uint64_t value) {
  Type type = elementOf(like);
  APInt number(64, value);
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, number.trunc(type.getIntOrFloatBitWidth())));
}

Value ElementImporter::extend(Value value, Type to) {
  Type from = elementOf(value);
  unsigned width = from.getIntOrFloatBitWidth();
  if (!isTensor(value)) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, from, value);
    return arith::ExtUIOp::create(builder, loc, to, value);
  }
  Value wide = make<CastOp>(to, value);
  return make<BitwiseAndOp>(wide, bits(wide, (uint64_t(1) << width) - 1));
}

Value ElementImporter::toFloat(Value value, Type to) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == to)
    return value;
  if (isTensor(value))
    return make<CastOp>(to, value);
  if (!isa<FloatType>(from))
    return arith::SIToFPOp::create(builder, loc, to, value);
  return arith::ExtFOp::create(builder, loc, to, value);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value ElementImporter::unsignedToFloat(Value value, Type to) {
  if (isBool())
    return make<CastOp>(to, value);
  unsigned width = elementOf(value).getIntOrFloatBitWidth();
  if (width < 64)
    return make<CastOp>(
        to, extend(value, width < 32 ? builder.getI32Type() : Type(builder.getI64Type())));
  // Beyond the signed range, half of it, rounded to odd, is converted and doubled.
  Type compute = to.isF64() ? to : builder.getF32Type();
  Value one = bits(value, 1);
  Value moved = make<LogicalShiftRightOp>(value, one), odd = make<BitwiseAndOp>(value, one);
  Value half = make<CastOp>(compute, Value(make<BitwiseOrOp>(moved, odd)));
  Value isLarge = make<LtOp>(value, bits(value, 0));
  Value result =
      make<WhereOp>(isLarge, Value(make<AddOp>(half, half)), Value(make<CastOp>(compute, value)));
  return compute == to ? result : make<CastOp>(to, result);
}

Value ElementImporter::floatToUnsigned(Value value, IntegerType to) {
  // Upstream leaves values beyond the range undefined; here they saturate, and NaN gives 0.
  Type f32 = builder.getF32Type();
  if (operandType().getIntOrFloatBitWidth() < 32)
    value = make<CastOp>(f32, value);
  Type from = elementOf(value), wide = builder.getI64Type();
  unsigned width = to.getWidth();
  if (width == 1)
    return refuse("expected an integer of at least 8 bits, but got i1");
  if (width < 64) {
    Value number = make<MaximumOp>(Value(make<CastOp>(wide, value)), constant(wide, 0));
    number = make<MinimumOp>(number, constant(wide, int64_t((uint64_t(1) << width) - 1)));
    return make<CastOp>(to, number);
  }
  Value limit =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(from, std::ldexp(1.0, 63)));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(from, 0.0));
  // Not beyond twice the limit, where the second half would saturate to its greatest value.
  Value upper = make<CastOp>(wide, Value(make<SubOp>(value, limit)));
  upper = make<BitwiseXorOp>(upper, constant(wide, INT64_MIN));
  Value lower = make<CastOp>(wide, Value(make<MaximumOp>(value, zero)));
  return make<WhereOp>(Value(make<GeOp>(value, limit)), upper, lower);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

Value ElementImporter::isLessUnsigned(Value lhs, Value rhs) {
  return make<LtOp>(flipSign(lhs), flipSign(rhs));
}

/// Of 64 bits, operands that are tensors.
Value ElementImporter::divideUnsigned(Value lhs, Value rhs) {
  Value one = bits(lhs, 1), zero = bits(lhs, 0);
  // The quotient of half the dividend, doubled, is at most 1 too small.
  Value half = make<LogicalShiftRightOp>(lhs, one);
  Value quotient = make<ShiftLeftOp>(Value(make<TruncDivOp>(half, rhs)), one);
  Value rest = make<SubOp>(lhs, Value(make<MulOp>(quotient, rhs)));
  Value less = isLessUnsigned(rest, rhs);
  quotient = make<AddOp>(quotient, Value(make<CastOp>(elementOf(lhs), isNot(less))));
  // A divisor with the highest bit is at most once in the dividend.
  Value fits = make<CastOp>(elementOf(lhs), isNot(isLessUnsigned(lhs, rhs)));
  quotient = make<WhereOp>(Value(make<LtOp>(rhs, zero)), fits, quotient);
  return make<WhereOp>(Value(make<EqOp>(rhs, zero)), zero, quotient);
}

Value ElementImporter::remainderUnsigned(Value lhs, Value rhs) {
  return make<SubOp>(lhs, Value(make<MulOp>(divideUnsigned(lhs, rhs), rhs)));
}

Value ElementImporter::convertUnsigned() {
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
    return {};
  Value lhs = operands[0], rhs = operands[1];
  Type type = elementOf(lhs);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64) {
    Type wide = width < 32 ? builder.getI32Type() : Type(builder.getI64Type());
    lhs = extend(lhs, wide);
    rhs = extend(rhs, wide);
    Value result = isa<arith::DivUIOp>(op)   ? make<TruncDivOp>(lhs, rhs)
                   : isa<arith::RemUIOp>(op) ? make<FmodOp>(lhs, rhs)
                                             : make<CeilDivOp>(lhs, rhs);
    return make<CastOp>(type, result);
  }
  auto asTensor = [&](Value value) -> Value {
    if (isTensor(value))
      return value;
    Value tensor = getTensor();
    return make<BitwiseOrOp>(Value(make<BitwiseAndOp>(tensor, bits(tensor, 0))), value);
  };
  lhs = asTensor(lhs);
  rhs = asTensor(rhs);
  if (isa<arith::RemUIOp>(op))
    return remainderUnsigned(lhs, rhs);
  Value quotient = divideUnsigned(lhs, rhs);
  if (isa<arith::DivUIOp>(op))
    return quotient;
  Value rest = make<SubOp>(lhs, Value(make<MulOp>(quotient, rhs))), zero = bits(lhs, 0);
  Value rounds = make<LogicalAndOp>(Value(make<NeOp>(rest, zero)), Value(make<NeOp>(rhs, zero)));
  return make<AddOp>(quotient, Value(make<CastOp>(type, rounds)));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Sums neighboring groups of 1, 2 and 4 bits, then all bytes by a multiplication.
Value ElementImporter::countOnes(Value value) {
  constexpr uint64_t kOdd = 0x5555555555555555, kPairs = 0x3333333333333333,
                     kHalves = 0x0f0f0f0f0f0f0f0f, kBytes = 0x0101010101010101;
  unsigned width = elementOf(value).getIntOrFloatBitWidth();
  auto mask = [&](Value bitsOf, uint64_t with) {
    return make<BitwiseAndOp>(bitsOf, bits(value, with));
  };
  auto shift = [&](Value bitsOf, uint64_t by) {
    return make<LogicalShiftRightOp>(bitsOf, bits(value, by));
  };
  value = make<SubOp>(value, mask(shift(value, 1), kOdd));
  value = make<AddOp>(mask(value, kPairs), mask(shift(value, 2), kPairs));
  value = mask(make<AddOp>(value, shift(value, 4)), kHalves);
  if (width == 8)
    return value;
  return shift(make<MulOp>(value, bits(value, kBytes)), width - 8);
}

/// Sets all bits below the highest one.
Value ElementImporter::smear(Value value) {
  for (unsigned by = 1; by < elementOf(value).getIntOrFloatBitWidth(); by *= 2)
    value = make<BitwiseOrOp>(value, Value(make<LogicalShiftRightOp>(value, bits(value, by))));
  return value;
}

Value ElementImporter::convertBits() {
  Value x = operands[0];
  unsigned width = elementOf(x).getIntOrFloatBitWidth();
  if (!isTensor(x) || width < 8)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::CtPopOp) { return countOnes(x); })
      .Case([&](math::CountLeadingZerosOp) {
        return make<SubOp>(bits(x, width), countOnes(smear(x)));
      })
      .Case([&](math::CountTrailingZerosOp) {
        Value below = make<SubOp>(x, bits(x, 1));
        return countOnes(make<BitwiseAndOp>(Value(make<BitwiseNotOp>(x)), below));
      })
      .Default([](Operation *) { return Value(); });
}

Value ElementImporter::raiseInteger(math::IPowIOp power) {
  APInt exponent;
  if (!matchPattern(power.getRhs(), m_ConstantInt(&exponent)) || exponent.isNegative())
    return refuse("expected a constant exponent that is not negative, but got another");
  Value factor = operands[0], result;
  if (exponent.isZero()) // any integer to the power of 0 is 1
    return make<BitwiseOrOp>(Value(make<BitwiseAndOp>(factor, bits(factor, 0))), bits(factor, 1));
  for (uint64_t rest = exponent.getZExtValue(); rest != 0; rest /= 2) {
    if (rest % 2)
      result = result ? make<MulOp>(result, factor) : factor;
    if (rest > 1)
      factor = make<MulOp>(factor, factor);
  }
  return result;
}
