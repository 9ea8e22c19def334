//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compares element by element, and by norms.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Compare.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using reference::ElementKind;
using reference::Tensor;

Tolerance fuser::driver::getDefaultTolerance(Type elementType) {
  if (auto complexType = dyn_cast<ComplexType>(elementType))
    return getDefaultTolerance(complexType.getElementType());
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType)
    return {};
  if (floatType.isF64())
    return {1e-11, 1e-11, 1e-11};
  if (floatType.isF32())
    return {1e-4, 1e-5, 1e-5};
  // One unit in the last place relative to 1.0, and half of that for the norm: each element is
  // rounded once, and may round in the other direction.
  const double unit = std::ldexp(1.0, 1 - int(floatType.getFPMantissaWidth()));
  return {1.01 * unit, 1e-5, unit / 2};
}

namespace {
/// An element as a point of the complex plane, for comparison.
struct Element {
  double re, im;

  bool isNaN() const { return std::isnan(re) || std::isnan(im); }
  bool isFinite() const { return std::isfinite(re) && std::isfinite(im); }
};
} // namespace

static Element elementOf(const Tensor &tensor, int64_t index) {
  std::complex<double> value = tensor.asComplex(index);
  return {value.real(), value.imag()};
}

static Comparison compareIntegers(const Tensor &actual, const Tensor &expected) {
  Comparison result;
  result.numElements = expected.getNumElements();
  for (int64_t i = 0; i < result.numElements; ++i) {
    int64_t a = actual.integers()[i], e = expected.integers()[i];
    if (a == e)
      continue;
    if (++result.numWrong == 1)
      result.worst = i;
    result.maxAbsolute = std::max(result.maxAbsolute, std::fabs(double(a) - double(e)));
  }
  result.passed = result.numWrong == 0;
  return result;
}

/// Root of the mean square of the finite elements.
static double getRMS(const Tensor &tensor) {
  double sum = 0;
  const int64_t count = tensor.getNumElements();
  for (int64_t i = 0; i < count; ++i) {
    Element element = elementOf(tensor, i);
    if (element.isFinite())
      sum += element.re * element.re + element.im * element.im;
  }
  return count ? std::sqrt(sum / double(count)) : 0;
}

Comparison fuser::driver::compare(const Tensor &actual, const Tensor &expected,
                                  const Tolerance &tolerance) {
  if (expected.getKind() == ElementKind::Integer)
    return compareIntegers(actual, expected);
  Comparison result;
  result.numElements = expected.getNumElements();
  const double rms = getRMS(expected);
  const double floor = tolerance.absolute * std::max(1.0, rms);
  double squares = 0, largest = 0;
  auto markWrong = [&](int64_t at) {
    if (++result.numWrong == 1)
      result.worst = at;
  };
  for (int64_t i = 0; i < result.numElements; ++i) {
    Element a = elementOf(actual, i), e = elementOf(expected, i);
    if (!a.isFinite() || !e.isFinite()) {
      bool same = a.isNaN() || e.isNaN() ? a.isNaN() && e.isNaN() : a.re == e.re && a.im == e.im;
      if (!same)
        markWrong(i);
      continue;
    }
    double difference = std::hypot(a.re - e.re, a.im - e.im), size = std::hypot(e.re, e.im);
    squares += difference * difference;
    result.maxAbsolute = std::max(result.maxAbsolute, difference);
    if (size > 0)
      result.maxRelative = std::max(result.maxRelative, difference / size);
    double excess = difference - (floor + tolerance.relative * size);
    if (excess > 0)
      markWrong(i);
    else if (result.numWrong == 0 && difference > largest)
      result.worst = i;
    largest = std::max(largest, difference);
  }
  const double expectedNorm = rms * std::sqrt(double(result.numElements));
  result.norm = std::sqrt(squares) / (expectedNorm > 0 ? expectedNorm : 1);
  result.passed = result.numWrong == 0 && result.norm <= tolerance.norm;
  return result;
}
