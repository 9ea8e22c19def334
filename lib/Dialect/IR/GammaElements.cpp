//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar forms of the gamma function's logarithm and its derivative, which math lacks. All types
// compute in f64, so that f32 is accurate to its last place also near the zeros at 1 and 2 and
// between the negative integers.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <limits>

using namespace mlir;
using namespace fuser;

/// log(gamma(2 + z)) by powers of z from z^27 down: coefficient k is (-1)^k (zeta(k) - 1) / k. To
/// 1e-17 for |z| <= 1/2.
static constexpr double kLogGammaAtTwo[] = {-2.75952288512423315e-10,  5.73136724167886201e-10,
                                            -1.19214014058609121e-9,   2.48367454380247832e-9,
                                            -5.18347504197004666e-9,   1.08386592148969541e-8,
                                            -2.27110946089431649e-8,   4.76981016936398057e-8,
                                            -1.00432248239680996e-7,   2.12071848055546659e-7,
                                            -4.49246919876456604e-7,   9.55141213040741983e-7,
                                            -2.03921575380136624e-6,   4.3748667899074878e-6,
                                            -9.4394882752683959e-6,    0.0000205072127756706916,
                                            -0.0000449262367381331417, 0.0000994575127818085337,
                                            -0.00022315475845357938,   0.000509669524743042422,
                                            -0.00119275391170326098,   0.00289051033074152329,
                                            -0.00738555102867398527,   0.0205808084277845479,
                                            -0.0673523010531980951,    0.322467033424113218,
                                            0.422784335098467139,      0};
/// Stirling's series of log(gamma(x)), by powers of 1 / x^2 from the 8th down, to be divided by x.
/// To 1e-17 from x = 8.5 on.
static constexpr double kStirling[] = {
    0.179644372368830573,    -0.0295506535947712418,  0.00641025641025641026,
    -0.00191752691752691753, 0.000841750841750841751, -0.000595238095238095238,
    0.000793650793650793651, -0.00277777777777777778, 0.0833333333333333333};
/// The series of digamma(x) after log(x) - 1 / (2 x), by powers of 1 / x^2 from the 7th down, to be
/// divided by x^2. To 1e-16 from x = 10 on.
static constexpr double kDigamma[] = {-0.0833333333333333333,  0.0210927960927960928,
                                      -0.00757575757575757576, 0.00416666666666666667,
                                      -0.00396825396825396825, 0.00833333333333333333,
                                      -0.0833333333333333333};

//===----------------------------------------------------------------------===//
// lgamma
//===----------------------------------------------------------------------===//

/// log(gamma(x)) for x >= 0. Up to 8.5 from the values around 2, where the series is 0 as the
/// function is: gamma(x) = (x - 1) ... (x - n) gamma(x - n), downward by 1 / x and 1 / (x (x + 1)).
static Real logGammaOfPositive(Real x) {
  Value below = x < 1.5, farBelow = x < 0.5, small = x < 8.5;
  Real z = x - 2, product = x.constant(1);
  for (int step = 1; step <= 6; ++step) {
    Value above = x.constant(step + 1.5) <= x;
    z = select(above, x - (step + 2), z);
    product = select(above, product * (x - step), product);
  }
  z = select(below, select(farBelow, x, x - 1), z);
  product = select(below, select(farBelow, x * (x + 1), x), product);
  Real logarithm = log(select(small, product, x));
  Real nearTwo = polynomial(z, kLogGammaAtTwo) + select(below, -logarithm, logarithm);

  Real inverse = 1 / x;
  Real series = polynomial(inverse * inverse, kStirling) * inverse;
  Real large = (x - 0.5) * (logarithm - 1) + (0.5 * (std::log(2 * kPi) - 1)) + series;
  return select(small, nearTwo, large);
}

Value LgammaOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildInDouble(builder, loc, getType(), operands[0], [](Real x) {
    Real magnitude = abs(x), positive = logGammaOfPositive(magnitude);
    // gamma(-a) = -pi / (a sin(pi a) gamma(a))
    Real sine = abs(sin(centeredFraction(magnitude) * kPi));
    Real reflected = log(kPi / sine) - log(magnitude) - positive;
    // If the sine equals its argument, -log|x| remains, on both sides of 0.
    Real result = select(x < -std::ldexp(1.0, -60), reflected, positive);
    Real infinity = x.constant(kInfinity);
    result = select(magnitude == kInfinity, infinity, result);
    Value isPole = x.b->create<arith::AndIOp>({x <= 0, trunc(x) == x});
    return select(isPole, infinity, result);
  });
}

//===----------------------------------------------------------------------===//
// digamma
//===----------------------------------------------------------------------===//

/// digamma(x) for x >= 0 (-0: the pole from below), from 10 on by the series and below it by
/// digamma(x) = digamma(x + 10) - 1 / x - ... - 1 / (x + 9). The sum is one fraction.
static Real digammaOfPositive(Real x) {
  Real numerator = x.constant(1), denominator = x;
  for (int step = 1; step < 10; ++step) {
    Real next = x + step;
    numerator = numerator * next + denominator;
    denominator = denominator * next;
  }
  Value small = x < 10;
  Real y = select(small, x + 10, x);
  Real inverse = 1 / y, square = inverse * inverse;
  Real series = log(y) - inverse * 0.5 + polynomial(square, kDigamma) * square;
  return select(small, series - numerator / denominator, series);
}

Value DigammaOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildInDouble(builder, loc, getType(), operands[0], [](Real x) {
    // digamma(x) = digamma(1 - x) - pi / tan(pi x)
    Value negative = x < 0;
    Real positive = digammaOfPositive(select(negative, 1 - x, x));
    Real fraction = centeredFraction(x);
    Real reflected = positive - kPi / tan(fraction * kPi);
    reflected = select(fraction == 0, x.constant(kNaN), reflected);
    return select(negative, reflected, positive);
  });
}
