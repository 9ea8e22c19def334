//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions by integer arithmetic on the bits of a double; no rounding mode is involved.
//
//===----------------------------------------------------------------------===//

#include "fuser/Support/FloatConversion.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace fuser;

static constexpr int kDoubleBias = 1023;
static constexpr unsigned kDoubleMantissaBits = 52;

double fuser::decodeFloat(uint32_t bits, FloatFormat format) {
  const uint32_t mantissa = bits & ((1u << format.mantissaBits) - 1);
  const uint32_t topExponent = (1u << format.exponentBits) - 1;
  const uint32_t exponent = (bits >> format.mantissaBits) & topExponent;
  const bool negative = (bits >> (format.bits() - 1)) & 1;

  double magnitude;
  if (format.hasInfinity && exponent == topExponent)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (!format.hasInfinity && exponent == topExponent &&
           mantissa == (1u << format.mantissaBits) - 1)
    magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - format.bias() - int(format.mantissaBits));
  else
    magnitude = std::ldexp(mantissa + (1u << format.mantissaBits),
                           int(exponent) - format.bias() - int(format.mantissaBits));
  return std::copysign(magnitude, negative ? -1.0 : 1.0);
}

uint32_t fuser::encodeFloat(double value, FloatFormat format) {
  uint64_t source;
  std::memcpy(&source, &value, sizeof(source));
  const uint32_t sign = uint32_t(source >> 63) << (format.bits() - 1);
  const uint32_t topExponent = (1u << format.exponentBits) - 1;
  const uint32_t infinity = topExponent << format.mantissaBits;
  const uint32_t allOnes = infinity | ((1u << format.mantissaBits) - 1);
  const uint32_t quietNaN =
      format.hasInfinity ? infinity | (1u << (format.mantissaBits - 1)) : allOnes;
  if (std::isnan(value))
    return sign | quietNaN;
  const uint32_t overflow = format.hasInfinity ? infinity : allOnes;
  if (std::isinf(value))
    return sign | overflow;

  const int exponent = int((source >> kDoubleMantissaBits) & 0x7ff) - kDoubleBias;
  // Subnormal doubles are below half of the smallest subnormal of every supported format.
  if (exponent == -kDoubleBias)
    return sign;
  const uint64_t mantissa =
      (source & ((uint64_t(1) << kDoubleMantissaBits) - 1)) | (uint64_t(1) << kDoubleMantissaBits);

  // Below the smallest normal number the mantissa loses one bit for each step of the exponent.
  int target = exponent + format.bias();
  unsigned dropped = kDoubleMantissaBits - format.mantissaBits;
  if (target < 1) {
    dropped += unsigned(1 - target);
    target = 1;
  }
  if (dropped > kDoubleMantissaBits + 1)
    return sign;
  const uint64_t half = uint64_t(1) << (dropped - 1);
  const uint64_t rest = mantissa & ((half << 1) - 1);
  uint64_t kept = mantissa >> dropped;
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;

  // The leading 1 of `kept` adds one to the exponent field, and so does a carry out of the
  // mantissa.
  const uint64_t magnitude = (uint64_t(target - 1) << format.mantissaBits) + kept;
  return sign | uint32_t(std::min<uint64_t>(magnitude, overflow));
}

double fuser::roundToFormat(double value, FloatFormat format) {
  return decodeFloat(encodeFloat(value, format), format);
}
