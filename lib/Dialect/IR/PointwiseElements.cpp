//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar forms of pointwise ops that need more than one op of arith or math; the others are in
// PointwiseOps.td, where the description of each op states its edge cases (NaN, infinities,
// overflow).
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace fuser;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using Operands = ArrayRef<Real>;

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

Value ReciprocalOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) { return 1 / x[0]; });
}

Value SigmoidOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) { return sigmoid(x[0]); });
}

Value SiluOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] / (exp(-x[0]) + 1); });
}

Value GeluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  const bool approximate = getApproximate();
  return buildFormula(builder, loc, getType(), operands, [&](Operands operand) {
    Real x = operand[0];
    Real inner = approximate ? tanh((x + x * x * x * 0.044715) * std::sqrt(2 / kPi))
                             : erf(x * std::sqrt(0.5));
    return x * 0.5 * (inner + 1);
  });
}

Value NegOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = b.toCompute(operands)[0];
  Value result = b.isFloat(x) ? b.create<arith::NegFOp>(x)
                              : b.create<arith::SubIOp>({b.constantLike(x, 0), x});
  return b.convertTo(result, b.resultElement);
}

Value ReluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = b.toCompute(operands)[0];
  return b.convertTo(b.maximum(x, b.constantLike(x, 0)), b.resultElement);
}

Value SignOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = b.toCompute(operands)[0], zero = b.constantLike(x, 0);
  Value positive = b.isFloat(x) ? b.compare(CmpFPredicate::OGT, x, zero)
                                : b.compare(CmpIPredicate::sgt, x, zero);
  Value negative = b.isFloat(x) ? b.compare(CmpFPredicate::OLT, x, zero)
                                : b.compare(CmpIPredicate::slt, x, zero);
  Value result =
      b.select(positive, b.constantLike(x, 1), b.select(negative, b.constantLike(x, -1), zero));
  return b.convertTo(result, b.resultElement);
}

Value AngleOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands operand) {
    Real x = operand[0];
    return select(x == x, select(x < 0, x.constant(kPi), x.constant(0)), x);
  });
}

Value BitwiseNotOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  APInt ones = APInt::getAllOnes(b.resultElement.getIntOrFloatBitWidth());
  return b.create<arith::XOrIOp>({operands[0], b.constant(operands[0], b.resultElement, ones)});
}

//===----------------------------------------------------------------------===//
// Tests of one number
//===----------------------------------------------------------------------===//

/// The operand in f32 or f64, where every half type's NaN and infinities are kept.
static Value toTestType(ElementBuilder &b, Value x) {
  return b.convertTo(x, ElementBuilder::getComputeType(getElementTypeOrSelf(x.getType())));
}

Value IsNanOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = toTestType(b, operands[0]);
  return b.compare(CmpFPredicate::UNO, x, x);
}

Value IsInfOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = b.create<math::AbsFOp>(toTestType(b, operands[0]));
  return b.compare(CmpFPredicate::OEQ, x,
                   b.constantLike(x, std::numeric_limits<double>::infinity()));
}

Value IsFiniteOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = b.create<math::AbsFOp>(toTestType(b, operands[0]));
  return b.compare(CmpFPredicate::OLT, x,
                   b.constantLike(x, std::numeric_limits<double>::infinity()));
}

Value IsRealOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return b.constant(operands[0], b.resultElement, APInt(1, 1));
}

Value LogicalNotOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  Value x = toTestType(b, operands[0]), zero = b.constantLike(x, 0);
  return b.isFloat(x) ? b.compare(CmpFPredicate::OEQ, x, zero)
                      : b.compare(CmpIPredicate::eq, x, zero);
}

//===----------------------------------------------------------------------===//
// Arithmetic of two numbers
//===----------------------------------------------------------------------===//

Value AddOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  // i1 would wrap: true + true = false.
  if (b.resultElement.isInteger(1))
    return b.create<arith::OrIOp>(b.toCompute(operands));
  return b.binary<arith::AddFOp, arith::AddIOp>(operands);
}

