//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arithmetic on single elements, as PyTorch defines it and without undefined behavior.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_ARITHMETIC_H
#define FUSER_LIB_REFERENCE_ARITHMETIC_H

#include "fuser/Reference/Tensor.h"

#include <cmath>
#include <limits>

namespace fuser::reference {

// Integers wrap around; the caller wraps the result to the width of its type.
inline int64_t wrapAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
inline int64_t wrapSub(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
inline int64_t wrapMul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }

// Divisions by a nonzero number. Division by -1 is negation, which wraps.
inline int64_t truncDiv(int64_t a, int64_t b) { return b == -1 ? wrapSub(0, a) : a / b; }
inline int64_t truncMod(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
inline int64_t floorDiv(int64_t a, int64_t b) {
  return truncDiv(a, b) - (truncMod(a, b) != 0 && (a < 0) != (b < 0));
}

/// The larger of two numbers; NaN if either is; +0 is larger than -0.
inline double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
/// The smaller of two numbers; NaN if either is; -0 is smaller than +0.
inline double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The least and the greatest integer of a width; of i1, false and true.
inline int64_t leastInteger(unsigned width) {
  return width == 1 ? 0 : int64_t(~uint64_t(0) << (width - 1));
}
inline int64_t greatestInteger(unsigned width) { return width == 1 ? 1 : ~leastInteger(width); }

/// Converts a float to an integer of `type`: truncated toward zero, saturated if out of range, 0
/// for NaN; for i1, whether it differs from 0 (NaN does).
inline int64_t truncateToInteger(double value, mlir::Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1)
    return value != 0;
  if (std::isnan(value))
    return 0;
  const double limit = std::ldexp(1.0, int(width) - 1);
  if (value >= limit)
    return int64_t((uint64_t(1) << (width - 1)) - 1);
  if (value < -limit)
    return width == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t(1) << (width - 1));
  return int64_t(value);
}

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_ARITHMETIC_H
