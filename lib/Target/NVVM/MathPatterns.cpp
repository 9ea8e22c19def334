//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arithmetic whose upstream lowering to NVVM is inexact, needs libdevice unnecessarily, or ends in
// an intrinsic that the backend cannot select.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::ApproxFunction;
using fuser::kernel_ir::ApproxOp;

/// Calls `convert` on every 1-D piece of a vector of more dimensions, else once.
static LogicalResult convertPieces(Operation *op, ValueRange operands,
                                   const LLVMTypeConverter &converter,
                                   ConversionPatternRewriter &rewriter,
                                   std::function<Value(Type type, ValueRange operands)> convert) {
  if (isa<LLVM::LLVMArrayType>(operands.front().getType()))
    return LLVM::detail::handleMultidimensionalVectors(op, operands, converter, convert, rewriter);
  rewriter.replaceOp(op, convert(converter.convertType(op->getResult(0).getType()), operands));
  return success();
}

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

template <typename Source, typename Target>
using Intrinsic = VectorConvertToLLVMPattern<Source, Target, arith::AttrConvertFastMathToLLVM>;

namespace {
/// Integer intrinsics with a flag for an undefined result at one input.
template <typename Source, typename Target> struct BitIntrinsic : ConvertOpToLLVMPattern<Source> {
  using ConvertOpToLLVMPattern<Source>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return convertPieces(op, adaptor.getOperands(), *this->getTypeConverter(), rewriter,
                         [&](Type type, ValueRange operands) -> Value {
                           return Target::create(rewriter, op.getLoc(), type, operands.front(),
                                                 /*undefined for one input=*/false);
                         });
  }
};

/// isnan, isinf and isfinite as one comparison.
template <typename Source, LLVM::FCmpPredicate predicate, bool withInfinity>
struct Classification : ConvertOpToLLVMPattern<Source> {
  using ConvertOpToLLVMPattern<Source>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto compare = [&](Type type, ValueRange operands) -> Value {
      Value lhs = operands.front(), rhs = lhs;
      if (withInfinity) {
        auto element = cast<FloatType>(getElementTypeOrSelf(lhs.getType()));
        TypedAttr infinity = FloatAttr::get(element, APFloat::getInf(element.getFloatSemantics()));
        if (auto vector = dyn_cast<VectorType>(lhs.getType()))
          infinity = DenseElementsAttr::get(vector, infinity);
        lhs = LLVM::FAbsOp::create(rewriter, loc, lhs);
        rhs = LLVM::ConstantOp::create(rewriter, loc, lhs.getType(), infinity);
      }
      return LLVM::FCmpOp::create(rewriter, loc, type, predicate, lhs, rhs);
    };
    return convertPieces(op, adaptor.getOperands(), *this->getTypeConverter(), rewriter, compare);
  }
};

/// Both halves of a product as the instruction that has them. LLVM would see 64 bits, move what is
/// done to one half to all of them, and search for bits that are known in chains of products:
/// random numbers are twenty of them.
struct WideProduct : ConvertOpToLLVMPattern<arith::MulUIExtendedOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(arith::MulUIExtendedOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Type type = op.getLow().getType();
    if (!type.isInteger(32))
      return rewriter.notifyMatchFailure(op, "expected a product of i32");
    Location loc = op.getLoc();
    auto halves = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {type, type});
    Value product =
        emitPTX(
            rewriter, loc, halves, adaptor.getOperands(),
            "{ .reg .b64 %product; mul.wide.u32 %product, $2, $3; mov.b64 {$0, $1}, %product; }",
            "=r,=r,r,r", /*hasSideEffects=*/false)
            .getResult(0);
    rewriter.replaceOp(op, {LLVM::ExtractValueOp::create(rewriter, loc, product, 0),
                            LLVM::ExtractValueOp::create(rewriter, loc, product, 1)});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Approximate
//===----------------------------------------------------------------------===//

/// One instruction per element.
struct ApproxLowering : ConvertOpToLLVMPattern<ApproxOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(ApproxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto convert = [&](Type type, ValueRange operands) -> Value {
      return convertFlat(op, type, operands.front(), rewriter);
    };
    return convertPieces(op, adaptor.getOperands(), *getTypeConverter(), rewriter, convert);
  }

