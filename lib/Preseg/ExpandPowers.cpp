//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-expand-powers.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSEREXPANDPOWERS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The greatest exponent. Each product is rounded: the n-th power is off by (n - 1) / 2 units in
/// the last place at most, not more than what a library's power is allowed to be.
static constexpr unsigned kGreatestExponent = 8;

/// A constant exponent from 2 to kGreatestExponent; 0 for others.
static unsigned getExponent(Value value) {
  double exponent = 0;
  APFloat number(0.0);
  APInt integer;
  if (matchPattern(value, m_ConstantFloat(&number)))
    exponent = number.convertToDouble();
  else if (matchPattern(value, m_ConstantInt(&integer)))
    exponent = integer.roundToDouble(/*isSigned=*/true);
  return exponent >= 2 && exponent <= kGreatestExponent && std::floor(exponent) == exponent
             ? unsigned(exponent)
             : 0;
}

namespace {

struct ExpandPower : CountedPattern<PowOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(PowOp op, PatternRewriter &rewriter) const override {
    const unsigned exponent = getExponent(op.getRhs());
    auto element = dyn_cast<FloatType>(op.getResult().getType().getElementType());
    auto base = dyn_cast<RankedTensorType>(op.getLhs().getType());
    if (exponent == 0 || !element || !base || base.getElementType() != element)
      return rewriter.notifyMatchFailure(op, "it is no small power of real numbers");
    const Location loc = op.getLoc();
    // Narrow floats are rounded once.
    const Type computed = element.getWidth() < 32 ? Type(rewriter.getF32Type()) : Type(element);
    Value square = castElements(rewriter, loc, op.getLhs(), computed), product;
    for (unsigned rest = exponent; rest > 0; rest >>= 1) {
      if (rest & 1)
        product = product ? MulOp::create(rewriter, loc, product, square).getResult() : square;
      if (rest > 1)
        square = MulOp::create(rewriter, loc, square, square);
    }
    product = castElements(rewriter, loc, product, element);
    // The op's type may be more static than its operand.
    product.setType(op.getResult().getType());
    rewriter.replaceOp(op, product);
    return success();
  }
};

struct ExpandPowersPass : fuser::impl::FuserExpandPowersBase<ExpandPowersPass> {
  void runOnOperation() override { numExpanded += expandPowers(getOperation()); }
};

} // namespace

unsigned fuser::expandPowers(FusionOp fusion) { return applyCounted<ExpandPower>(fusion); }
