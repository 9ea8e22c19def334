//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans, accumulated in double or in wrapping int64.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "OpContext.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// Computes each element of the result from the previous one along `dim` and the operand's element,
/// both as T; the first one only from the operand. The previous one is the next one of a reversed
/// scan. An exclusive scan takes the operand's previous element, and `identity` as the first one. S
/// is the type of the operand's elements.
template <typename S, typename T, typename Combine>
static Tensor scan(OpContext &context, T identity, Combine combine) {
  const Tensor &input = context.operand(0);
  const int64_t dim = context.getOp()->getAttrOfType<IntegerAttr>("dim").getInt();
  const bool isReversed = context.getOp()->hasAttr("reverse"),
             isExclusive = context.getOp()->hasAttr("exclusive");
  const int64_t size = input.getDimSize(dim),
                step = isReversed ? -input.getStrides()[dim] : input.getStrides()[dim];
  Tensor result(context.resultElementType(), input.getShape());
  std::vector<T> &out = result.values<T>();
  const std::vector<S> &in = input.values<S>();
  for (int64_t n = 0, count = input.getNumElements(); n < count; ++n) {
    const int64_t i = isReversed ? count - 1 - n : n;
    const bool isFirst = n / input.getStrides()[dim] % size == 0;
    if (isFirst)
      out[i] = isExclusive ? identity : T(in[i]);
    else
      out[i] = combine(out[i - step], T(in[isExclusive ? i - step : i]));
  }
  return result;
}

/// `integerIdentity` is called with the width of the result.
template <typename FloatCombine, typename IntegerIdentity, typename IntegerCombine>
static void addScan(OpTable &table, StringRef name, double floatIdentity, FloatCombine onFloats,
                    IntegerIdentity integerIdentity, IntegerCombine onIntegers) {
  table[name] = [=](OpContext &context) -> LogicalResult {
    ElementKind from = context.operand(0).getKind();
    ElementKind to = getElementKind(context.resultElementType());
    if (to == ElementKind::Float && from == ElementKind::Float)
      return context.setComputed(scan<double, double>(context, floatIdentity, onFloats));
    if (to == ElementKind::Float && from == ElementKind::Integer)
      return context.setComputed(scan<int64_t, double>(context, floatIdentity, onFloats));
    if (to == ElementKind::Integer && from == ElementKind::Integer)
      return context.setComputed(scan<int64_t, int64_t>(
          context, integerIdentity(context.resultElementType().getIntOrFloatBitWidth()),
          onIntegers));
    if constexpr (std::is_invocable_v<FloatCombine, std::complex<double>, std::complex<double>>) {
      using Complex = std::complex<double>;
      if (to == ElementKind::Complex && from == ElementKind::Complex)
        return context.setComputed(scan<Complex, Complex>(context, floatIdentity, onFloats));
      if (to == ElementKind::Complex && from == ElementKind::Float)
        return context.setComputed(scan<double, Complex>(context, floatIdentity, onFloats));
      if (to == ElementKind::Complex)
        return context.setComputed(scan<int64_t, Complex>(context, floatIdentity, onFloats));
    }
    llvm_unreachable("the op's verifier knows no other element types");
  };
}

/// log(exp(a) + exp(b))
static double addExponentials(double a, double b) {
  if (std::isinf(a) && a == b)
    return a;
  return maximum(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

void fuser::reference::addScanOps(OpTable &table) {
  const double infinity = std::numeric_limits<double>::infinity();
  addScan(
      table, "fuser.cumsum", 0.0, [](auto a, auto b) { return a + b; },
      [](unsigned) { return int64_t(0); }, wrapAdd);
  addScan(
      table, "fuser.cumprod", 1.0, [](auto a, auto b) { return a * b; },
      [](unsigned) { return int64_t(1); }, wrapMul);
  addScan(table, "fuser.cummax", -infinity, maximum, leastInteger,
          [](int64_t a, int64_t b) { return std::max(a, b); });
  addScan(table, "fuser.cummin", infinity, minimum, greatestInteger,
          [](int64_t a, int64_t b) { return std::min(a, b); });
  table["fuser.logcumsumexp"] = [=](OpContext &context) {
    return context.setComputed(scan<double, double>(context, -infinity, addExponentials));
  };
}