private:
  static Value convertFlat(ApproxOp op, Type type, Value operand, OpBuilder &builder) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return convertScalar(op, operand, builder);
    Location loc = op.getLoc();
    Value result = LLVM::PoisonOp::create(builder, loc, type);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value position = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), i);
      Value element = LLVM::ExtractElementOp::create(builder, loc, operand, position);
      result = LLVM::InsertElementOp::create(builder, loc, result,
                                             convertScalar(op, element, builder), position);
    }
    return result;
  }

  /// The intrinsic of the functions that have one for both values of ftz.
  static StringRef intrinsic(ApproxFunction function, bool ftz) {
    switch (function) {
    case ApproxFunction::Exp2:
      return ftz ? "llvm.nvvm.ex2.approx.ftz.f32" : "llvm.nvvm.ex2.approx.f32";
    case ApproxFunction::Log2:
      return ftz ? "llvm.nvvm.lg2.approx.ftz.f" : "llvm.nvvm.lg2.approx.f";
    case ApproxFunction::Rsqrt:
      return ftz ? "llvm.nvvm.rsqrt.approx.ftz.f" : "llvm.nvvm.rsqrt.approx.f";
    case ApproxFunction::Sqrt:
      return ftz ? "llvm.nvvm.sqrt.approx.ftz.f" : "llvm.nvvm.sqrt.approx.f";
    case ApproxFunction::Sin:
      return ftz ? "llvm.nvvm.sin.approx.ftz.f" : "llvm.nvvm.sin.approx.f";
    case ApproxFunction::Cos:
      return ftz ? "llvm.nvvm.cos.approx.ftz.f" : "llvm.nvvm.cos.approx.f";
    case ApproxFunction::Rcp:
      return ftz ? "llvm.nvvm.rcp.approx.ftz.f" : "";
    case ApproxFunction::Tanh:
      return "";
    }
    return "";
  }

  static Value convertScalar(ApproxOp op, Value operand, OpBuilder &builder) {
    Location loc = op.getLoc();
    Type type = operand.getType();
    StringRef name = intrinsic(op.getFunction(), op.getFtz());
    if (!name.empty())
      return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), operand)
          .getResults();
    auto approximate = LLVM::FastmathFlags::afn | LLVM::FastmathFlags::arcp;
    if (op.getFunction() == ApproxFunction::Tanh)
      return LLVM::TanhOp::create(builder, loc, operand, LLVM::FastmathFlags::afn);
    Value one = LLVM::ConstantOp::create(builder, loc, type, builder.getF32FloatAttr(1.0f));
    return LLVM::FDivOp::create(builder, loc, one, operand, approximate);
  }
};
} // namespace

void fuser::nvvm::populateMathPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<
      // libdevice provides these as well, but would have to be linked.
      Intrinsic<math::AbsFOp, LLVM::FAbsOp>, Intrinsic<math::CeilOp, LLVM::FCeilOp>,
      Intrinsic<math::CopySignOp, LLVM::CopySignOp>, Intrinsic<math::FloorOp, LLVM::FFloorOp>,
      Intrinsic<math::FmaOp, LLVM::FMAOp>, Intrinsic<math::RoundEvenOp, LLVM::RoundEvenOp>,
      Intrinsic<math::TruncOp, LLVM::FTruncOp>,
      // libdevice's square root is approximate.
      Intrinsic<math::SqrtOp, LLVM::SqrtOp>,
      // libdevice's fmax and fmin would remain calls.
      Intrinsic<arith::MaxNumFOp, LLVM::MaxNumOp>, Intrinsic<arith::MinNumFOp, LLVM::MinNumOp>,
      VectorConvertToLLVMPattern<math::CtPopOp, LLVM::CtPopOp>,
      BitIntrinsic<math::AbsIOp, LLVM::AbsOp>,
      BitIntrinsic<math::CountLeadingZerosOp, LLVM::CountLeadingZerosOp>,
      BitIntrinsic<math::CountTrailingZerosOp, LLVM::CountTrailingZerosOp>,
      Classification<math::IsNaNOp, LLVM::FCmpPredicate::uno, false>,
      Classification<math::IsInfOp, LLVM::FCmpPredicate::oeq, true>,
      Classification<math::IsFiniteOp, LLVM::FCmpPredicate::olt, true>, WideProduct,
      ApproxLowering>(converter, kOurBenefit);
}
