//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Products of matrices by warp groups: calls, which find the elements of a lane in an array.
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;
using namespace fuser::kernel_ir;

/// Bytes of an element of an operand.
static constexpr int64_t kElementBytes = 2;

/// An array of the thread that holds a vector.
static Value createArray(OpBuilder &builder, Operation *op, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
  Location loc = op->getLoc();
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                type, constantI32(builder, loc, 1));
}

namespace {
struct Wgmma : ConvertOpToLLVMPattern<WgmmaOp> {
  Wgmma(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}

  LogicalResult matchAndRewrite(WgmmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto constant = [&](uint32_t value) { return constantI32(rewriter, loc, value); };
    SmallVector<Value> arguments = {
        getThreadContext(op), constant(facts.addSite(op)),
        constant(op.getElement().isF16() ? FUSER_HOST_F16 : FUSER_HOST_BF16), constant(op.getN())};
    addOperand(op, op.getLhs(), adaptor.getLhs(), adaptor.getLhsIndices(), op.getLhsRows(),
               WgmmaOp::kRows, rewriter, arguments);
    addOperand(op, op.getRhs(), adaptor.getRhs(), adaptor.getRhsIndices(), op.getRhsRows(),
               op.getN(), rewriter, arguments);
    Type type = adaptor.getAccumulator().getType();
    Value sums = createArray(rewriter, op, type);
    LLVM::StoreOp::create(rewriter, loc, adaptor.getAccumulator(), sums);
    arguments.push_back(sums);
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kWgmmaFn, arguments);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, sums);
    return success();
  }

private:
  /// `extent`: its rows, or columns.
  void addOperand(WgmmaOp op, Value memory, Value converted, ValueRange indices, RowsAttr rows,
                  int64_t extent, ConversionPatternRewriter &rewriter,
                  SmallVectorImpl<Value> &arguments) const {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(memory.getType());
    if (isCheckedAccess(op) && type.hasStaticShape()) {
      const int64_t row = rows.getRowElements();
      const int64_t count =
          rows.getTransposed()
              ? llvm::divideCeil(extent - row, row) * rows.getPitch() + WgmmaOp::kSteps * row
              : (extent - 1) * row + WgmmaOp::kSteps;
      emitIndexChecks(rewriter, op, type, indices, count, facts);
    }
    Value address = getStridedElementPtr(rewriter, loc, type, converted, indices);
    Type i64 = rewriter.getI64Type();
    arguments.push_back(LLVM::PtrToIntOp::create(rewriter, loc, i64, address));
    arguments.push_back(constantI32(rewriter, loc, rows.getBytes()));
    arguments.push_back(constantI32(rewriter, loc, rows.getTransposed()));
    arguments.push_back(LLVM::ConstantOp::create(
        rewriter, loc, i64, rewriter.getI64IntegerAttr(kElementBytes * rows.getPitch())));
  }

  KernelFacts &facts;
};

struct WgmmaWait : ConvertOpToLLVMPattern<WgmmaWaitOp> {
  WgmmaWait(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}

  LogicalResult matchAndRewrite(WgmmaWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto constant = [&](uint32_t value) { return constantI32(rewriter, loc, value); };
    Value context = getThreadContext(op), site = constant(facts.addSite(op));
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kWgmmaWaitFn,
                         ValueRange{context, site, constant(op.getPending())});
    SmallVector<Value> results;
    for (Value product : adaptor.getProducts()) {
      Value elements = createArray(rewriter, op, product.getType());
      LLVM::StoreOp::create(rewriter, loc, product, elements);
      LLVM::CallOp::create(
          rewriter, loc, TypeRange(), kWgmmaResultFn,
          ValueRange{context, site, constant(cast<VectorType>(product.getType()).getNumElements()),
                     elements});
      results.push_back(LLVM::LoadOp::create(rewriter, loc, product.getType(), elements));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  KernelFacts &facts;
};

struct SetMaxRegisters : ConvertOpToLLVMPattern<SetMaxRegistersOp> {
  SetMaxRegisters(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}

  LogicalResult matchAndRewrite(SetMaxRegistersOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto constant = [&](uint32_t value) { return constantI32(rewriter, loc, value); };
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kSetMaxRegistersFn,
                         ValueRange{getThreadContext(op), constant(facts.addSite(op)),
                                    constant(op.getIncreases()), constant(op.getRegisters())});
    rewriter.eraseOp(op);
    return success();
  }

private:
  KernelFacts &facts;
};
} // namespace

void fuser::host::populateWarpGroupPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns, KernelFacts &facts) {
  patterns.add<Wgmma, WgmmaWait, SetMaxRegisters>(converter, facts);
  patterns.add<WaitCall<WgmmaFenceOp>>(converter, facts, kWgmmaFenceFn);
  patterns.add<WaitCall<WgmmaCommitOp>>(converter, facts, kWgmmaCommitFn);
  patterns.add<ContextCall<FenceAsyncOp>>(converter, kFenceAsyncFn);
}
