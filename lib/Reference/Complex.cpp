//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops on complex numbers: C's functions in long double, which overflow nowhere that a
// complex<f64> does not.
//
//===----------------------------------------------------------------------===//

#include "PointwiseTable.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

using Complex = std::complex<double>;
using Wide = std::complex<long double>;

/// `function` where the operands are complex, and what the table has so far where they are not. R
/// holds the result's elements.
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

/// As the product is defined: no infinity is recovered from NaN.
static Wide multiply(Wide x, Wide y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

static Wide divide(Wide x, Wide y) {
  long double c = y.real(), d = y.imag();
  if (y == Wide(0))
    return {x.real() / 0.0L, x.imag() / 0.0L};
  if (std::isinf(c) != std::isinf(d) && !std::isnan(c) && !std::isnan(d)) {
    // One infinite part: the other makes no difference.
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

static Wide sigmoid(Wide z) { return divide(1, Wide(1) + std::exp(-z)); }

static Wide sign(Wide z) {
  long double magnitude = std::abs(z);
  return magnitude == 0 ? z : Wide(z.real() / magnitude, z.imag() / magnitude);
}

static void addFunctions(OpTable &table) {
  addFunction<1>(table, "fuser.exp", [](Wide z) { return std::exp(z); });
  addFunction<1>(table, "fuser.exp2", [](Wide z) { return std::exp(z * kLog2); });
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
