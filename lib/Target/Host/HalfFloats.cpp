//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/Float8AsBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

LogicalResult fuser::host::computeHalvesInSingle(Operation *root) {
  MLIRContext *context = root->getContext();
  Type bf16 = BFloat16Type::get(context), f16 = Float16Type::get(context);
  Type f32 = Float32Type::get(context);
  {
    TypeConverter converter;
    SetVector<Type> supported;
    supported.insert(f32);
    supported.insert(Float64Type::get(context));
    math::populateExtendToSupportedTypesTypeConverter(converter, supported, f32);
    RewritePatternSet patterns(context);
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    ConversionTarget target(*context);
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    if (failed(applyPartialConversion(root, target, std::move(patterns))))
      return failure();
  }
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, {bf16, f16}, f32);
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();
  // The emulation allows LLVM to skip the rounding between two ops; the GPU always rounds.
  root->walk([](Operation *op) {
    if (auto trunc = dyn_cast<arith::TruncFOp>(op); trunc && isHalf(trunc.getType()))
      trunc.setFastmath(arith::FastMathFlags::none);
    else if (auto ext = dyn_cast<arith::ExtFOp>(op); ext && isHalf(ext.getIn().getType()))
      ext.setFastmath(arith::FastMathFlags::none);
  });
  return success();
}

static Type withElement(Type type, Type element) {
  if (auto vectorType = dyn_cast<VectorType>(type))
    return vectorType.clone(element);
  return element;
}

namespace {

/// f64 to bf16 or f16 through f32 *rounded to odd*: f32 has more than two additional bits compared
/// to either half type, so that the second rounding gives the result of a single rounding.
struct TruncateDoubleOnce : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Value in = op.getIn();
    if (!getElementTypeOrSelf(in.getType()).isF64() || !isHalf(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a conversion from f64 to a half type");
    Location loc = op.getLoc();
    Type f64 = in.getType();
    Type f32 = withElement(f64, rewriter.getF32Type());
    Type i32 = withElement(f64, rewriter.getI32Type());
    Value nearest = arith::TruncFOp::create(rewriter, loc, f32, in);
    Value back = arith::ExtFOp::create(rewriter, loc, f64, nearest);
    Value bits = arith::BitcastOp::create(rewriter, loc, i32, nearest);
    // If it rounded away from zero, step back by one; then set the last bit of an inexact result.
    Value away = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGT,
                                       math::AbsFOp::create(rewriter, loc, back),
                                       math::AbsFOp::create(rewriter, loc, in));
    Value one = fuser::kernel_ir::createConstant(rewriter, loc, i32, APInt(32, 1));
    Value lower = arith::SubIOp::create(rewriter, loc, bits, one);
    Value truncated = arith::SelectOp::create(rewriter, loc, away, lower, bits);
    Value odd = arith::OrIOp::create(rewriter, loc, truncated, one);
    Value inexact = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::ONE, back, in);
    Value chosen = arith::SelectOp::create(rewriter, loc, inexact, odd, bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(), arith::BitcastOp::create(rewriter, loc, f32, chosen));
    return success();
  }
};

} // namespace

LogicalResult fuser::host::expandHalfConversions(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<TruncateDoubleOnce>(root->getContext(), /*benefit=*/2);
  arith::populateExpandBFloat16Patterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(root, std::move(patterns), config);
}

/// LLVM's x86 backend tries to round a bf16 that only passes through a phi or a shuffle, by a
/// library function that no host has.
void fuser::host::carryBF16AsBits(Operation *root) {
  kernel_ir::replaceFloatsByBits(root, [](Type type) { return type.isBF16(); });
}
