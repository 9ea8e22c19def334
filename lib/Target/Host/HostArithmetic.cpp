//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace {

/// Upstream's lowering gives poison for values out of range; this one saturates.
template <typename Op> struct SaturatingToInteger : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (!type || isa<LLVM::LLVMArrayType>(type))
      return rewriter.notifyMatchFailure(op, "expected a scalar or a vector of one dimension");
    StringRef name = std::is_same_v<Op, arith::FPToSIOp> ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, type, rewriter.getStringAttr(name),
                                                       adaptor.getOperands());
    return success();
  }
};

/// Computes x to an integer power by pow: upstream's llvm.powi needs a compiler runtime library.
struct IntegerPowerAsPow : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Value exponent = arith::SIToFPOp::create(rewriter, op.getLoc(), op.getType(), op.getRhs());
    rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), exponent, op.getFastmath());
    return success();
  }
};

} // namespace

void fuser::host::populateHostArithmeticPatterns(const LLVMTypeConverter &converter,
                                                 RewritePatternSet &patterns) {
  patterns.add<SaturatingToInteger<arith::FPToSIOp>, SaturatingToInteger<arith::FPToUIOp>>(
      converter, /*benefit=*/3);
  patterns.add<IntegerPowerAsPow>(patterns.getContext(), /*benefit=*/3);
}

LogicalResult fuser::host::callMathLibrary(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalOp<math::ErfOp, math::ErfcOp, math::ExpM1Op, math::Log1pOp, math::CbrtOp,
                      math::AcoshOp, math::AsinhOp, math::AtanhOp>();
  return applyPartialConversion(root, target, std::move(patterns));
}
