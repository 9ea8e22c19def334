//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of complex numbers, written as formulas that do not overflow or cancel where the result
// does not.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_COMPLEXFUNCTIONS_H
#define FUSER_LIB_DIALECT_IR_COMPLEXFUNCTIONS_H

#include "ComplexFormula.h"

namespace fuser {

//===----------------------------------------------------------------------===//
// Exponential and logarithm
//===----------------------------------------------------------------------===//

inline bool isDouble(Real x) { return mlir::getElementTypeOrSelf(x.value.getType()).isF64(); }
/// A number that depends on the part type.
inline Real byType(Real like, double ofSingle, double ofDouble) {
  return like.constant(isDouble(like) ? ofDouble : ofSingle);
}

/// `factor` * x if x is not NaN; `factor` itself if x is NaN and the factor is infinite or zero, so
/// that an infinity is not lost if the direction is NaN.
inline Real scaleUnlessNan(Real factor, Real x, mlir::Value keeps) {
  Real one = x.constant(1);
  return factor * select(both(x, keeps, x.compare(mlir::arith::CmpFPredicate::UNO, x)), one, x);
}

inline Complex exp(Complex z) {
  Real x = z.real, y = z.imaginary;
  // If exp(x) may overflow although the result does not: in two factors.
  mlir::Value isLarge = byType(x, 88, 709) < x;
  Real first = exp(select(isLarge, x * 0.5, x)), second = select(isLarge, first, x.constant(1));
  Real cosine = scaleUnlessNan(first, cos(y), abs(x) == kInfinity);
  Real sine = scaleUnlessNan(first, sin(y), x == -kInfinity);
  return {cosine * second, select(y == 0, y, sine * second)};
}

/// The sum of two floats in two: the nearest float and the rounding error (D. Knuth).
struct ExactSum {
  Real sum, rest;

