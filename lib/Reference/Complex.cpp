//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops on complex numbers: C's functions in long double, which do not overflow for any
// complex<f64>.
//
//===----------------------------------------------------------------------===//

#include "PointwiseTable.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

using Complex = std::complex<double>;
using Wide = std::complex<long double>;

/// `function` if the operands are complex, else the existing entry of the table. R is the type of
/// the result's elements.
template <size_t N, typename R, typename Function>
static void addComplex(OpTable &table, StringRef name, Function function) {
  OpEvaluation onReals = table.lookup(name);
  table[name] = [=](OpContext &context) -> LogicalResult {
    if (getElementKind(getOperandElementType(context)) != ElementKind::Complex)
      return onReals ? onReals(context) : refuseElementType(context);
    return mapElements<N, Complex, R>(
        context, [&](auto... z) { return R(function(Wide(z.real(), z.imag())...)); });
  };
}

template <size_t N, typename Function>
static void addFunction(OpTable &table, StringRef name, Function function) {
  addComplex<N, Complex>(table, name, function);
}

template <size_t N, typename Function>
static void addPart(OpTable &table, StringRef name, Function function) {
  addComplex<N, double>(table, name, function);
}

template <size_t N, typename Function>
static void addComplexTest(OpTable &table, StringRef name, Function function) {
  addComplex<N, int64_t>(table, name, function);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static const long double kLog2 = std::log(2.0L);
static const long double kLog10 = std::log(10.0L);
static const long double kWidePi = std::acos(-1.0L);

/// The plain definition of the product: NaN is not replaced by infinities.
static Wide multiply(Wide x, Wide y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

static Wide divide(Wide x, Wide y) {
  long double c = y.real(), d = y.imag();
  if (y == Wide(0))
    return {x.real() / 0.0L, x.imag() / 0.0L};
  if (std::isinf(c) != std::isinf(d) && !std::isnan(c) && !std::isnan(d)) {
    // If one part is infinite, the other has no effect.
    Wide direction = std::isinf(c) ? Wide(1 / c, 0) : Wide(0, -1 / d);
    return multiply(x, direction);
  }
  long double norm = c * c + d * d;
  return {(x.real() * c + x.imag() * d) / norm, (x.imag() * c - x.real() * d) / norm};
}

static Wide power(Wide z, Wide w) {
  if (w == Wide(0))
    return 1;
  if (z == Wide(0)) {
    long double part = w.real() > 0 ? 0 : std::numeric_limits<long double>::quiet_NaN();
    return {part, part};
  }
  return std::exp(multiply(w, std::log(z)));
}

/// 2 sinh(z / 2) exp(z / 2), which does not cancel.
static Wide expm1(Wide z) {
  return std::abs(z) < 1 ? multiply(2.0L * std::sinh(z / 2.0L), std::exp(z / 2.0L))
                         : std::exp(z) - Wide(1);
}

/// 2 atanh(z / (z + 2)), which does not cancel.
static Wide log1p(Wide z) {
  return std::abs(z) < 0.5L ? 2.0L * std::atanh(z / (z + Wide(2))) : std::log(Wide(1) + z);
}

/// sin(pi z) / (pi z), from the distance to the nearest integer; odd ones change the sign.
static Wide sinc(Wide z) {
  if (z == Wide(0))
    return 1;
  Wide sine = std::sin(kWidePi * Wide(std::remainder(z.real(), 1.0L), z.imag()));
  bool isOdd = std::fmod(std::nearbyint(z.real()), 2.0L) != 0;
  return divide(isOdd ? -sine : sine, kWidePi * z);
}

static bool isNan(Wide z) { return std::isnan(z.real()) || std::isnan(z.imag()); }

static Wide logAddExp(Wide x, Wide y) {
  if (isNan(x) || isNan(y))
    return Wide(std::numeric_limits<long double>::quiet_NaN(),
                std::numeric_limits<long double>::quiet_NaN());
  Wide small = x.real() < y.real() ? x : y, large = x.real() < y.real() ? y : x;
  if (small.real() == large.real() && std::isinf(small.real()))
    return small;
  return log1p(std::exp(small - large)) + large;
}

static Wide lerp(Wide start, Wide end, Wide weight) {
  return std::norm(weight) < 0.25L ? start + multiply(weight, end - start)
                                   : end - multiply(end - start, Wide(1) - weight);
}

static Wide sigmoid(Wide z) { return divide(1, Wide(1) + std::exp(-z)); }

static Wide sign(Wide z) {
  long double magnitude = std::abs(z);
  return magnitude == 0 ? z : Wide(z.real() / magnitude, z.imag() / magnitude);
}

static void addFunctions(OpTable &table) {
  addFunction<1>(table, "fuser.exp", [](Wide z) { return std::exp(z); });
  addFunction<1>(table, "fuser.exp2", [](Wide z) { return std::exp(z * kLog2); });
  addFunction<1>(table, "fuser.expm1", [](Wide z) { return expm1(z); });
  addFunction<1>(table, "fuser.log1p", [](Wide z) { return log1p(z); });
  addFunction<1>(table, "fuser.log", [](Wide z) { return std::log(z); });
  addFunction<1>(table, "fuser.log2", [](Wide z) { return std::log(z) / kLog2; });
  addFunction<1>(table, "fuser.log10", [](Wide z) { return std::log(z) / kLog10; });
  addFunction<1>(table, "fuser.sqrt", [](Wide z) { return std::sqrt(z); });
  addFunction<1>(table, "fuser.rsqrt", [](Wide z) { return divide(1, std::sqrt(z)); });
  addFunction<1>(table, "fuser.sin", [](Wide z) { return std::sin(z); });
  addFunction<1>(table, "fuser.cos", [](Wide z) { return std::cos(z); });
  addFunction<1>(table, "fuser.tan", [](Wide z) { return std::tan(z); });
  addFunction<1>(table, "fuser.sinh", [](Wide z) { return std::sinh(z); });
  addFunction<1>(table, "fuser.cosh", [](Wide z) { return std::cosh(z); });
  addFunction<1>(table, "fuser.tanh", [](Wide z) { return std::tanh(z); });
  addFunction<1>(table, "fuser.asin", [](Wide z) { return std::asin(z); });
  addFunction<1>(table, "fuser.acos", [](Wide z) { return std::acos(z); });
  addFunction<1>(table, "fuser.atan", [](Wide z) { return std::atan(z); });
  addFunction<1>(table, "fuser.asinh", [](Wide z) { return std::asinh(z); });
  addFunction<1>(table, "fuser.acosh", [](Wide z) { return std::acosh(z); });
  addFunction<1>(table, "fuser.atanh", [](Wide z) { return std::atanh(z); });
  addFunction<1>(table, "fuser.sinc", sinc);
  addFunction<1>(table, "fuser.silu", [](Wide z) { return multiply(z, sigmoid(z)); });
  addFunction<1>(table, "fuser.reciprocal", [](Wide z) { return divide(1, z); });
  addFunction<1>(table, "fuser.sigmoid", sigmoid);
  addFunction<1>(table, "fuser.neg", [](Wide z) { return -z; });
  addFunction<1>(table, "fuser.square", [](Wide z) { return multiply(z, z); });
  addFunction<1>(table, "fuser.sign", sign);
  addFunction<1>(table, "fuser.conj", [](Wide z) { return std::conj(z); });
  addPart<1>(table, "fuser.abs", [](Wide z) { return std::abs(z); });
  addPart<1>(table, "fuser.real", [](Wide z) { return z.real(); });
  addPart<1>(table, "fuser.imag", [](Wide z) { return z.imag(); });
  addPart<1>(table, "fuser.angle", [](Wide z) { return std::arg(z); });
  addFunction<2>(table, "fuser.add", [](Wide x, Wide y) { return x + y; });
  addFunction<2>(table, "fuser.sub", [](Wide x, Wide y) { return x - y; });
  addFunction<2>(table, "fuser.mul", multiply);
  addFunction<2>(table, "fuser.div", divide);
  addFunction<2>(table, "fuser.pow", power);
  addFunction<2>(table, "fuser.logaddexp", logAddExp);
  addFunction<2>(table, "fuser.sigmoid_backward", [](Wide gradient, Wide y) {
    return multiply(gradient, std::conj(multiply(Wide(1) - y, y)));
  });
  addFunction<2>(table, "fuser.tanh_backward", [](Wide gradient, Wide y) {
    return multiply(gradient, std::conj(Wide(1) - multiply(y, y)));
  });
  addFunction<3>(table, "fuser.lerp", lerp);
  addFunction<4>(table, "fuser.addcmul", [](Wide x, Wide a, Wide b, Wide value) {
    return x + multiply(multiply(value, a), b);
  });
  addFunction<4>(table, "fuser.addcdiv", [](Wide x, Wide a, Wide b, Wide value) {
    return x + multiply(value, divide(a, b));
  });
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

static bool isTrue(Wide z) { return z != Wide(0); }

static void addTests(OpTable &table) {
  addComplexTest<1>(table, "fuser.isnan",
                    [](Wide z) { return std::isnan(z.real()) || std::isnan(z.imag()); });
  addComplexTest<1>(table, "fuser.isinf",
                    [](Wide z) { return std::isinf(z.real()) || std::isinf(z.imag()); });
  addComplexTest<1>(table, "fuser.isfinite",
                    [](Wide z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); });
  addComplexTest<1>(table, "fuser.isreal", [](Wide z) { return z.imag() == 0; });
  addComplexTest<1>(table, "fuser.logical_not", [](Wide z) { return !isTrue(z); });
  addComplexTest<2>(table, "fuser.eq", [](Wide x, Wide y) { return x == y; });
  addComplexTest<2>(table, "fuser.ne", [](Wide x, Wide y) { return x != y; });
  addComplexTest<2>(table, "fuser.logical_and",
                    [](Wide x, Wide y) { return isTrue(x) && isTrue(y); });
  addComplexTest<2>(table, "fuser.logical_or",
                    [](Wide x, Wide y) { return isTrue(x) || isTrue(y); });
  addComplexTest<2>(table, "fuser.logical_xor",
                    [](Wide x, Wide y) { return isTrue(x) != isTrue(y); });
}

/// An op that makes a complex number of two floats.
template <typename Function>
static void addMaker(OpTable &table, StringRef name, Function function) {
  table[name] = [=](OpContext &context) -> LogicalResult {
    if (getElementKind(getOperandElementType(context)) != ElementKind::Float)
      return refuseElementType(context);
    return mapElements<2, double, Complex>(context, function);
  };
}

void fuser::reference::addComplexNumbers(OpTable &table) {
  addFunctions(table);
  addTests(table);
  addMaker(table, "fuser.complex", [](double x, double y) { return Complex(x, y); });
  addMaker(table, "fuser.polar", [](double magnitude, double direction) {
    return Complex(magnitude * std::cos(direction), magnitude * std::sin(direction));
  });
}
