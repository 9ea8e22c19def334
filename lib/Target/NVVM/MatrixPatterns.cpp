//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns for fuser_gpu.ldmatrix, stmatrix and mma.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using namespace fuser::kernel_ir;

static constexpr unsigned kFirstChipWithLoads = 80, kFirstChipWithStores = 90;

/// The fields of a struct of registers, or the one register.
static SmallVector<Value> getFields(OpBuilder &builder, Location loc, Value registers) {
  auto type = dyn_cast<LLVM::LLVMStructType>(registers.getType());
  if (!type)
    return {registers};
  SmallVector<Value> fields;
  for (int64_t field = 0, e = type.getBody().size(); field < e; ++field)
    fields.push_back(LLVM::ExtractValueOp::create(builder, loc, registers, field));
  return fields;
}

namespace {
struct LdMatrixLowering : ConvertOpToLLVMPattern<LdMatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(LdMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Value address = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                         adaptor.getBase(), adaptor.getIndices());
    const unsigned count = op.getNumMatrices();
    Type i32 = rewriter.getI32Type();
    Type registers =
        count == 1 ? i32 : LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(count, i32));
    Value loaded = NVVM::LdMatrixOp::create(
        rewriter, loc, registers, address, count,
        op.getTransposed() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(context, 8, 8), NVVM::LdStMatrixEltType::B16);
    rewriter.replaceOp(op, LLVM::composeValue(rewriter, loc, getFields(rewriter, loc, loaded),
                                              getTypeConverter()->convertType(op.getType())));
    return success();
  }
};

struct StMatrixLowering : ConvertOpToLLVMPattern<StMatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(StMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Value address = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                         adaptor.getBase(), adaptor.getIndices());
    SmallVector<Value> registers =
        LLVM::decomposeValue(rewriter, loc, adaptor.getValue(), rewriter.getI32Type());
    NVVM::StMatrixOp::create(
        rewriter, loc, address, registers,
        NVVM::MMALayoutAttr::get(context,
                                 op.getTransposed() ? NVVM::MMALayout::col : NVVM::MMALayout::row),
        NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(context, NVVM::LdStMatrixEltType::B16));
    rewriter.eraseOp(op);
    return success();
  }
};

struct MmaLowering : ConvertOpToLLVMPattern<MmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type f32 = rewriter.getF32Type();
    const bool isHalf = cast<VectorType>(op.getLhs().getType()).getElementType().isF16();
    auto split = [&](Value value, Type part) {
      return LLVM::decomposeValue(rewriter, loc, value, part);
    };
    // Pairs of bf16 are integers, those of f16 are vectors.
    auto splitPairs = [&](Value value) {
      SmallVector<Value> pairs = split(value, rewriter.getI32Type());
      auto type = VectorType::get({2}, rewriter.getF16Type());
      for (Value &pair : pairs)
        if (isHalf)
          pair = LLVM::BitcastOp::create(rewriter, loc, type, pair);
      return pairs;
    };
    const NVVM::MMATypes type = isHalf ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
    Value sum = NVVM::MmaOp::create(
        rewriter, loc,
        LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {f32, f32, f32, f32}),
        splitPairs(adaptor.getLhs()), splitPairs(adaptor.getRhs()),
        split(adaptor.getAccumulator(), f32), ArrayRef<int64_t>{16, 8, op.getK()},
        /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        std::array<NVVM::MMATypes, 2>{type, type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
    rewriter.replaceOp(op, LLVM::composeValue(rewriter, loc, getFields(rewriter, loc, sum),
                                              getTypeConverter()->convertType(op.getType())));
    return success();
  }
};
} // namespace

void fuser::nvvm::populateMatrixPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LdMatrixLowering, StMatrixLowering, MmaLowering>(converter, kOurBenefit);
}

LogicalResult fuser::nvvm::verifyMatrices(gpu::GPUModuleOp module, StringRef chip) {
  if (failed(verifyChip(module, chip, kFirstChipWithStores, "this instruction",
                        llvm::IsaPred<StMatrixOp>)))
    return failure();
  return verifyChip(module, chip, kFirstChipWithLoads, "this instruction",
                    llvm::IsaPred<LdMatrixOp, MmaOp>);
}