  ExactSum(Real x, Real y) : sum(x + y), rest(sum) {
    Real second = sum - x, first = sum - second;
    rest = (x - first) + (y - second);
  }
};

/// (1 + t)^2 + y^2 - 1 = t^2 + 2 t + y^2, accurate to the last digits where the terms cancel.
inline Real squaresLessOne(Real t, Real y) {
  // Each square in two floats.
  Real ofT = t * t, ofY = y * y;
  Real rest = fma(t, t, -ofT) + fma(y, y, -ofY);
  ExactSum first(t + t, ofY), second(first.sum, ofT);
  return second.sum + (first.rest + second.rest + rest);
}

/// log|x + yi|, exact near 0. `beside` is x - 1, with digits that x may lack.
inline Real logOfMagnitude(Real x, Real y, Real beside) {
  Real width = abs(x), height = abs(y);
  Real large = maximum(width, height), small = minimum(width, height);
  Real nearOne = log1p(squaresLessOne(beside, y)) * 0.5;
  Real ratio = small / large;
  Real far = log(large) + log1p(ratio * ratio) * 0.5;
  mlir::Value isNear = both(x, x.constant(0.5) <= large, large <= 2);
  Real result = select(large == 0, x.constant(-kInfinity), select(isNear, nearOne, far));
  mlir::Value isInfinite = either(x, width == kInfinity, height == kInfinity);
  return select(isInfinite, x.constant(kInfinity), result);
}

/// log|z|
inline Real logOfMagnitude(Complex z) {
  Real x = abs(z.real), y = abs(z.imaginary);
  mlir::Value isUpright = x < y;
  // Of the larger part the difference from 1 is exact where it matters.
  Real large = select(isUpright, y, x);
  return logOfMagnitude(large, select(isUpright, x, y), large - 1);
}

inline Complex log(Complex z) { return {logOfMagnitude(z), atan2(z.imaginary, z.real)}; }

/// exp(z) - 1, exact near 0.
inline Complex expm1(Complex z) {
  Real x = z.real, y = z.imaginary;
  Complex power = exp(z);
  Real half = sin(y * 0.5);
  Real near = expm1(x) * cos(y) - half * half * 2;
  // Beyond this, one of the terms is negligible, and expm1(x) may overflow.
  Real real = select(abs(x) < 32, near, power.real - 1);
  return {select(y == 0, expm1(x), real), power.imaginary};
}

/// log(1 + z), exact near 0.
inline Complex log1p(Complex z) {
  Real sum = z.real + 1;
  return {logOfMagnitude(sum, z.imaginary, z.real), atan2(z.imaginary, sum)};
}

/// exp(w log(z)). Its error grows with that of the exponent, which is why complex<f32> computes in
/// f64.
inline Complex pow(Complex z, Complex w) {
  Complex result = exp(w * log(z));
  auto isZero = [](Complex x) { return both(x.real, x.real == 0, x.imaginary == 0); };
  Real zero = z.real.constant(0), nan = zero.constant(std::nan(""));
  Real ofZero = select(w.real > 0, zero, nan);
  result = select(isZero(z), {ofZero, ofZero}, result);
  return select(isZero(w), makeReal(zero.constant(1)), result);
}

//===----------------------------------------------------------------------===//
// Square root
//===----------------------------------------------------------------------===//

/// One part is t = sqrt((|x| + |z|) / 2), the other is |y| / (2 t).
inline Complex sqrt(Complex z) {
  Real large = maximum(abs(z.real), abs(z.imaginary));
  // Scaled by a power of 4 where |x| + |z| may overflow or has few bits; the root by that of 2.
  mlir::Value isLarge = byType(large, 0x1p125, 0x1p1021) < large;
  mlir::Value isSmall = large < byType(large, 0x1p-100, 0x1p-960);
  Real one = large.constant(1);
  Real scale =
      select(isLarge, large.constant(0.0625), select(isSmall, large.constant(0x1p64), one));
  Real back = select(isLarge, large.constant(4), select(isSmall, large.constant(0x1p-32), one));
  Real x = z.real * scale, y = z.imaginary * scale;
  Real root = sqrt((abs(x) + hypot(x, y)) * 0.5);
  Real other = select(root == 0, abs(y), abs(y) / (root + root));
  mlir::Value isLeft = x < 0;
  Complex result = {select(isLeft, other, root) * back, select(isLeft, root, other) * back};
  // Of x + inf i it is inf + inf i, NaN for x too.
  Real infinity = large.constant(kInfinity);
  mlir::Value isInfinite = abs(z.imaginary) == kInfinity;
  result = select(isInfinite, {infinity, infinity}, result);
  return {result.real, copysign(result.imaginary, z.imaginary)};
}

//===----------------------------------------------------------------------===//
// Hyperbolic and trigonometric functions
//===----------------------------------------------------------------------===//

/// cosh(x) and sinh(x) as products: each times `factor`, which is not 1 where they overflow.
struct Hyperbolic {
  Real cosh, sinh, factor;
};

inline Hyperbolic getHyperbolic(Real x) {
  Real magnitude = abs(x), one = x.constant(1);
  mlir::Value isLarge = byType(x, 88, 709) < magnitude;
  // exp(|x|) / 2, of which both are the nearest float.
  Real root = exp(magnitude * 0.5), half = root * 0.5;
  return {select(isLarge, half, cosh(x)), select(isLarge, copysign(half, x), sinh(x)),
          select(isLarge, root, one)};
}

inline Complex sinh(Complex z) {
  Hyperbolic h = getHyperbolic(z.real);
  Real y = z.imaginary;
  return {h.sinh * cos(y) * h.factor, select(y == 0, y, h.cosh * sin(y) * h.factor)};
}

inline Complex cosh(Complex z) {
  Hyperbolic h = getHyperbolic(z.real);
  Real y = z.imaginary;
  Real sine = select(y == 0, copysign(y.constant(0), y) * copysign(y.constant(1), z.real),
                     h.sinh * sin(y) * h.factor);
  return {h.cosh * cos(y) * h.factor, sine};
}

/// W. Kahan, "Branch cuts for complex elementary functions", 1987. Far from the imaginary axis the
/// real part is 1 or -1, and the imaginary 4 sin(y) cos(y) exp(-2 |x|).
inline Complex tanh(Complex z) {
  Real x = z.real, y = z.imaginary;
  Real tangent = tan(y), beta = tangent * tangent + 1;
  Real s = sinh(x), rho = sqrt(s * s + 1);
  Real divisor = beta * s * s + 1;
  Complex near = {beta * rho * s / divisor, tangent / divisor};
  Real decay = exp(-abs(x));
  Complex far = {copysign(x.constant(1), x), sin(y) * cos(y) * 4 * decay * decay};
  return select(byType(x, 11, 22) < abs(x), far, near);
}

/// 1 / (1 + exp(-z)), or exp(z) / (1 + exp(z)): whichever exponential does not overflow.
inline Complex sigmoid(Complex z) {
  Complex one = makeReal(z.real.constant(1));
  mlir::Value isNegative = z.real < 0;
  Complex power = exp(select(isNegative, z, -z));
  return select(isNegative, power, one) / (one + power);
}

/// sin(pi z) / (pi z)
inline Complex sinc(Complex z) {
  // sin(pi z) is sin(pi (z - n)) for an even integer n and its negative for an odd one.
  Real n = roundEven(z.real);
  Complex scaled = z * kPi, fraction = Complex{z.real - n, z.imaginary} * kPi;
  Complex sine = overI(sinh(timesI(fraction)));
  mlir::Value isOdd = abs(centeredFraction(n * 0.5)) > 0.25;
  Complex result = select(isOdd, -sine, sine) / scaled;
  mlir::Value isZero = both(n, z.real == 0, z.imaginary == 0);
  return select(isZero, makeReal(n.constant(1)), result);
}

/// log(exp(x) + exp(y)) from the one with the greater real part.
inline Complex logAddExp(Complex x, Complex y) {
  mlir::Value isBelow = x.real < y.real;
  Complex small = select(isBelow, x, y), large = select(isBelow, y, x);
  Complex result = log1p(exp(small - large)) + large;
  // The difference of equal infinities does not exist.
  mlir::Value isSame = both(x.real, x.real == y.real, abs(x.real) == kInfinity);
  result = select(isSame, small, result);
  auto isNan = [](Complex z) {
    return z.real.compare(mlir::arith::CmpFPredicate::UNO, z.imaginary);
  };
  Real nan = x.real.constant(std::nan(""));
  return select(either(x.real, isNan(x), isNan(y)), {nan, nan}, result);
}

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_COMPLEXFUNCTIONS_H
