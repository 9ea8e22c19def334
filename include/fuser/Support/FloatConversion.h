//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exact conversions between double and the narrower float formats, by their bits.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_FLOATCONVERSION_H
#define FUSER_SUPPORT_FLOATCONVERSION_H

#include <cstdint>

namespace fuser {

/// A binary float format: one sign bit, then the exponent, then the mantissa without its leading 1.
struct FloatFormat {
  unsigned exponentBits;
  unsigned mantissaBits;
  /// The format has infinities and many NaNs, as in IEEE 754. Otherwise its only NaN has all bits
  /// set, and values beyond the range become NaN ("fn" formats, as PyTorch casts to them).
  bool hasInfinity = true;

  constexpr unsigned bits() const { return 1 + exponentBits + mantissaBits; }
  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
};

inline constexpr FloatFormat kF16{5, 10};
inline constexpr FloatFormat kBF16{8, 7};
inline constexpr FloatFormat kF32{8, 23};
inline constexpr FloatFormat kF8E5M2{5, 2};
inline constexpr FloatFormat kF8E4M3FN{4, 3, /*hasInfinity=*/false};

/// The value of the low `format.bits()` bits of `bits`. Exact; a NaN becomes some quiet NaN.
double decodeFloat(uint32_t bits, FloatFormat format);

/// The bits of the value of `format` nearest to `value`, ties to the even mantissa; subnormals are
/// kept. A value that rounds beyond the largest finite value becomes infinity (or NaN, see
/// FloatFormat); a NaN keeps its sign and becomes quiet.
uint32_t encodeFloat(double value, FloatFormat format);

/// `value` rounded to `format`: decodeFloat(encodeFloat(value)).
double roundToFormat(double value, FloatFormat format);

} // namespace fuser

#endif // FUSER_SUPPORT_FLOATCONVERSION_H
