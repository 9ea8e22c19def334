//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions of f32 to integers that saturate, as instructions: these saturate to 32 and 64 bits,
// convert NaN to 0 (to 32 bits), and round as is asked. Kernel IR has them as selects around
// arith.fptosi, and rounds before them.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {
/// A conversion of `source` with its selects. Where it has none for one side, values beyond it do
/// not occur: their conversion would be poison.
struct Saturation {
  arith::FPToSIOp conversion;
  Value source;
  bool hasUpper = false, hasLower = false;
};
} // namespace

/// The compared value of `value predicate constant`, with that constant.
static Value matchComparison(Value condition, arith::CmpFPredicate predicate, APFloat &constant) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == predicate &&
                 matchPattern(compare.getRhs(), m_ConstantFloat(&constant))
             ? compare.getLhs()
             : Value();
}

/// Matches one select of a bound of the type that the conversion is to.
static bool matchBound(arith::SelectOp select, Value source, bool isUpper) {
  APFloat limit(0.0f);
  APInt bound;
  const unsigned width = getElementTypeOrSelf(select.getType()).getIntOrFloatBitWidth();
  const double power = std::ldexp(1.0, int(width) - 1);
  return matchComparison(select.getCondition(),
                         isUpper ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::OLT,
                         limit) == source &&
         limit.convertToDouble() == (isUpper ? power : -power) &&
         matchPattern(select.getTrueValue(), m_ConstantInt(&bound)) &&
         (isUpper ? bound.isMaxSignedValue() : bound.isMinSignedValue());
}

/// Matches the select of 0 for NaN, and those that it contains.
static std::optional<Saturation> matchSaturation(arith::SelectOp select) {
  auto isNaN = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!isNaN || isNaN.getPredicate() != arith::CmpFPredicate::UNO ||
      isNaN.getLhs() != isNaN.getRhs() || !getElementTypeOrSelf(isNaN.getLhs()).isF32() ||
      !isa<IntegerType>(getElementTypeOrSelf(select.getType())) ||
      !matchPattern(select.getTrueValue(), m_Zero()))
    return std::nullopt;
  Saturation result;
  result.source = isNaN.getLhs();
  Value value = select.getFalseValue();
  while (auto bound = value.getDefiningOp<arith::SelectOp>()) {
    if (!result.hasLower && matchBound(bound, result.source, /*isUpper=*/false))
      result.hasLower = true;
    else if (!result.hasUpper && matchBound(bound, result.source, /*isUpper=*/true))
      result.hasUpper = true;
    else
      return std::nullopt;
    value = bound.getFalseValue();
  }
  result.conversion = value.getDefiningOp<arith::FPToSIOp>();
  if (!result.conversion || result.conversion.getIn() != result.source)
    return std::nullopt;
  return result;
}

/// The suffix of the intrinsics that round as `op`; empty for other ops.
static StringRef getRounding(Operation *op) {
  if (isa_and_nonnull<math::RoundEvenOp>(op))
    return "rn";
  if (isa_and_nonnull<math::FloorOp>(op))
    return "rm";
  if (isa_and_nonnull<math::CeilOp>(op))
    return "rp";
  return isa_and_nonnull<math::TruncOp>(op) ? "rz" : "";
}

/// Takes the rounding before a conversion off: returns its suffix. A clamp by integers commutes
/// with it.
static StringRef takeRounding(OpBuilder &builder, Value &source) {
  SmallVector<Operation *> clamps;
  Value value = source;
  while (Operation *op = value.getDefiningOp()) {
    APFloat bound(0.0f);
    if (!isa<arith::MinimumFOp, arith::MaximumFOp>(op) ||
        !matchPattern(op->getOperand(1), m_ConstantFloat(&bound)) || !bound.isInteger())
      break;
    clamps.push_back(op);
    value = op->getOperand(0);
  }
  Operation *rounded = value.getDefiningOp();
  const StringRef rounding = getRounding(rounded);
  // The rounding would remain for its other users.
  if (rounding.empty() || (!clamps.empty() && !rounded->hasOneUse()))
    return "rz";
  source = rounded->getOperand(0);
  for (Operation *clamp : llvm::reverse(clamps)) {
    IRMapping mapping;
    mapping.map(clamp->getOperand(0), source);
    source = builder.clone(*clamp, mapping)->getResult(0);
  }
  return rounding;
}

static void convert(arith::SelectOp select, const Saturation &saturation) {
  OpBuilder builder(select);
  Location loc = select.getLoc();
  Type type = select.getType();
  const unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  const bool isLong = width > 32;
  Value source = saturation.source;
  const StringRef rounding = takeRounding(builder, source);
  const Type element = isLong ? builder.getI64Type() : builder.getI32Type();
  const StringAttr name =
      builder.getStringAttr((isLong ? "llvm.nvvm.f2ll." : "llvm.nvvm.f2i.") + rounding);
  auto convertLane = [&](Value lane) -> Value {
    return LLVM::CallIntrinsicOp::create(builder, loc, element, name, lane).getResults();
  };
  Value result;
  if (auto vector = dyn_cast<VectorType>(type)) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      lanes.push_back(convertLane(vector::ExtractOp::create(builder, loc, source, lane)));
    result = vector::FromElementsOp::create(builder, loc, vector.clone(element), lanes);
  } else {
    result = convertLane(source);
  }
  if (isLong) {
    // NaN has the least integer.
    select.getFalseValueMutable().assign(result);
    return;
  }
  auto bound = [&](const APInt &value) {
    return fuser::kernel_ir::createConstant(builder, loc, result.getType(), value.sext(32));
  };
  if (width < 32) {
    if (saturation.hasUpper)
      result = arith::MinSIOp::create(builder, loc, result, bound(APInt::getSignedMaxValue(width)));
    if (saturation.hasLower)
      result = arith::MaxSIOp::create(builder, loc, result, bound(APInt::getSignedMinValue(width)));
    result = arith::TruncIOp::create(builder, loc, type, result);
  }
  select.replaceAllUsesWith(result);
  select.erase();
}

void fuser::nvvm::useSaturatingConversions(Operation *root) {
  SmallVector<std::pair<arith::SelectOp, Saturation>> conversions;
  root->walk([&](arith::SelectOp select) {
    auto vector = dyn_cast<VectorType>(select.getType());
    if (vector && (vector.getRank() != 1 || vector.isScalable()))
      return;
    if (std::optional<Saturation> saturation = matchSaturation(select))
      conversions.push_back({select, *saturation});
  });
  for (auto &[select, saturation] : conversions)
    convert(select, saturation);
}