Value MaximumOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  return b.convertTo(b.maximum(x[0], x[1]), b.resultElement);
}

Value MinimumOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  return b.convertTo(b.minimum(x[0], x[1]), b.resultElement);
}

namespace {
struct Division {
  Value quotient, remainder;
};
} // namespace

/// Truncating division of integers that never traps: by 0 the quotient is 0 and the remainder `x`,
/// by -1 the quotient is 0 - x (which wraps) and the remainder 0.
static Division divideIntegers(ElementBuilder &b, Value x, Value y) {
  Value zero = b.constantLike(x, 0), one = b.constantLike(x, 1);
  Value byZero = b.compare(CmpIPredicate::eq, y, zero);
  Value byMinusOne = b.compare(CmpIPredicate::eq, y, b.constantLike(x, -1));
  Value safe = b.select(b.create<arith::OrIOp>({byZero, byMinusOne}), one, y);
  Value quotient = b.create<arith::DivSIOp>({x, safe});
  quotient = b.select(byMinusOne, b.create<arith::SubIOp>({zero, x}), quotient);
  quotient = b.select(byZero, zero, quotient);
  Value remainder = b.create<arith::RemSIOp>({x, safe});
  return {quotient, b.select(byZero, x, remainder)};
}

/// True if the remainder of a truncating division and the divisor have different signs, so that the
/// floor is one less. The remainder of a division by 0 is not changed.
static Value needsFloorStep(ElementBuilder &b, Value remainder, Value y) {
  Value zero = b.constantLike(y, 0);
  if (b.isFloat(y)) {
    Value differ = b.create<arith::XOrIOp>(
        {b.compare(CmpFPredicate::OLT, remainder, zero), b.compare(CmpFPredicate::OLT, y, zero)});
    return b.create<arith::AndIOp>({b.compare(CmpFPredicate::UNE, remainder, zero), differ});
  }
  Value differ = b.create<arith::XOrIOp>(
      {b.compare(CmpIPredicate::slt, remainder, zero), b.compare(CmpIPredicate::slt, y, zero)});
  Value inexact = b.create<arith::AndIOp>(
      {b.compare(CmpIPredicate::ne, remainder, zero), b.compare(CmpIPredicate::ne, y, zero)});
  return b.create<arith::AndIOp>({inexact, differ});
}

/// Python's `//` on floats: the quotient of `x - remainder`, which is an integer up to rounding.
static Value floorDivideFloats(ElementBuilder &b, Value x, Value y) {
  Value zero = b.constantLike(x, 0), one = b.constantLike(x, 1);
  Value exact = b.create<arith::DivFOp>({x, y});
  Value remainder = b.create<arith::RemFOp>({x, y});
  Value quotient = b.create<arith::DivFOp>({b.create<arith::SubFOp>({x, remainder}), y});
  quotient =
      b.select(needsFloorStep(b, remainder, y), b.create<arith::SubFOp>({quotient, one}), quotient);
  Value floor = b.create<math::FloorOp>(quotient);
  Value above = b.compare(CmpFPredicate::OGT, b.create<arith::SubFOp>({quotient, floor}),
                          b.constantLike(x, 0.5));
  floor = b.select(above, b.create<arith::AddFOp>({floor, one}), floor);
  floor = b.select(b.compare(CmpFPredicate::OEQ, quotient, zero),
                   b.create<math::CopySignOp>({zero, exact}), floor);
  return b.select(b.compare(CmpFPredicate::OEQ, y, zero), exact, floor);
}

Value FloorDivOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.isFloat(x[0]))
    return b.convertTo(floorDivideFloats(b, x[0], x[1]), b.resultElement);
  Division division = divideIntegers(b, x[0], x[1]);
  Value lower = b.create<arith::SubIOp>({division.quotient, b.constantLike(x[0], 1)});
  return b.select(needsFloorStep(b, division.remainder, x[1]), lower, division.quotient);
}

