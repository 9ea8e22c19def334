//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inverses of the error function, and the scaled one: scalar forms.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <cmath>

using namespace mlir;
using namespace fuser;
using Operands = ArrayRef<Real>;

/// sqrt(pi) / 2, the reciprocal of the slope of erf at 0.
static constexpr double kHalfRootPi = 0.88622692545275801365;

//===----------------------------------------------------------------------===//
// erfinv
//===----------------------------------------------------------------------===//

/// erfinv to about 3e-7: M. Giles, "Approximating the erfinv function", GPU Computing Gems 2, 2011.
static Real approximateErfinv(Real x) {
  Real w = -log((1 - x) * (x + 1));
  Real central =
      polynomial(w - 2.5, {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06,
                           0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  Real tail = polynomial(sqrt(w) - 3,
                         {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                          0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  return select(w < 5, central, tail) * x;
}

/// One step of Newton's method on erf(y) = x. Near 1 in terms of erfc, where 1 - |x| is exact and
/// the difference of erf(y) and x is not.
static Real refineErfinv(Real y, Real x) {
  Real nearOne = (1 - abs(x)) - erfc(abs(y));
  Real error = select(abs(x) < 0.5, erf(y) - x, nearOne * copysign(x.constant(1), x));
  return y - error * exp(y * y) * kHalfRootPi;
}

/// erfinv by some steps of Newton's method, each of which doubles the digits.
static Real erfinvByNewton(Real x, int steps) {
  Real y = approximateErfinv(x);
  for (int step = 0; step < steps; ++step)
    y = refineErfinv(y, x);
  y = select(abs(x) == 1, copysign(x.constant(kInfinity), x), y);
  return select(x == 0, x, y);
}

Value ErfinvOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  Type element = getElementTypeOrSelf(getType());
  // In f32 the errors of erf and erfc would add up to 4 units in the last place.
  if (element.isF32())
    return buildInDouble(builder, loc, getType(), operands[0],
                         [](Real x) { return erfinvByNewton(x, 1); });
  return buildFormula(builder, loc, getType(), operands,
                      [&](Operands x) { return erfinvByNewton(x[0], element.isF64() ? 3 : 1); });
}

//===----------------------------------------------------------------------===//
// erfcx
//===----------------------------------------------------------------------===//

/// (1 + 2 x) erfcx(x) for x >= 0 as a polynomial in (x - 4) / (x + 4), from the 27th power down:
/// the Chebyshev interpolation (after Shepherd and Laframboise, Math. Comp. 36, 1981). To 2e-16.
static constexpr double kErfcx[] = {
    2.3603010398894445e-11,  4.1756453067492278e-11,  -2.9679753749361834e-10,
    -5.3737658737437712e-10, 2.2683682090027852e-09,  3.9499099488163162e-09,
    -1.554950739140137e-08,  -2.1866838179965482e-08, 1.110561122044458e-07,
    7.8880015361832216e-08,  -8.2566512436819739e-07, 2.9094598966586981e-07,
    5.7096083161438529e-06,  -1.1220773339263308e-05, -2.4399095413778412e-05,
    0.0001506213142825075,   -0.00019925673704798859, -0.00075777322110175572,
    0.00503196998609679,     -0.016197734065721506,   0.037167515536625229,
    -0.066330365811668776,   0.093732834998396727,    -0.10103906603632411,
    0.06809705425469155,     0.015379652102620024,    -0.1396211168405625,
    1.2329951186255526};

/// For x >= 0.
static Real erfcxOfPositive(Real x) {
  Real value = polynomial((x - 4) / (x + 4), kErfcx) / (x + x + 1);
  return select(x == kInfinity, x.constant(0), value);
}

/// erfcx(-x) = 2 exp(x^2) - erfcx(x), with the square in two parts: its rounding would be
/// multiplied by it.
Value ErfcxOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildInDouble(builder, loc, getType(), operands[0], [](Real x) {
    Real positive = erfcxOfPositive(abs(x));
    Real square = x * x;
    Real rest{x.b, x.b->create<math::FmaOp>({x.value, x.value, (-square).value})};
    Real power = exp(square);
    // If the square is infinite, so is the power, and the remainder is NaN.
    power = select(power == kInfinity, power, power + power * rest);
    return select(x < 0, power + power - positive, positive);
  });
}

//===----------------------------------------------------------------------===//
// erfcinv
//===----------------------------------------------------------------------===//

/// For 0 < x < 1/2: Newton's method on log(erfc(y)) = log(x), which is nearly a parabola. Four
/// steps from sqrt(-log(x)) give f64, down to the least normal number.
static Real erfcinvOfSmall(Real x) {
  Real u = -log(x);
  Real start = u - log(maximum(u, x.constant(1)) * (4 * kHalfRootPi * kHalfRootPi)) * 0.5;
  Real y = sqrt(maximum(start, x.constant(0.1)));
  for (int step = 0; step < 4; ++step) {
    Real scaled = erfcxOfPositive(y);
    y = y + (log(scaled) - y * y + u) * scaled * kHalfRootPi;
  }
  return y;
}

Value ErfcinvOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildInDouble(builder, loc, getType(), operands[0], [](Real x) {
    // Around 1, where it is 0, 1 - x is exact; elsewhere its distance from 0 or 2 is.
    Real central = refineErfinv(approximateErfinv(1 - x), 1 - x);
    central = refineErfinv(refineErfinv(central, 1 - x), 1 - x);
    Value isHigh = x > 1;
    Real distance = select(isHigh, 2 - x, x);
    Real tail = erfcinvOfSmall(distance);
    tail = select(distance == 0, x.constant(kInfinity), tail);
    tail = select(distance < 0, x.constant(kNaN), tail);
    return select(distance < 0.5, select(isHigh, -tail, tail),
                  select(x == 1, x.constant(0), central));
  });
}
