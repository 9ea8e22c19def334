//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Less common functions: one C++ function of elements for each.
//
//===----------------------------------------------------------------------===//

#include "PointwiseTable.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// The y with erf(y) = x, by bisection in terms of erfc, which is exact where it is small: slow,
/// and independent of the algorithm in kernels.
static double erfinv(double x) {
  if (std::isnan(x) || std::fabs(x) > 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || std::fabs(x) == 1)
    return x == 0 ? x : std::copysign(std::numeric_limits<double>::infinity(), x);
  double low = 0, high = 6, target = std::fabs(x);
  for (int step = 0; step < 1100; ++step) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high)
      break;
    bool below = target < 0.5 ? std::erf(middle) < target : std::erfc(middle) > 1 - target;
    (below ? low : high) = middle;
  }
  return std::copysign(low, x);
}

/// For x > 0: by its series from 40 on, and by the recurrence with 1 / x below it.
static long double digammaOfPositive(long double x) {
  long double sum = 0;
  for (; x < 40; x += 1)
    sum -= 1 / x;
  const long double square = 1 / (x * x);
  const long double series =
      square * (1 / 12.0L - square * (1 / 120.0L - square * (1 / 252.0L - square / 240.0L)));
  return sum + std::log(x) - 1 / (2 * x) - series;
}

static double digamma(double x) {
  if (x == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x > 0 || std::isnan(x))
    return double(digammaOfPositive(x));
  if (x == std::trunc(x))
    return std::numeric_limits<double>::quiet_NaN();
  const long double pi = 3.14159265358979323846264338327950288L;
  const long double fraction = (long double)x - std::round(x);
  return double(digammaOfPositive(1 - (long double)x) - pi / std::tan(pi * fraction));
}

static uint64_t magnitude(int64_t x) { return x < 0 ? -uint64_t(x) : uint64_t(x); }

static int64_t gcd(int64_t a, int64_t b) { return int64_t(std::gcd(magnitude(a), magnitude(b))); }

static int64_t lcm(int64_t a, int64_t b) {
  uint64_t divisor = gcd(a, b);
  return divisor ? int64_t(magnitude(a) / divisor * magnitude(b)) : 0;
}

static double logAddExp(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return a + std::log(2.0);
  return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

static double logAddExp2(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return a + 1;
  return std::fmax(a, b) + std::log1p(std::exp2(-std::fabs(a - b))) / std::log(2.0);
}

static double heaviside(double x, double atZero) { return x == 0 ? atZero : double(x > 0); }

static double xlog1py(double a, double b) {
  if (std::isnan(b))
    return b;
  return a == 0 ? 0 : a * std::log1p(b);
}

/// exp(x^2) erfc(x), by its asymptotic fraction where erfc underflows.
static double erfcx(double x) {
  const long double wide = x;
  if (x < 50)
    return double(std::exp(wide * wide) * std::erfc(wide));
  const long double square = 1 / (wide * wide), rootPi = std::sqrt(3.14159265358979323846L);
  return double((1 - square / 2 + 3 * square * square / 4) / (wide * rootPi));
}

/// The y with erfc(y) = x, by bisection.
static double erfcinv(double x) {
  if (!(x >= 0 && x <= 2))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == 2)
    return (1 - x) * std::numeric_limits<double>::infinity();
  // Near 1 in terms of erf, which is exact where it is small.
  if (std::fabs(x - 1) < 0.5)
    return erfinv(1 - x);
  if (x > 1)
    return -erfcinv(2 - x);
  long double low = 0, high = 30;
  for (int step = 0; step < 80; ++step) {
    long double middle = (low + high) / 2;
    (std::erfc(middle) > (long double)x ? low : high) = middle;
  }
  return double(low);
}

static double sinc(double x) {
  if (x == 0)
    return 1;
  const long double pi = 3.14159265358979323846264338327950288L;
  return double(std::sin(pi * std::fmod((long double)x, 2.0L)) / (pi * x));
}

static double logit(double x) {
  const long double wide = x;
  return double(std::log(wide / (1 - wide)));
}

static double xlogy(double a, double b) {
  if (std::isnan(b))
    return b;
  return a == 0 ? 0 : a * std::log(b);
}

/// The adjacent value in the element type, which may have fewer values than f64.
static LogicalResult evaluateNextafter(OpContext &context) {
  auto type = dyn_cast<FloatType>(context.resultElementType());
  if (!type)
    return refuseElementType(context);
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return mapElements<2, double, double>(context, [&](double from, double to) {
    if (std::isnan(from) || std::isnan(to))
      return from + to;
    if (from == to)
      return to;
    llvm::APFloat value(from);
    bool exact = false;
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &exact);
    value.next(/*nextDown=*/to < from);
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &exact);
    return value.convertToDouble();
  });
}

/// Shifts the bits of the element's own width to the right.
static LogicalResult evaluateLogicalShift(OpContext &context) {
  if (getElementKind(getOperandElementType(context)) != ElementKind::Integer)
    return refuseElementType(context);
  const int64_t width = getOperandElementType(context).getIntOrFloatBitWidth();
  const uint64_t mask = ~uint64_t(0) >> (64 - width);
  return mapElements<2, int64_t, int64_t>(context, [=](int64_t a, int64_t b) -> int64_t {
    return b >= 0 && b < width ? int64_t((uint64_t(a) & mask) >> b) : 0;
  });
}

void fuser::reference::addSpecialFunctions(OpTable &table) {
  addFloat<1>(table, "fuser.lgamma", [](double x) { return std::lgamma(x); });
  addFloat<1>(table, "fuser.digamma", digamma);
  addInteger<2>(table, "fuser.gcd", gcd);
  addInteger<2>(table, "fuser.lcm", lcm);
  addFloat<1>(table, "fuser.log10", [](double x) { return std::log10(x); });
  addFloat<1>(table, "fuser.erfc", [](double x) { return std::erfc(x); });
  addFloat<1>(table, "fuser.cbrt", [](double x) { return std::cbrt(x); });
  addFloat<1>(table, "fuser.erfinv", erfinv);
  addFloat<1>(table, "fuser.frac", [](double x) { return std::copysign(x - std::trunc(x), x); });
  addTest<1>(table, "fuser.signbit", [](auto x) { return std::signbit(double(x)); });
  addTest<1>(table, "fuser.isposinf",
             [](auto x) { return double(x) == std::numeric_limits<double>::infinity(); });
  addTest<1>(table, "fuser.isneginf",
             [](auto x) { return double(x) == -std::numeric_limits<double>::infinity(); });
  addFloat<2>(table, "fuser.copysign", [](double a, double b) { return std::copysign(a, b); });
  addFloat<2>(table, "fuser.hypot", [](double a, double b) { return std::hypot(a, b); });
  addFloat<2>(table, "fuser.logaddexp", logAddExp);
  addFloat<2>(table, "fuser.xlogy", xlogy);
  addFloat<1>(table, "fuser.erfcx", erfcx);
  addFloat<1>(table, "fuser.erfcinv", erfcinv);
  addFloat<1>(table, "fuser.sinc", sinc);
  addFloat<1>(table, "fuser.logit", logit);
  addFloat<2>(table, "fuser.logaddexp2", logAddExp2);
  addFloat<2>(table, "fuser.heaviside", heaviside);
  addFloat<2>(table, "fuser.xlog1py", xlog1py);
  table["fuser.logical_shift_right"] = evaluateLogicalShift;
  table["fuser.nextafter"] = evaluateNextafter;
  addFloat<4>(table, "fuser.addcdiv",
              [](double x, double a, double b, double value) { return x + value * (a / b); });
}
