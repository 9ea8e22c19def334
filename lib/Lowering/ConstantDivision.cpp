//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exact divisions by constants, without the hardware's reciprocal and the branch to the slow path
// of its division. The method is that of Brisebarre, Muller and Raina (Accelerating correctly
// rounded floating-point division when the divisor is known in advance, 2004).
//
//===----------------------------------------------------------------------===//

#include "ConstantDivision.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

/// Bits of the significand of f32.
static constexpr unsigned kDigits = 24;
/// Divisors from 2^-kMaxExponent to 2^kMaxExponent have a normal `high` and `low`.
static constexpr int kMaxExponent = 64;

/// `high` is 1 / divisor, rounded toward zero, `low` the rest, rounded to nearest.
static SplitReciprocal split(float divisor) {
  float high = 1.0f / divisor;
  // The product of two f32 is exact in f64, and so is the difference.
  auto getRest = [&] { return 1.0 - double(high) * double(divisor); };
  if (getRest() < 0)
    high = std::nextafterf(high, 0.0f);
  return {high, float(getRest() / divisor)};
}

/// Calls `visit` with each significand x of which the quotient by the significand `divisor` (both
/// integers of kDigits bits) is so close to a number halfway between two f32 that the sum may round
/// it to the wrong side, until it returns false.
///
/// Before it is rounded, the sum differs from x / divisor by 2^-46 of it at most: the rounding of
/// `low` and of x * low, which is below 2^-23 of the quotient, are 2^-47 each. A number halfway is
/// m / 2^k, with an odd m of kDigits + 1 bits, k = 24 for quotients of 1 and more and 25 for
/// others. Its distance from x / divisor is |x * 2^k - m * divisor| / (2^k * divisor). It is below
/// 2^-46 * x / divisor only where x * 2^k - m * divisor = d with |d| < 8, and m follows from d by
/// the inverse of the divisor modulo 2^k.
static bool forEachHardCase(uint64_t divisor, llvm::function_ref<bool(uint64_t)> visit) {
  constexpr int64_t most = 8;
  constexpr uint64_t least = uint64_t(1) << kDigits;
  const int zeros = llvm::countr_zero(divisor);
  const uint64_t odd = divisor >> zeros;
  // Newton's iteration doubles the number of correct bits, of which an odd number has three.
  uint64_t inverse = odd;
  for (unsigned step = 0; step < 4; ++step)
    inverse *= 2 - odd * inverse;
  for (unsigned k : {kDigits, kDigits + 1}) {
    const uint64_t period = uint64_t(1) << (k - zeros);
    for (int64_t d = -most; d <= most; ++d) {
      if (d == 0 || d % (int64_t(1) << zeros) != 0)
        continue;
      uint64_t m = (uint64_t(-d / (int64_t(1) << zeros)) * inverse) % period;
      m += m < least ? llvm::alignTo(least - m, period) : 0;
      for (; m < 2 * least; m += period) {
        const uint64_t x = (m * divisor + uint64_t(d)) >> k;
        const bool isQuotient = x >= least / 2 && x < least && (x >= divisor) == (k == kDigits);
        if (m % 2 == 1 && isQuotient && !visit(x))
          return false;
      }
    }
  }
  return true;
}

std::optional<SplitReciprocal> fuser::splitReciprocal(float divisor) {
  if (!std::isfinite(divisor) || divisor == 0)
    return std::nullopt;
  int exponent = 0;
  const float significand = std::frexp(std::fabs(divisor), &exponent);
  if (std::abs(exponent) > kMaxExponent)
    return std::nullopt;
  if (significand == 0.5f)
    return SplitReciprocal{1.0f / divisor, 0.0f};
  // The exponents of quotients change nothing.
  const float scaled = std::ldexp(significand, kDigits);
  const SplitReciprocal reciprocal = split(scaled);
  const bool isExact = forEachHardCase(uint64_t(scaled), [&](uint64_t hard) {
    const float x = float(hard);
    return std::fma(x, reciprocal.high, x * reciprocal.low) == x / scaled;
  });
  return isExact ? std::optional(split(divisor)) : std::nullopt;
}

std::optional<SplitReciprocal> fuser::splitReciprocal(arith::DivFOp op) {
  if (!getElementTypeOrSelf(op.getType()).isF32())
    return std::nullopt;
  const std::optional<APFloat> divisor = getConstantFloat(op.getRhs());
  return divisor ? splitReciprocal(divisor->convertToFloat()) : std::nullopt;
}

void fuser::divideByConstants(gpu::GPUFuncOp function) {
  function.walk([](arith::DivFOp op) {
    const std::optional<SplitReciprocal> reciprocal = splitReciprocal(op);
    if (!reciprocal)
      return;
    OpBuilder builder(op);
    const Location loc = op.getLoc();
    auto constant = [&](float number) {
      return kernel_ir::createConstant(builder, loc, op.getType(), number);
    };
    Value x = op.getLhs(), high = constant(reciprocal->high);
    Value quotient;
    if (reciprocal->low == 0)
      quotient = arith::MulFOp::create(builder, loc, x, high);
    else
      quotient = math::FmaOp::create(
          builder, loc, x, high, arith::MulFOp::create(builder, loc, x, constant(reciprocal->low)));
    op.replaceAllUsesWith(quotient);
    op.erase();
  });
}
