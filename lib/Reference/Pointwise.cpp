//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops: one C++ function of elements for each.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "PointwiseTable.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

static double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

static double geluByTanh(double x) {
  const double pi = 3.14159265358979323846;
  return x / 2 * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
}

static LogicalResult evaluateGelu(OpContext &context) {
  if (context.getOp()->hasAttr("approximate"))
    return mapElements<1, double, double>(context, geluByTanh);
  return mapElements<1, double, double>(context, gelu);
}

static void addFloatFunctions(OpTable &table) {
  addFloat<1>(table, "fuser.exp", [](double x) { return std::exp(x); });
  addFloat<1>(table, "fuser.exp2", [](double x) { return std::exp2(x); });
  addFloat<1>(table, "fuser.expm1", [](double x) { return std::expm1(x); });
  addFloat<1>(table, "fuser.log", [](double x) { return std::log(x); });
  addFloat<1>(table, "fuser.log2", [](double x) { return std::log2(x); });
  addFloat<1>(table, "fuser.log1p", [](double x) { return std::log1p(x); });
  addFloat<1>(table, "fuser.sqrt", [](double x) { return std::sqrt(x); });
  addFloat<1>(table, "fuser.rsqrt", [](double x) { return 1 / std::sqrt(x); });
  addFloat<1>(table, "fuser.sin", [](double x) { return std::sin(x); });
  addFloat<1>(table, "fuser.cos", [](double x) { return std::cos(x); });
  addFloat<1>(table, "fuser.tan", [](double x) { return std::tan(x); });
  addFloat<1>(table, "fuser.atan", [](double x) { return std::atan(x); });
  addFloat<1>(table, "fuser.asin", [](double x) { return std::asin(x); });
  addFloat<1>(table, "fuser.acos", [](double x) { return std::acos(x); });
  addFloat<1>(table, "fuser.sinh", [](double x) { return std::sinh(x); });
  addFloat<1>(table, "fuser.cosh", [](double x) { return std::cosh(x); });
  addFloat<1>(table, "fuser.asinh", [](double x) { return std::asinh(x); });
  addFloat<1>(table, "fuser.acosh", [](double x) { return std::acosh(x); });
  addFloat<1>(table, "fuser.atanh", [](double x) { return std::atanh(x); });
  addFloat<1>(table, "fuser.tanh", [](double x) { return std::tanh(x); });
  addFloat<1>(table, "fuser.erf", [](double x) { return std::erf(x); });
  addFloat<1>(table, "fuser.floor", [](double x) { return std::floor(x); });
  addFloat<1>(table, "fuser.ceil", [](double x) { return std::ceil(x); });
  addFloat<1>(table, "fuser.trunc", [](double x) { return std::trunc(x); });
  addFloat<1>(table, "fuser.round", [](double x) { return std::nearbyint(x); });
  addFloat<1>(table, "fuser.reciprocal", [](double x) { return 1 / x; });
  addFloat<1>(table, "fuser.sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
  addFloat<1>(table, "fuser.silu", [](double x) { return x / (1 + std::exp(-x)); });
  table["fuser.gelu"] = evaluateGelu;
  addTest<1>(table, "fuser.isnan", [](auto x) { return std::isnan(double(x)); });
  addTest<1>(table, "fuser.isinf", [](auto x) { return std::isinf(double(x)); });
  addTest<1>(table, "fuser.isfinite", [](auto x) { return std::isfinite(double(x)); });
}

/// A float as the bits of its type.
static APInt getBits(double value, FloatType type) {
  APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt();
}

/// The number that the bits of a type represent.
static double getNumber(const APInt &bits, FloatType type) {
  APFloat number(type.getFloatSemantics(), bits);
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

static LogicalResult evaluateBitcast(OpContext &context) {
  Type from = context.operand(0).getElementType(), to = context.resultElementType();
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  unsigned width = from.getIntOrFloatBitWidth();
  auto ofInteger = [=](int64_t x) { return APInt(width, uint64_t(x), true, true); };
  if (fromFloat && toFloat)
    return mapElements<1, double, double>(
        context, [=](double x) { return getNumber(getBits(x, fromFloat), toFloat); });
  if (fromFloat)
    return mapElements<1, double, int64_t>(
        context, [=](double x) { return getBits(x, fromFloat).getSExtValue(); });
  if (toFloat)
    return mapElements<1, int64_t, double>(
        context, [=](int64_t x) { return getNumber(ofInteger(x), toFloat); });
  return mapElements<1, int64_t, int64_t>(context, [](int64_t x) { return x; });
}

static void addNumberFunctions(OpTable &table) {
  addNumber<1>(
      table, "fuser.neg", [](double x) { return -x; }, [](int64_t x) { return wrapSub(0, x); });
  addNumber<1>(
      table, "fuser.abs", [](double x) { return std::fabs(x); },
      [](int64_t x) { return x < 0 ? wrapSub(0, x) : x; });
  addNumber<1>(
      table, "fuser.relu", [](double x) { return x > 0 || std::isnan(x) ? x : 0.0; },
      [](int64_t x) { return std::max<int64_t>(x, 0); });
  addNumber<1>(
      table, "fuser.sign", [](double x) { return double((0 < x) - (x < 0)); },
      [](int64_t x) { return (0 < x) - (x < 0); });
  addNumber<1>(
      table, "fuser.square", [](double x) { return x * x; },
      [](int64_t x) { return wrapMul(x, x); });
  addFloat<1>(table, "fuser.angle", [](double x) {
    return std::isnan(x) ? x : x < 0 ? 3.14159265358979323846 : 0.0;
  });
  addTest<1>(table, "fuser.isreal", [](auto) { return true; });
  table["fuser.bitcast"] = evaluateBitcast;
  addInteger<1>(table, "fuser.bitwise_not", [](int64_t x) { return ~x; });
  addTest<1>(table, "fuser.logical_not", [](auto x) { return x == 0; });
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

/// One element as a float of type `to`; integers and f64 become half types through f32.
template <typename T> static double castToFloat(T value, Type from, Type to) {
  if (to.isF64())
    return double(value);
  // An integer must not be rounded to double before it is rounded to f32.
  if (to.isF32())
    return double(float(value));
  bool fromWide = std::is_same_v<T, int64_t> || from.isF64();
  return roundToType(fromWide ? double(float(value)) : double(value), to);
}

template <typename T> static int64_t castToInteger(T value, Type to) {
  if (to.isInteger(1))
    return value != T(0);
  if constexpr (std::is_same_v<T, std::complex<double>>)
    return truncateToInteger(value.real(), to);
  else if constexpr (std::is_same_v<T, double>)
    return truncateToInteger(value, to);
  else
    return wrapToType(value, to);
}

/// To complex: the imaginary part of a real number is 0. To real: drops the imaginary part.
template <typename T> static LogicalResult castElements(OpContext &context) {
  Type from = context.operand(0).getElementType(), to = context.resultElementType();
  if (getElementKind(to) == ElementKind::Complex) {
    if constexpr (std::is_same_v<T, std::complex<double>>)
      return mapElements<1, T, T>(context, [](T z) { return z; });
    else
      return mapElements<1, T, std::complex<double>>(context, [](T x) { return double(x); });
  }
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    Type part = cast<ComplexType>(from).getElementType();
    if (getElementKind(to) == ElementKind::Float)
      return mapElements<1, T, double>(context,
                                       [=](T z) { return castToFloat(z.real(), part, to); });
  } else if (getElementKind(to) == ElementKind::Float) {
    return mapElements<1, T, double>(context, [=](T x) { return castToFloat(x, from, to); });
  }
  return mapElements<1, T, int64_t>(context, [=](T x) { return castToInteger(x, to); });
}

static LogicalResult evaluateCast(OpContext &context) {
  switch (context.operand(0).getKind()) {
  case ElementKind::Float:
    return castElements<double>(context);
  case ElementKind::Integer:
    return castElements<int64_t>(context);
  case ElementKind::Complex:
    return castElements<std::complex<double>>(context);
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Functions of two elements
//===----------------------------------------------------------------------===//

/// Python's `%`: the sign of b.
static double flooredRemainder(double a, double b) {
  double rest = std::fmod(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

/// Python's `//`, from the exact remainder: rounding a / b first may cross an integer. The
/// remainder of the truncated quotient is finite for an infinite b.
static double floorDivide(double a, double b) {
  if (b == 0)
    return a / b;
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  return std::nearbyint(quotient);
}

static void addArithmetic(OpTable &table) {
  addNumber<2>(table, "fuser.sub", [](double a, double b) { return a - b; }, wrapSub);
  addNumber<2>(table, "fuser.mul", [](double a, double b) { return a * b; }, wrapMul);
  addFloat<2>(table, "fuser.div", [](double a, double b) { return a / b; });
  addFloat<2>(table, "fuser.pow", [](double a, double b) { return std::pow(a, b); });
  addFloat<2>(table, "fuser.atan2", [](double a, double b) { return std::atan2(a, b); });
  addNumber<2>(table, "fuser.floor_div", floorDivide,
               [](int64_t a, int64_t b) { return b == 0 ? 0 : floorDiv(a, b); });
  addNumber<2>(
      table, "fuser.ceil_div", [](double a, double b) { return -floorDivide(-a, b); },
      [](int64_t a, int64_t b) {
        return b == 0 ? 0 : truncDiv(a, b) + (truncMod(a, b) != 0 && (a < 0) == (b < 0));
      });
  addNumber<2>(
      table, "fuser.trunc_div", [](double a, double b) { return std::trunc(a / b); },
      [](int64_t a, int64_t b) { return b == 0 ? 0 : truncDiv(a, b); });
  addNumber<2>(table, "fuser.remainder", flooredRemainder, [](int64_t a, int64_t b) {
    return b == 0 ? a : wrapSub(a, wrapMul(floorDiv(a, b), b));
  });
  addNumber<2>(
      table, "fuser.fmod", [](double a, double b) { return std::fmod(a, b); },
      [](int64_t a, int64_t b) { return b == 0 ? a : truncMod(a, b); });
  addNumber<2>(table, "fuser.maximum", maximum,
               [](int64_t a, int64_t b) { return std::max(a, b); });
  addNumber<2>(table, "fuser.minimum", minimum,
               [](int64_t a, int64_t b) { return std::min(a, b); });
  addFloat<2>(table, "fuser.fmax", [](double a, double b) { return std::fmax(a, b); });
  addFloat<2>(table, "fuser.fmin", [](double a, double b) { return std::fmin(a, b); });
}

/// Integers wrap; bool is logical or.
static LogicalResult evaluateAdd(OpContext &context) {
  Type type = getOperandElementType(context);
  if (getElementKind(type) == ElementKind::Complex)
    return refuseElementType(context);
  if (type.isInteger(1))
    return mapElements<2, int64_t, int64_t>(context, [](int64_t a, int64_t b) { return a | b; });
  if (getElementKind(type) == ElementKind::Integer)
    return mapElements<2, int64_t, int64_t>(context, wrapAdd);
  return mapElements<2, double, double>(context, [](double a, double b) { return a + b; });
}

static LogicalResult evaluateShift(OpContext &context, bool left) {
  int64_t width = getOperandElementType(context).getIntOrFloatBitWidth();
  return mapElements<2, int64_t, int64_t>(context, [=](int64_t a, int64_t b) -> int64_t {
    bool inRange = b >= 0 && b < width;
    if (left)
      return inRange ? int64_t(uint64_t(a) << b) : 0;
    return inRange ? a >> b : a >> 63;
  });
}

static void addBitsAndTests(OpTable &table) {
  addInteger<2>(table, "fuser.bitwise_and", [](int64_t a, int64_t b) { return a & b; });
  addInteger<2>(table, "fuser.bitwise_or", [](int64_t a, int64_t b) { return a | b; });
  addInteger<2>(table, "fuser.bitwise_xor", [](int64_t a, int64_t b) { return a ^ b; });
  table["fuser.shift_left"] = [](OpContext &context) { return evaluateShift(context, true); };
  table["fuser.shift_right"] = [](OpContext &context) { return evaluateShift(context, false); };
  addTest<2>(table, "fuser.eq", [](auto a, auto b) { return a == b; });
  addTest<2>(table, "fuser.ne", [](auto a, auto b) { return a != b; });
  addTest<2>(table, "fuser.lt", [](auto a, auto b) { return a < b; });
  addTest<2>(table, "fuser.le", [](auto a, auto b) { return a <= b; });
  addTest<2>(table, "fuser.gt", [](auto a, auto b) { return a > b; });
  addTest<2>(table, "fuser.ge", [](auto a, auto b) { return a >= b; });
  addTest<2>(table, "fuser.logical_and", [](auto a, auto b) { return a != 0 && b != 0; });
  addTest<2>(table, "fuser.logical_or", [](auto a, auto b) { return a != 0 || b != 0; });
  addTest<2>(table, "fuser.logical_xor", [](auto a, auto b) { return (a != 0) != (b != 0); });
}

//===----------------------------------------------------------------------===//
// Functions of three and more elements
//===----------------------------------------------------------------------===//

template <typename T> static LogicalResult selectElements(OpContext &context) {
  FailureOr<SmallVector<int64_t>> shape = inferBroadcastShape(context);
  if (failed(shape))
    return failure();
  Type elementType = context.resultElementType();
  std::vector<T> storage[2];
  const std::vector<int64_t> &condition = context.operand(0).integers();
  const std::vector<T> &onTrue = getOperandValues(context, 1, elementType, storage[0]);
  const std::vector<T> &onFalse = getOperandValues(context, 2, elementType, storage[1]);
  std::array<SmallVector<int64_t>, 3> strides;
  for (unsigned k = 0; k < 3; ++k)
    strides[k] = getBroadcastStrides(context.operand(k), shape->size());
  Tensor result(context.resultElementType(), *shape);
  T *out = result.values<T>().data();
  forEachElement<3>(*shape, strides, [&](const std::array<int64_t, 3> &at) {
    *out++ = condition[at[0]] ? onTrue[at[1]] : onFalse[at[2]];
  });
  return context.setComputed(std::move(result));
}

static LogicalResult evaluateWhere(OpContext &context) {
  switch (getElementKind(context.resultElementType())) {
  case ElementKind::Float:
    return selectElements<double>(context);
  case ElementKind::Integer:
    return selectElements<int64_t>(context);
  case ElementKind::Complex:
    return selectElements<std::complex<double>>(context);
  }
  return failure();
}

/// From the nearer end, so that both ends are exact.
static double lerp(double start, double end, double weight) {
  if (std::fabs(weight) < 0.5)
    return start + weight * (end - start);
  return end - (end - start) * (1 - weight);
}

static void addWideFunctions(OpTable &table) {
  table["fuser.where"] = evaluateWhere;
  addNumber<3>(
      table, "fuser.clamp",
      [](double x, double low, double high) { return minimum(maximum(x, low), high); },
      [](int64_t x, int64_t low, int64_t high) { return std::min(std::max(x, low), high); });
  addFloat<3>(table, "fuser.lerp", lerp);
  addFloat<3>(table, "fuser.fma", [](double a, double b, double c) { return std::fma(a, b, c); });
  addNumber<4>(
      table, "fuser.addcmul",
      [](double x, double a, double b, double value) { return x + value * a * b; },
      [](int64_t x, int64_t a, int64_t b, int64_t value) {
        return wrapAdd(x, wrapMul(wrapMul(value, a), b));
      });
}

void fuser::reference::addPointwiseOps(OpTable &table) {
  addFloatFunctions(table);
  addNumberFunctions(table);
  table["fuser.cast"] = evaluateCast;
  table["fuser.add"] = evaluateAdd;
  addArithmetic(table);
  addBitsAndTests(table);
  addWideFunctions(table);
}
