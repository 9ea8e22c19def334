//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Less common functions: scalar forms that need more than one op of math, and the verifier of
// nextafter.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/SpecialFunctionOps.cpp.inc"

using Operands = ArrayRef<Real>;

//===----------------------------------------------------------------------===//
// Of one float
//===----------------------------------------------------------------------===//

Value SincOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  // Below this bound, 1 - (pi x)^2 / 6 rounds to 1. The approximate sine has no correct digits for
  // such small arguments.
  const double small = getElementTypeOrSelf(getType()).isF64() ? 0x1p-30 : 0x1p-13;
  return buildFormula(builder, loc, getType(), operands, [&](Operands operand) {
    // sin(pi x) is sin(pi (x - n)) for an even integer n and its negative for an odd one.
    Real x = operand[0], n = roundEven(x);
    Real sine = sin((x - n) * kPi);
    Value isOdd = x.constant(0.25) < abs(centeredFraction(n * 0.5));
    return select(abs(x) < small, x.constant(1), select(isOdd, -sine, sine) / (x * kPi));
  });
}

Value LogitOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands operand) {
    Real x = operand[0];
    // Around 1/2, where it is 0, from x / (1 - x) - 1.
    Real central = log1p((x + x - 1) / (1 - x));
    return select(abs(x - 0.5) < 0.25, central, log(x / (1 - x)));
  });
}

Value FracOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return copysign(x[0] - trunc(x[0]), x[0]); });
}

/// The operand in the type that it computes in; the result is a bool.
static Real getTested(ElementBuilder &b, Value operand) {
  Type element = getElementTypeOrSelf(operand.getType());
  return {&b, b.convertTo(operand, ElementBuilder::getComputeType(element))};
}

Value SignbitOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  Real x = getTested(b, operands[0]);
  return copysign(x.constant(1), x) < 0;
}

Value IsPosInfOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  return getTested(b, operands[0]) == kInfinity;
}

Value IsNegInfOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  return getTested(b, operands[0]) == -kInfinity;
}

//===----------------------------------------------------------------------===//
// Of two and more
//===----------------------------------------------------------------------===//

Value HypotOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return hypot(x[0], x[1]); });
}

Value LogAddExpOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real sum = maximum(x[0], x[1]) + log1p(exp(-abs(x[0] - x[1])));
    // The difference of equal infinities does not exist.
    return select(x[0] == x[1], x[0] + std::log(2.0), sum);
  });
}

Value LogAddExp2Op::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real small = exp2(-abs(x[0] - x[1]));
    Real sum = maximum(x[0], x[1]) + log1p(small) * (1 / std::log(2.0));
    // The difference of equal infinities does not exist.
    return select(x[0] == x[1], x[0] + 1, sum);
  });
}

Value HeavisideOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real ofOthers = select(x[0] > 0, x[0].constant(1), x[0].constant(0));
    return select(x[0] == 0, x[1], ofOthers);
  });
}

Value Xlog1pyOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    // 0, or the second operand if it is NaN.
    Real ofZero = select(x[1] == x[1], x[0].constant(0), x[1]);
    return select(x[0] == 0, ofZero, x[0] * log1p(x[1]));
  });
}

Value XlogyOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    // 0, or the second operand if it is NaN.
    Real ofZero = select(x[1] == x[1], x[0].constant(0), x[1]);
    return select(x[0] == 0, ofZero, x[0] * log(x[1]));
  });
}

Value AddcdivOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] + x[3] * (x[1] / x[2]); });
}

//===----------------------------------------------------------------------===//
// Of two integers
//===----------------------------------------------------------------------===//

/// True if any element of an i1 (or vector of i1) is true.
static Value buildAny(ElementBuilder &b, Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  return vector::ReductionOp::create(b.builder, b.loc, vector::CombiningKind::OR, condition);
}

