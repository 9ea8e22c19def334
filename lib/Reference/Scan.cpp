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

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

/// Computes each element of the result from the previous one along `dim` and the operand's element,
/// both as T; the first one only from the operand. S is the type of the operand's elements.
template <typename S, typename T, typename Combine>
static Tensor scan(OpContext &context, Combine combine) {
  const Tensor &input = context.operand(0);
  const int64_t dim = context.getOp()->getAttrOfType<IntegerAttr>("dim").getInt();
  const int64_t size = input.getDimSize(dim), stride = input.getStrides()[dim];
  Tensor result(context.resultElementType(), input.getShape());
  std::vector<T> &out = result.values<T>();
  const std::vector<S> &in = input.values<S>();
  for (int64_t i = 0, count = input.getNumElements(); i < count; ++i) {
    bool isFirst = i / stride % size == 0;
    out[i] = isFirst ? T(in[i]) : combine(out[i - stride], T(in[i]));
  }
  return result;
}

template <typename FloatCombine, typename IntegerCombine>
static void addScan(OpTable &table, StringRef name, FloatCombine onFloats,
                    IntegerCombine onIntegers) {
  table[name] = [=](OpContext &context) -> LogicalResult {
    ElementKind from = context.operand(0).getKind();
    ElementKind to = getElementKind(context.resultElementType());
    if (to == ElementKind::Float && from == ElementKind::Float)
      return context.setComputed(scan<double, double>(context, onFloats));
    if (to == ElementKind::Float && from == ElementKind::Integer)
      return context.setComputed(scan<int64_t, double>(context, onFloats));
    if (to == ElementKind::Integer && from == ElementKind::Integer)
      return context.setComputed(scan<int64_t, int64_t>(context, onIntegers));
    if constexpr (std::is_invocable_v<FloatCombine, std::complex<double>, std::complex<double>>) {
      using Complex = std::complex<double>;
      if (to == ElementKind::Complex && from == ElementKind::Complex)
        return context.setComputed(scan<Complex, Complex>(context, onFloats));
      if (to == ElementKind::Complex && from == ElementKind::Float)
        return context.setComputed(scan<double, Complex>(context, onFloats));
      if (to == ElementKind::Complex)
        return context.setComputed(scan<int64_t, Complex>(context, onFloats));
    }
    llvm_unreachable("the op's verifier knows no other element types");
  };
}

void fuser::reference::addScanOps(OpTable &table) {
  addScan(table, "fuser.cumsum", [](auto a, auto b) { return a + b; }, wrapAdd);
  addScan(table, "fuser.cumprod", [](auto a, auto b) { return a * b; }, wrapMul);
  addScan(table, "fuser.cummax", maximum, [](int64_t a, int64_t b) { return std::max(a, b); });
  addScan(table, "fuser.cummin", minimum, [](int64_t a, int64_t b) { return std::min(a, b); });
}
