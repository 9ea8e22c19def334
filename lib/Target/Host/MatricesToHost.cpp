//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Matrix instructions: calls in which the lanes of a warp meet.
//===----------------------------------------------------------------------===//

#include "ContextFields.h"
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;
using kernel_ir::LdMatrixOp;
using kernel_ir::MmaOp;
using kernel_ir::StMatrixOp;

/// The rows of a matrix that is loaded or stored, and the elements of a row.
static constexpr int64_t kMatrix = 8;

/// A call that returns what the lane has of a matrix.
static Value callForFragment(OpBuilder &builder, Operation *op, StringRef function, Type type,
                             ArrayRef<Value> arguments) {
  Location loc = op->getLoc();
  Type i64 = builder.getI64Type();
  Type words = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i64, i64});
  Value result = LLVM::CallOp::create(builder, loc, words, function, arguments).getResult();
  SmallVector<Value> chunks;
  const int64_t bits =
      cast<VectorType>(type).getNumElements() * cast<VectorType>(type).getElementTypeBitWidth();
  for (int64_t word = 0; word * 64 < bits; ++word)
    chunks.push_back(LLVM::ExtractValueOp::create(builder, loc, result, word));
  return joinPayload(builder, loc, type, chunks);
}

/// The indices that a lane names, 0 in lanes whose addresses are not used.
template <typename Op>
static SmallVector<Value> getUsedIndices(OpBuilder &builder, Op op, ValueRange indices) {
  Location loc = op.getLoc();
  Value lane = loadContextField(builder, loc, op->template getParentOfType<LLVM::LLVMFuncOp>(),
                                builder.getI32Type(), offsetof(fuser_host_context, lane_id));
  Value isUsed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, lane,
                                      constantI32(builder, loc, kMatrix * op.getNumMatrices()));
  SmallVector<Value> used;
  for (Value index : indices) {
    Value zero = LLVM::ConstantOp::create(builder, loc, index.getType(),
                                          builder.getIntegerAttr(index.getType(), 0));
    used.push_back(LLVM::SelectOp::create(builder, loc, isUsed, index, zero));
  }
  return used;
}

namespace {
/// Common to loads and stores of matrices: the address of a row, and what a call begins with.
template <typename Op> struct MatrixAccess : ConvertOpToLLVMPattern<Op> {
  MatrixAccess(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern<Op>(converter), facts(facts) {}

protected:
  SmallVector<Value> getArguments(Op op, Value base, ValueRange indices,
                                  ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    auto memory = cast<MemRefType>(op.getBase().getType());
    if (isCheckedAccess(op) && memory.hasStaticShape())
      emitIndexChecks(rewriter, op, memory, getUsedIndices(rewriter, op, indices), kMatrix, facts);
    Value address = this->getStridedElementPtr(rewriter, loc, memory, base, indices);
    auto constant = [&](uint32_t value) { return constantI32(rewriter, loc, value); };
    Value number = getMemoryNumber(rewriter, op, facts);
    return {getThreadContext(op),
            constant(facts.addSite(op)),
            number,
            constant(op.getNumMatrices()),
            constant(op.getTransposed()),
            LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), address)};
  }

  KernelFacts &facts;
};

struct LdMatrix : MatrixAccess<LdMatrixOp> {
  using MatrixAccess::MatrixAccess;

  LogicalResult matchAndRewrite(LdMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op,
        callForFragment(rewriter, op, kLdMatrixFn, getTypeConverter()->convertType(op.getType()),
                        getArguments(op, adaptor.getBase(), adaptor.getIndices(), rewriter)));
    return success();
  }
};

struct StMatrix : MatrixAccess<StMatrixOp> {
  using MatrixAccess::MatrixAccess;

  LogicalResult matchAndRewrite(StMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments =
        getArguments(op, adaptor.getBase(), adaptor.getIndices(), rewriter);
    SmallVector<Value> words = splitPayload(rewriter, loc, adaptor.getValue());
    words.resize(2, LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                             rewriter.getI64IntegerAttr(0)));
    llvm::append_range(arguments, words);
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kStMatrixFn, arguments);
    rewriter.eraseOp(op);
    return success();
  }
};

struct Mma : ConvertOpToLLVMPattern<MmaOp> {
  Mma(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}

  LogicalResult matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const bool isHalf = cast<VectorType>(op.getLhs().getType()).getElementType().isF16();
    auto constant = [&](uint32_t value) { return constantI32(rewriter, loc, value); };
    SmallVector<Value> arguments = {getThreadContext(op), constant(facts.addSite(op)),
                                    constant(isHalf ? FUSER_HOST_F16 : FUSER_HOST_BF16),
                                    constant(op.getK())};
    auto add = [&](Value value, unsigned numWords) {
      SmallVector<Value> words = splitPayload(rewriter, loc, value);
      while (words.size() < numWords)
        words.push_back(LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                                 rewriter.getI64IntegerAttr(0)));
      llvm::append_range(arguments, words);
    };
    add(adaptor.getLhs(), 2);
    add(adaptor.getRhs(), 1);
    add(adaptor.getAccumulator(), 2);
    rewriter.replaceOp(op,
                       callForFragment(rewriter, op, kMmaFn,
                                       getTypeConverter()->convertType(op.getType()), arguments));
    return success();
  }

private:
  KernelFacts &facts;
};
} // namespace

void fuser::host::populateMatrixPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns, KernelFacts &facts) {
  patterns.add<LdMatrix, StMatrix, Mma>(converter, facts);
}