Value CeilDivOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.isFloat(x[0])) {
    Value floor = floorDivideFloats(b, b.create<arith::NegFOp>(x[0]), x[1]);
    return b.convertTo(b.create<arith::NegFOp>(floor), b.resultElement);
  }
  // One more than the truncated quotient if the remainder has the sign of the divisor.
  Division division = divideIntegers(b, x[0], x[1]);
  Value zero = b.constantLike(x[0], 0);
  Value sameSign = b.compare(CmpIPredicate::eq, b.compare(CmpIPredicate::slt, x[0], zero),
                             b.compare(CmpIPredicate::slt, x[1], zero));
  Value inexact = b.create<arith::AndIOp>({b.compare(CmpIPredicate::ne, division.remainder, zero),
                                           b.compare(CmpIPredicate::ne, x[1], zero)});
  Value higher = b.create<arith::AddIOp>({division.quotient, b.constantLike(x[0], 1)});
  return b.select(b.create<arith::AndIOp>({inexact, sameSign}), higher, division.quotient);
}

Value TruncDivOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.isFloat(x[0]))
    return b.convertTo(b.create<math::TruncOp>(b.create<arith::DivFOp>(x)), b.resultElement);
  return divideIntegers(b, x[0], x[1]).quotient;
}

Value RemainderOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  Value remainder =
      b.isFloat(x[0]) ? b.create<arith::RemFOp>(x) : divideIntegers(b, x[0], x[1]).remainder;
  Value moved = b.apply<arith::AddFOp, arith::AddIOp>({remainder, x[1]});
  return b.convertTo(b.select(needsFloorStep(b, remainder, x[1]), moved, remainder),
                     b.resultElement);
}

Value FmodOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.isFloat(x[0]))
    return b.convertTo(b.create<arith::RemFOp>(x), b.resultElement);
  return divideIntegers(b, x[0], x[1]).remainder;
}

/// True where a shift by `amount` is defined: 0 <= amount < width.
static Value isShiftInRange(ElementBuilder &b, Value amount) {
  unsigned width = b.resultElement.getIntOrFloatBitWidth();
  Value limit = b.constant(amount, b.resultElement, APInt(width, width));
  return b.compare(CmpIPredicate::ult, amount, limit);
}

Value ShiftLeftOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  return b.select(isShiftInRange(b, x[1]), b.create<arith::ShLIOp>(x), b.constantLike(x[0], 0));
}

Value LogicalShiftRightOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  return b.select(isShiftInRange(b, x[1]), b.create<arith::ShRUIOp>(x), b.constantLike(x[0], 0));
}

Value ShiftRightOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  unsigned width = b.resultElement.getIntOrFloatBitWidth();
  Value most = b.constant(x[0], b.resultElement, APInt(width, width - 1));
  return b.create<arith::ShRSIOp>({x[0], b.select(isShiftInRange(b, x[1]), x[1], most)});
}

//===----------------------------------------------------------------------===//
// Functions of three and more
//===----------------------------------------------------------------------===//

Value WhereOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  auto convert = [&](unsigned choice) {
    Type from = getElementTypeOrSelf(getOperand(choice).getType());
    return b.convert(operands[choice], from, b.resultElement);
  };
  return b.select(operands[0], convert(1), convert(2));
}

Value ClampOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  return b.convertTo(b.minimum(b.maximum(x[0], x[1]), x[2]), b.resultElement);
}

Value LerpOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real start = x[0], end = x[1], weight = x[2], difference = end - start;
    return select(abs(weight) < 0.5, start + weight * difference, end - difference * (1 - weight));
  });
}

Value AddcmulOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute(operands);
  Value scaled = b.apply<arith::MulFOp, arith::MulIOp>({x[3], x[1]});
  Value product = b.apply<arith::MulFOp, arith::MulIOp>({scaled, x[2]});
  return b.convertTo(b.apply<arith::AddFOp, arith::AddIOp>({x[0], product}), b.resultElement);
}
