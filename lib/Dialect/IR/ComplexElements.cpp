//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar forms of pointwise ops on complex numbers. The description of each op states its edge
// cases (ADR 47).
//
//===----------------------------------------------------------------------===//

#include "ComplexInverses.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;
using arith::CmpFPredicate;
using ComplexOperands = ArrayRef<Complex>;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value AddOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return z[0] + z[1]; });
}

Value SubOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return z[0] - z[1]; });
}

Value MulOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return z[0] * z[1]; });
}

Value DivOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return z[0] / z[1]; });
}

Value AddcmulOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return z[0] + (z[3] * z[1]) * z[2]; });
}

Value AddcdivOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return z[0] + z[3] * (z[1] / z[2]); });
}

Value LerpOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    Complex start = z[0], end = z[1], weight = z[2], difference = end - start;
    Real norm = weight.real * weight.real + weight.imaginary * weight.imaginary;
    Complex rest = {1 - weight.real, -weight.imaginary};
    return select(norm < 0.25, start + weight * difference, end - difference * rest);
  });
}

Value NegOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return -z[0]; });
}

Value ReciprocalOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return makeReal(z[0].real.constant(1)) / z[0]; });
}

Value SquareOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    Real a = z[0].real, b = z[0].imaginary, product = a * b;
    return Complex{(a - b) * (a + b), product + product};
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value AbsOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return hypot(z[0]); });
}

Value AngleOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return atan2(z[0].imaginary, z[0].real); });
}

Value RealOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return z[0].real; });
}

Value ImagOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return z[0].imaginary; });
}

Value ConjOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return conj(z[0]); });
}

Value ComplexOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return Complex{z[0].real, z[1].real}; });
}

Value PolarOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return Complex{z[0].real * cos(z[1].real), z[0].real * sin(z[1].real)};
  });
}

Value SignOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    Real magnitude = hypot(z[0]);
    return select(magnitude == 0, z[0], Complex{z[0].real / magnitude, z[0].imaginary / magnitude});
  });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

Value EqOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return both(z[0].real, z[0].real == z[1].real, z[0].imaginary == z[1].imaginary);
  });
}

Value NeOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return either(z[0].real, z[0].real.compare(CmpFPredicate::UNE, z[1].real),
                  z[0].imaginary.compare(CmpFPredicate::UNE, z[1].imaginary));
  });
}

Value IsNanOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return z[0].real.compare(CmpFPredicate::UNO, z[0].imaginary);
  });
}

Value IsInfOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return either(z[0].real, abs(z[0].real) == kInfinity, abs(z[0].imaginary) == kInfinity);
  });
}

Value IsFiniteOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return both(z[0].real, isFinite(z[0].real), isFinite(z[0].imaginary));
  });
}

Value IsRealOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return z[0].imaginary == 0; });
}

Value LogicalNotOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return both(z[0].real, z[0].real == 0, z[0].imaginary == 0);
  });
}

Value LogicalAndOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return both(z[0].real, isTrue(z[0]), isTrue(z[1]));
  });
}

Value LogicalOrOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return either(z[0].real, isTrue(z[0]), isTrue(z[1]));
  });
}

Value LogicalXorOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return z[0].real.b->create<arith::XOrIOp>({isTrue(z[0]), isTrue(z[1])});
  });
}

//===----------------------------------------------------------------------===//
// Exponential and logarithm
//===----------------------------------------------------------------------===//

Value ExpOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return exp(z[0]); });
}

Value Exp2Op::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return exp(z[0] * std::log(2.0)); });
}

Value LogOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return log(z[0]); });
}

Value Log2Op::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return log(z[0]) * (1 / std::log(2.0)); });
}

Value Log10Op::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return log(z[0]) * (1 / std::log(10.0)); });
}

Value SigmoidOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return sigmoid(z[0]); });
}

Value SiluOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return z[0] * sigmoid(z[0]); });
}

Value Expm1Op::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return expm1(z[0]); });
}

Value Log1pOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return log1p(z[0]); });
}

Value LogAddExpOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return logAddExp(z[0], z[1]); });
}

Value PowOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    ElementBuilder &b = *z[0].real.b;
    Type part = getElementTypeOrSelf(z[0].real.value.getType()), f64 = b.builder.getF64Type();
    auto convert = [&](Complex x, Type to) -> Complex {
      return {{&b, b.convertTo(x.real.value, to)}, {&b, b.convertTo(x.imaginary.value, to)}};
    };
    return convert(pow(convert(z[0], f64), convert(z[1], f64)), part);
  });
}

//===----------------------------------------------------------------------===//
// Square root
//===----------------------------------------------------------------------===//

Value SqrtOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return sqrt(z[0]); });
}

Value RsqrtOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    return makeReal(z[0].real.constant(1)) / sqrt(z[0]);
  });
}

//===----------------------------------------------------------------------===//
// Hyperbolic and trigonometric functions
//===----------------------------------------------------------------------===//

Value SinhOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return sinh(z[0]); });
}

Value CoshOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return cosh(z[0]); });
}

Value TanhOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return tanh(z[0]); });
}

Value SinOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return overI(sinh(timesI(z[0]))); });
}

Value CosOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return cosh(timesI(z[0])); });
}

Value TanOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands,
                      [](ComplexOperands z) { return overI(tanh(timesI(z[0]))); });
}

Value SincOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return sinc(z[0]); });
}

Value SigmoidBackwardOp::buildComplexElement(OpBuilder &builder, Location loc,
                                             ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    Complex one = makeReal(z[1].real.constant(1));
    return z[0] * conj((one - z[1]) * z[1]);
  });
}

Value TanhBackwardOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) {
    Complex one = makeReal(z[1].real.constant(1));
    return z[0] * conj((one - z[1]) * (one + z[1]));
  });
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

Value AsinOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return asin(z[0]); });
}

Value AcosOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return acos(z[0]); });
}

Value AtanOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return atan(z[0]); });
}

Value AsinhOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return asinh(z[0]); });
}

Value AcoshOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return acosh(z[0]); });
}

Value AtanhOp::buildComplexElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildComplex(*this, builder, loc, operands, [](ComplexOperands z) { return atanh(z[0]); });
}
