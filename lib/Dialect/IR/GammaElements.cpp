//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar forms of the gamma function's logarithm and its derivative, for which the math dialect has
// no ops. f64 has forms of its own. In f32, arguments up to 3 have a quotient of polynomials times
// the zeros there, others Stirling's series. Both are computed, because lanes of a warp differ, but
// share their logarithm and their only division. What arguments below 0 need is a rare value.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <limits>

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Parts of both in f32
//===----------------------------------------------------------------------===//

/// From here on, Stirling's series.
static constexpr double kFirstLarge = 3;
/// (log(1 + f) - f) / f^2 for |f| <= 1/3. To 6e-9 of the logarithm.
static constexpr double kLogRest[] = {0.145841911, -0.156291738, 0.138672099, -0.163652673,
                                      0.200204358, -0.250110149, 0.333329946, -0.499998808};
/// log(2) as a number of few bits, whose products with exponents are exact, and the rest.
static constexpr double kLog2High = 0.693145751953125, kLog2Low = 1.4286068203094173e-06;
/// sin(pi f) / (pi f) for |f| <= 1/2 by powers of f^2. To 6e-9.
static constexpr double kSine[] = {0.0246882364, -0.190426379, 0.811712384, -1.6449331, 1};

namespace {
/// The logarithm of a positive normal f32 in two parts: exponent * kLog2High + low. Two parts,
/// because what is added to it, or multiplied with it, may cancel most of it.
struct SplitLog {
  Real exponent, low;
};
} // namespace

static SplitLog splitLog(Real x) {
  ElementBuilder &b = *x.b;
  auto integer = [&](uint32_t bits) {
    return b.constant(x.value, b.builder.getI32Type(), APInt(32, bits));
  };
  // x = 2^e (1 + f) with 1 + f in [2/3, 4/3).
  constexpr uint32_t kTwoThirds = 0x3f2aaaab, kExponent = 0xff800000;
  Value bits = b.bitcast(x.value, b.builder.getI32Type());
  Value above = b.create<arith::SubIOp>({bits, integer(kTwoThirds)});
  Value exponent = b.create<arith::AndIOp>({above, integer(kExponent)});
  Value mantissa = b.create<arith::SubIOp>({bits, exponent});
  Real f = Real{&b, b.bitcast(mantissa, b.builder.getF32Type())} - 1;
  Real e = Real{&b, b.convertTo(exponent, b.builder.getF32Type())} * 0x1p-23;
  return {e, fma(e, x.constant(kLog2Low), fma(polynomial(f, kLogRest), f * f, f))};
}

/// sin(pi f) / pi for |f| <= 1/2, in f32.
static Real sineOfTurn(Real f) { return polynomial(f * f, kSine) * f; }

//===----------------------------------------------------------------------===//
// Coefficients of f64
//===----------------------------------------------------------------------===//

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

/// log(gamma(1 + t)) / (t (t - 1)) for t in [-0.3, 2]: numerator and denominator, both positive. To
/// 2e-9.
static constexpr double kLogGammaNumerator[] = {0.000417420757, 0.0480225682, 0.399191588,
                                                0.895020723, 0.577215672};
static constexpr double kLogGammaDenominator[] = {0.0171089992, 0.286781549, 1.26164985, 1.97546971,
                                                  1};
/// Stirling's series for f32.
static constexpr double kShortStirling[] = {0.00067897694, -0.00276988745, 0.0833331645};

