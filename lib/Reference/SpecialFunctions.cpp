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

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// The y with erf(y) = x, by bisection in terms of erfc, which is exact where it is small: slow,
/// and nothing like what kernels do.
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

static double logAddExp(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return a + std::log(2.0);
  return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

static double xlogy(double a, double b) {
  if (std::isnan(b))
    return b;
  return a == 0 ? 0 : a * std::log(b);
}

/// The neighbour in the element type, which may have fewer values than f64.
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

void fuser::reference::addSpecialFunctions(OpTable &table) {
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
  table["fuser.nextafter"] = evaluateNextafter;
  addFloat<4>(table, "fuser.addcdiv",
              [](double x, double a, double b, double value) { return x + value * (a / b); });
}
