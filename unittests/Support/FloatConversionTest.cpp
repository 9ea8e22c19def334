//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every value of every format, and random doubles, against LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#include "fuser/Support/FloatConversion.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace fuser;
using llvm::APFloat;

namespace {

struct FormatCase {
  const char *name;
  FloatFormat format;
  const llvm::fltSemantics &semantics;
};

const FormatCase kFormats[] = {{"f16", kF16, APFloat::IEEEhalf()},
                               {"bf16", kBF16, APFloat::BFloat()},
                               {"f8e5m2", kF8E5M2, APFloat::Float8E5M2()},
                               {"f8e4m3fn", kF8E4M3FN, APFloat::Float8E4M3FN()},
                               {"f32", kF32, APFloat::IEEEsingle()}};

double decodeWithLLVM(uint32_t bits, const FormatCase &test) {
  APFloat value(test.semantics, llvm::APInt(test.format.bits(), bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

uint32_t encodeWithLLVM(double number, const FormatCase &test) {
  APFloat value(number);
  bool losesInfo;
  value.convert(test.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

void expectSame(double expected, double actual, const char *name, uint32_t bits) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(actual)) << name << " " << bits << ": " << actual;
  else
    EXPECT_EQ(bitsOf(expected), bitsOf(actual))
        << name << " " << bits << ": expected " << expected << ", but got " << actual;
}

TEST(FloatConversion, DecodesAndEncodesEveryValueOfNarrowFormats) {
  for (const FormatCase &test : kFormats) {
    if (test.format.bits() > 16)
      continue;
    for (uint32_t bits = 0; bits < (1u << test.format.bits()); ++bits) {
      double value = decodeFloat(bits, test.format);
      expectSame(decodeWithLLVM(bits, test), value, test.name, bits);
      if (!std::isnan(value))
        EXPECT_EQ(bits, encodeFloat(value, test.format)) << test.name;
      else
        EXPECT_TRUE(std::isnan(decodeFloat(encodeFloat(value, test.format), test.format)));
    }
  }
}

TEST(FloatConversion, RoundsPointsBetweenNeighboursToEven) {
  for (const FormatCase &test : kFormats) {
    if (test.format.bits() > 16)
      continue;
    for (uint32_t bits = 0; bits + 1 < (1u << (test.format.bits() - 1)); ++bits) {
      double low = decodeFloat(bits, test.format), high = decodeFloat(bits + 1, test.format);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = (low + high) / 2;
      uint32_t even = bits & 1 ? bits + 1 : bits;
      EXPECT_EQ(even, encodeFloat(middle, test.format)) << test.name << " " << bits;
      EXPECT_EQ(bits, encodeFloat(std::nextafter(middle, 0.0), test.format));
      EXPECT_EQ(bits + 1, encodeFloat(std::nextafter(middle, high), test.format));
    }
  }
}

TEST(FloatConversion, EncodesRandomDoublesAsLLVMDoes) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> exponents(-160, 160);
  std::uniform_real_distribution<double> mantissas(-2.0, 2.0);
  for (const FormatCase &test : kFormats)
    for (int i = 0; i < 100000; ++i) {
      double value = std::ldexp(mantissas(random), exponents(random));
      uint32_t expected = encodeWithLLVM(value, test), actual = encodeFloat(value, test.format);
      ASSERT_EQ(expected, actual) << test.name << " " << value;
      expectSame(decodeWithLLVM(expected, test), roundToFormat(value, test.format), test.name,
                 actual);
    }
}

TEST(FloatConversion, KeepsSignsAndOverflowsAtTheLargestValue) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(0x8000u, encodeFloat(-0.0, kBF16));
  EXPECT_EQ(0xff80u, encodeFloat(-infinity, kBF16));
  EXPECT_EQ(0x7c00u, encodeFloat(65520.0, kF16)) << "the tie above 65504 rounds to infinity";
  EXPECT_EQ(0x7bffu, encodeFloat(std::nextafter(65520.0, 0.0), kF16));
  EXPECT_EQ(0x7fu, encodeFloat(infinity, kF8E4M3FN)) << "no infinity: NaN";
  EXPECT_EQ(0x7eu, encodeFloat(464.0, kF8E4M3FN)) << "the tie above 448 rounds to even";
  EXPECT_EQ(0x7fu, encodeFloat(465.0, kF8E4M3FN));
  EXPECT_EQ(0u, encodeFloat(std::numeric_limits<double>::denorm_min(), kF32));
}

} // namespace