/// Euclid's algorithm on unsigned magnitudes, because the least integer has no signed magnitude. A
/// vector takes as many steps as its slowest element.
static Value buildGcd(ElementBuilder &b, Value x, Value y) {
  Value zero = b.constantLike(x, 0), one = b.constantLike(x, 1);
  auto isZero = [&](Value value) { return b.compare(arith::CmpIPredicate::eq, value, zero); };
  SmallVector<Value> start = {b.create<math::AbsIOp>(x), b.create<math::AbsIOp>(y)};
  auto goesOn = [&](OpBuilder &, Location loc, ValueRange pair) {
    Value nonzero = b.compare(arith::CmpIPredicate::ne, pair[1], zero);
    scf::ConditionOp::create(b.builder, loc, buildAny(b, nonzero), pair);
  };
  auto step = [&](OpBuilder &, Location loc, ValueRange pair) {
    Value done = isZero(pair[1]);
    Value rest = b.create<arith::RemUIOp>({pair[0], b.select(done, one, pair[1])});
    scf::YieldOp::create(b.builder, loc, ValueRange{b.select(done, pair[0], pair[1]), rest});
  };
  return scf::WhileOp::create(b.builder, b.loc, ValueRange(start).getTypes(), start, goesOn, step)
      .getResult(0);
}

Value GcdOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.resultElement.isInteger(1))
    return b.create<arith::OrIOp>(x);
  return buildGcd(b, x[0], x[1]);
}

Value LcmOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  SmallVector<Value> x = b.toCompute(operands);
  if (b.resultElement.isInteger(1))
    return b.create<arith::AndIOp>(x);
  Value gcd = buildGcd(b, x[0], x[1]), zero = b.constantLike(x[0], 0);
  // The gcd of two zeros is 0, so that the division must be guarded.
  Value none = b.compare(arith::CmpIPredicate::eq, gcd, zero);
  Value magnitude = b.create<math::AbsIOp>(x[0]);
  Value share = b.create<arith::DivUIOp>({magnitude, b.select(none, b.constantLike(gcd, 1), gcd)});
  return b.create<arith::MulIOp>({share, b.create<math::AbsIOp>(x[1])});
}

//===----------------------------------------------------------------------===//
// nextafter
//===----------------------------------------------------------------------===//

LogicalResult fuser::detail::verifyNextafterOp(Operation *op) {
  if (failed(verifyPointwiseOp(op, ElementClass::Float)))
    return failure();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (element.getIntOrFloatBitWidth() < 16)
    return op->emitOpError("expected a float of at least 16 bits, but got ") << element;
  return success();
}

/// Steps in the bits of the element type: floats of one sign are ordered as their bits are.
Value NextafterOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getType());
  Value from = b.convertTo(operands[0], b.resultElement);
  Value to = b.convertTo(operands[1], b.resultElement);
  Type element = ElementBuilder::getComputeType(b.resultElement);
  Real x{&b, b.convertTo(from, element)}, y{&b, b.convertTo(to, element)};

  unsigned width = b.resultElement.getIntOrFloatBitWidth();
  Type bits = builder.getIntegerType(width);
  Type bitsLike = ElementBuilder::getTypeLike(from, bits);
  auto constant = [&](APInt number) { return b.constant(from, bits, number); };
  auto toFloat = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, loc, from.getType(), value);
  };
  Value fromBits = arith::BitcastOp::create(builder, loc, bitsLike, from);
  Value toBits = arith::BitcastOp::create(builder, loc, bitsLike, to);

  // Away from zero where the target is further from it on the same side.
  Value grows = b.create<arith::XOrIOp>({x < y, x < 0});
  Value step = b.select(grows, constant(APInt(width, 1)), constant(APInt::getAllOnes(width)));
  Value stepped = b.create<arith::AddIOp>({fromBits, step});
  Value sign = b.create<arith::AndIOp>({toBits, constant(APInt::getSignMask(width))});
  Value leastOfSign = b.create<arith::OrIOp>({sign, constant(APInt(width, 1))});
  Value result = toFloat(b.select(x == 0, leastOfSign, stepped));
  result = b.select(x == y, to, result);
  Value unordered = x.compare(arith::CmpFPredicate::UNO, y);
  Value nan = b.convertTo((x + y).value, b.resultElement);
  return b.select(unordered, nan, result);
}
