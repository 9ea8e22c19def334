//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inverse trigonometric and hyperbolic functions of complex numbers, after W. Kahan, "Branch cuts
// for complex elementary functions", 1987. Results for infinities, NaN and the signs of zeros
// follow Annex G of C.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_COMPLEXINVERSES_H
#define FUSER_LIB_DIALECT_IR_COMPLEXINVERSES_H

#include "ComplexFunctions.h"

namespace fuser {

inline constexpr double kLog2 = 0.693147180559945309417;
inline constexpr double kHalfPi = 1.57079632679489661923;

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// sqrt(1 - z) and sqrt(1 + z). Their imaginary parts have opposite signs, so that no sum of
/// products below cancels.
struct RootsBesideOne {
  Complex minus, plus;

  explicit RootsBesideOne(Complex z)
      : minus(sqrt(Complex{1 - z.real, -z.imaginary})),
        plus(sqrt(Complex{z.real + 1, z.imaginary})) {}
};

/// True if z^2 - 1 rounds to z^2.
inline mlir::Value isFarFromOne(Complex z) {
  return either(z.real, abs(z.real) > 0x1p30, abs(z.imaginary) > 0x1p30);
}

/// The imaginary part of asin(z), which is that of acos(z) with the other sign.
inline Real getImaginaryOfAsin(Complex z, const RootsBesideOne &roots) {
  // That of conj(sqrt(1 - z)) sqrt(1 + z)
  Real product = roots.minus.real * roots.plus.imaginary - roots.minus.imaginary * roots.plus.real;
  Real far = copysign(logOfMagnitude(z) + kLog2, z.imaginary);
  return select(isFarFromOne(z), far, asinh(product));
}

inline Complex asin(Complex z) {
  RootsBesideOne roots(z);
  // The real part of sqrt(1 - z) sqrt(1 + z)
  Real product = roots.minus.real * roots.plus.real - roots.minus.imaginary * roots.plus.imaginary;
  Real real = atan2(z.real, select(isFarFromOne(z), abs(z.imaginary), product));
  return {select(z.real == 0, z.real, real), getImaginaryOfAsin(z, roots)};
}

inline Complex acos(Complex z) {
  RootsBesideOne roots(z);
  mlir::Value isFar = isFarFromOne(z);
  Real angle = atan2(select(isFar, abs(z.imaginary), roots.minus.real),
                     select(isFar, z.real, roots.plus.real));
  Real real = angle * select(isFar, angle.constant(1), angle.constant(2));
  return {select(z.real == 0, real.constant(kHalfPi), real), -getImaginaryOfAsin(z, roots)};
}

inline Complex asinh(Complex z) { return overI(asin(timesI(z))); }

/// acos(z) times i or -i: the one on the right of the imaginary axis.
inline Complex acosh(Complex z) {
  Complex angle = acos(z);
  return {abs(angle.imaginary), copysign(angle.real, z.imaginary)};
}

//===----------------------------------------------------------------------===//
// Tangent
//===----------------------------------------------------------------------===//

/// The real part of 1 / z, for real and imaginary parts that are not negative.
inline Real getRealOfReciprocal(Complex z) {
  Real large = maximum(z.real, z.imaginary), ratio = minimum(z.real, z.imaginary) / large;
  Real result = z.real / large / large / (ratio * ratio + 1);
  mlir::Value isInfinite = either(large, z.real == kInfinity, z.imaginary == kInfinity);
  return select(isInfinite, large.constant(0), result);
}

inline Complex atanh(Complex z) {
  // On the right half of the plane; on the left the real part has the other sign.
  Real x = abs(z.real), y = z.imaginary, height = abs(y);
  mlir::Value isFar = either(x, x > 0x1p54, height > 0x1p54);
  Real square = height * height;

  // 1/4 log(((1 + x)^2 + y^2) / ((1 - x)^2 + y^2)), whose divisor may underflow near 1.
  Real near = log1p(x * 4 / ((1 - x) * (1 - x) + square)) * 0.25;
  mlir::Value isBesideOne = both(x, x == 1, height < 0x1p-40);
  near = select(isBesideOne, (kLog2 - log(height)) * 0.5, near);
  Real real = select(isFar, getRealOfReciprocal({x, height}), near);

  Real angle = atan2(y + y, (1 - x) * (x + 1) - square) * 0.5;
  // If the height is infinite, the result does not depend on x, even if x is NaN.
  mlir::Value isNan = both(x, x.compare(mlir::arith::CmpFPredicate::UNO, y),
                           height.compare(mlir::arith::CmpFPredicate::UNE, x.constant(kInfinity)));
  Real quarter = copysign(select(isNan, x.constant(std::nan("")), x.constant(kHalfPi)), y);
  return {select(z.real == 0, z.real, copysign(real, z.real)), select(isFar, quarter, angle)};
}

inline Complex atan(Complex z) { return overI(atanh(timesI(z))); }

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_COMPLEXINVERSES_H
