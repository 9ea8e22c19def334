//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Asynchronous copies, which the scheduler does when a thread waits for them.
//===----------------------------------------------------------------------===//
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;
using kernel_ir::CopyAsyncOp;
using kernel_ir::CopyCommitOp;
using kernel_ir::CopyWaitOp;

namespace {

struct CopyAsync : ConvertOpToLLVMPattern<CopyAsyncOp> {
  CopyAsync(const LLVMTypeConverter &converter, KernelFacts &facts, bool check)
      : ConvertOpToLLVMPattern(converter), facts(facts), check(check) {}

  LogicalResult matchAndRewrite(CopyAsyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto targetType = cast<MemRefType>(op.getTarget().getType());
    Value source = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getSource().getType()),
                                        adaptor.getSource(), adaptor.getSourceIndices());
    Value target = getStridedElementPtr(rewriter, loc, targetType, adaptor.getTarget(),
                                        adaptor.getTargetIndices());
    const int64_t bytes = op.getBytes();
    if (isCheckedAccess(op) && targetType.hasStaticShape())
      emitIndexChecks(rewriter, op, targetType, adaptor.getTargetIndices(), op.getCount(), facts);
    if (check)
      for (Value address : {source, target})
        emitAlignmentCheck(rewriter, op, address, bytes, facts);
    Type i64 = rewriter.getI64Type();
    auto constant = [&](int64_t value) { return constantI32(rewriter, loc, value); };
    Value memory = getMemoryNumber(rewriter, op, facts);
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kCopyAsyncFn,
                         ValueRange{getThreadContext(op), constant(facts.addSite(op)), memory,
                                    LLVM::PtrToIntOp::create(rewriter, loc, i64, source),
                                    LLVM::PtrToIntOp::create(rewriter, loc, i64, target),
                                    constant(bytes),
                                    getExistingBytes(op, adaptor.getExisting(), rewriter)});
    rewriter.eraseOp(op);
    return success();
  }

private:
  static Value getExistingBytes(CopyAsyncOp op, Value existing, OpBuilder &builder) {
    Location loc = op.getLoc();
    if (!existing)
      return constantI32(builder, loc, op.getBytes());
    if (existing.getType() != builder.getI32Type())
      existing = LLVM::TruncOp::create(builder, loc, builder.getI32Type(), existing);
    return LLVM::MulOp::create(builder, loc, existing,
                               constantI32(builder, loc, op.getBytes() / op.getCount()));
  }

  KernelFacts &facts;
  bool check;
};

} // namespace

void fuser::host::populateCopyPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns, KernelFacts &facts,
                                       bool checkAlignment) {
  patterns.add<CopyAsync>(converter, facts, checkAlignment);
  patterns.add<ContextCall<CopyCommitOp>>(converter, kCopyCommitFn);
  patterns.add<PendingCall<CopyWaitOp>>(converter, kCopyWaitFn);
}