/// log(|gamma(x)|) in f32. Below 0.7 it is log(gamma(1 + x)) - log(x).
static Real logGammaInSingle(Real x) {
  Real magnitude = abs(x), zero = x.constant(0);
  Value small = magnitude < kFirstLarge, below = magnitude < 0.7;
  const SplitLog logarithm = splitLog(magnitude);
  Real t = select(below, magnitude, magnitude - 1);
  Real inverse =
      approximateReciprocal(select(small, polynomial(t, kLogGammaDenominator), magnitude));
  Real numerator = select(small, polynomial(t, kLogGammaNumerator) * (t * (t - 1)),
                          polynomial(inverse * inverse, kShortStirling));
  // (x - 1/2) (log(x) - 1), or -log(x), or 0.
  Real factor = select(small, select(below, x.constant(-1), zero), magnitude - 0.5);
  Real high = fma(logarithm.exponent, x.constant(kLog2High), select(small, zero, x.constant(-1)));
  Real rest = select(small, zero, x.constant(0.5 * (std::log(2 * kPi) - 1)));
  Real positive = fma(factor, high, fma(factor, logarithm.low, fma(numerator, inverse, rest)));

  // gamma(-a) = -pi / (a sin(pi a) gamma(a)); next to 0, -log|x| remains.
  Value tiny = magnitude < 0x1p-24;
  Real sine = abs(sineOfTurn(centeredFraction(magnitude)));
  Real reflected = -log(select(tiny, magnitude, magnitude * sine)) - select(tiny, zero, positive);
  Value infinite = magnitude == kInfinity;
  Value isInfinite = x.b->create<arith::OrIOp>({infinite, sine == 0});
  Value isRare = x.b->create<arith::OrIOp>({x < 0x1p-24, infinite});
  return selectRarely(isRare, select(isInfinite, x.constant(kInfinity), reflected), positive);
}

Value LgammaOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  if (!getElementTypeOrSelf(getType()).isF64())
    return buildFormula(builder, loc, getType(), operands,
                        [](ArrayRef<Real> x) { return logGammaInSingle(x[0]); });
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

/// digamma(1 + t) / (1 + t - z) for t in [0, 2], z the zero of digamma: numerator and denominator.
/// To 2e-8.
static constexpr double kDigammaNumerator[] = {0.00182571216, 0.185722068, 1.08642411, 1.25038016};
static constexpr double kDigammaDenominator[] = {0.0541485138, 0.607906342, 1.55242085, 1};
/// The zero less 1, as an f32 and the rest.
static constexpr double kZeroHigh = 0.4616321325302124, kZeroLow = 1.2438149938918909e-08;
/// The series of digamma(x) for f32.
static constexpr double kShortDigamma[] = {-0.0032323224, 0.00828638114, -0.0833324119};

/// digamma(x) in f32. Below 1 it is digamma(1 + x) - 1 / x, as one fraction.
static Real digammaInSingle(Real x) {
  Value negative = x < 0;
  Real y = select(negative, 1 - x, x), zero = x.constant(0);
  Value small = y < kFirstLarge, below = y < 1;
  const SplitLog logarithm = splitLog(y);
  // y - 1 of a negative x too, without its rounding.
  Real t = select(x < 1, abs(x), x - 1);
  Real denominator = polynomial(t, kDigammaDenominator);
  Real divisor = select(below, x, x.constant(1));
  Real inverse = approximateReciprocal(select(small, denominator * divisor, y));
  Real numerator = ((t - kZeroHigh) - kZeroLow) * polynomial(t, kDigammaNumerator);
  Real nearZero = fma(numerator, divisor, select(below, -denominator, zero)) * inverse;
  Real square = inverse * inverse;
  Real series =
      fma(square, polynomial(square, kShortDigamma), fma(inverse, x.constant(-0.5), logarithm.low));
  Real positive = select(small, nearZero, fma(logarithm.exponent, x.constant(kLog2High), series));

  // digamma(x) = digamma(1 - x) - pi / tan(pi x); next to 0, -1 / x remains.
  Real fraction = centeredFraction(x);
  Real quotient = select(negative, sineOfTurn(0.5 - abs(fraction)) * -kPi, x.constant(-1)) /
                  select(negative, sineOfTurn(fraction), x);
  Real reflected = select(fraction == 0, x.constant(kNaN), positive + quotient);
  Value infinite = x == kInfinity;
  Real other = select(negative, reflected, select(infinite, x, quotient));
  Value isRare = x.b->create<arith::OrIOp>({x < 0x1p-60, infinite});
  return selectRarely(isRare, other, positive);
}

Value DigammaOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  if (!getElementTypeOrSelf(getType()).isF64())
    return buildFormula(builder, loc, getType(), operands,
                        [](ArrayRef<Real> x) { return digammaInSingle(x[0]); });
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
