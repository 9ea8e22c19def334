//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

namespace {

/// Patterns for ops of fuser_gpu that need the kernel's facts.
template <typename Op> struct KernelOpPattern : ConvertOpToLLVMPattern<Op> {
  KernelOpPattern(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern<Op>(converter), facts(facts) {}
  KernelFacts &facts;
};

struct KernelShuffle : KernelOpPattern<kernel_ir::ShuffleOp> {
  using KernelOpPattern::KernelOpPattern;
  LogicalResult matchAndRewrite(kernel_ir::ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value width = constantI32(rewriter, op.getLoc(), op.getWidth());
    ShuffleResult result = callShuffle(rewriter, op, modeOf(op.getMode()), adaptor.getValue(),
                                       adaptor.getOffset(), width, facts);
    rewriter.replaceOp(op, result.value);
    return success();
  }

private:
  static uint32_t modeOf(kernel_ir::ShuffleMode mode) {
    switch (mode) {
    case kernel_ir::ShuffleMode::Xor:
      return FUSER_HOST_SHUFFLE_XOR;
    case kernel_ir::ShuffleMode::Up:
      return FUSER_HOST_SHUFFLE_UP;
    case kernel_ir::ShuffleMode::Down:
      return FUSER_HOST_SHUFFLE_DOWN;
    case kernel_ir::ShuffleMode::Idx:
      return FUSER_HOST_SHUFFLE_IDX;
    }
    llvm_unreachable("a shuffle mode without a host lowering");
  }
};

struct Ticket : KernelOpPattern<kernel_ir::TicketOp> {
  using KernelOpPattern::KernelOpPattern;
  LogicalResult matchAndRewrite(kernel_ir::TicketOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value address = getStridedElementPtr(rewriter, loc, op.getCounter().getType(),
                                         adaptor.getCounter(), adaptor.getIndices());
    emitAccessCheck(rewriter, op, address, rewriter.getI32Type(), FUSER_HOST_TICKET, facts);
    Value one = constantI32(rewriter, loc, 1);
    Value highest = LLVM::SubOp::create(rewriter, loc, adaptor.getParticipants(), one);
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(op, LLVM::AtomicBinOp::uinc_wrap, address,
                                                   highest, LLVM::AtomicOrdering::acq_rel);
    return success();
  }
};

/// Blocks begin in the order of the grid, each on one CPU thread, so that a block that another one
/// waits for has ended or runs on another CPU thread.
struct Await : KernelOpPattern<kernel_ir::AwaitOp> {
  using KernelOpPattern::KernelOpPattern;
  LogicalResult matchAndRewrite(kernel_ir::AwaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *wait = rewriter.createBlock(after);

    rewriter.setInsertionPointToEnd(before);
    Value address = getStridedElementPtr(rewriter, loc, op.getCounter().getType(),
                                         adaptor.getCounter(), adaptor.getIndices());
    emitAccessCheck(rewriter, op, address, i32, FUSER_HOST_AWAIT, facts);
    LLVM::BrOp::create(rewriter, loc, ValueRange(), wait);

    rewriter.setInsertionPointToEnd(wait);
    Value drawn = LLVM::LoadOp::create(rewriter, loc, i32, address, /*alignment=*/4,
                                       /*isVolatile=*/false, /*isNonTemporal=*/false,
                                       /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                       LLVM::AtomicOrdering::acquire);
    Value isZero = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, drawn,
                                        constantI32(rewriter, loc, 0));
    LLVM::CondBrOp::create(rewriter, loc, isZero, wait, after);
    rewriter.eraseOp(op);
    return success();
  }
};

struct Fence : ConvertOpToLLVMPattern<kernel_ir::FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(kernel_ir::FenceOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // A CPU has one scope, because the caches of all cores are coherent.
    rewriter.replaceOpWithNewOp<LLVM::FenceOp>(op, LLVM::AtomicOrdering::acq_rel);
    return success();
  }
};

int64_t lanesOf(Type accessed) {
  auto vector = dyn_cast<VectorType>(accessed);
  return vector ? vector.getNumElements() : 1;
}
int64_t lanesOf(kernel_ir::LoadOp op) { return lanesOf(op.getResult().getType()); }
int64_t lanesOf(kernel_ir::StoreOp op) { return lanesOf(op.getValue().getType()); }

/// A CPU ignores cache hints, but not the alignment.
template <typename Op> struct HintedAccess : KernelOpPattern<Op> {
  HintedAccess(const LLVMTypeConverter &converter, KernelFacts &facts, bool check)
      : KernelOpPattern<Op>(converter, facts), check(check) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto buffer = dyn_cast<MemRefType>(op.getBase().getType());
    if (!buffer)
      return rewriter.notifyMatchFailure(op, "expected a ranked buffer");
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    Value address = this->getStridedElementPtr(rewriter, op.getLoc(), buffer, adaptor.getBase(),
                                               adaptor.getIndices());
    uint64_t natural = elementAlignment(op, converter.convertType(buffer.getElementType()));
    emitBoundsCheck(rewriter, op, buffer, adaptor.getIndices(), lanesOf(op), this->facts);
    uint64_t stated = op.getAlignmentInBytes();
    if (check && stated > natural)
      emitAlignmentCheck(rewriter, op, address, stated, this->facts);
    if constexpr (std::is_same_v<Op, kernel_ir::LoadOp>) {
      Type type = converter.convertType(op.getResult().getType());
      bool readOnly = op.getHint() == kernel_ir::CacheHint::Nc;
      emitAccessCheck(rewriter, op, address, type,
                      readOnly ? FUSER_HOST_READ_ONLY : FUSER_HOST_READ, this->facts);
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address, natural);
    } else {
      emitAccessCheck(rewriter, op, address, adaptor.getValue().getType(), FUSER_HOST_WRITE,
                      this->facts);
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), address, natural);
    }
    return success();
  }

  bool check;
};

/// Launches run one after the other.
template <typename Op> struct NoCode : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void fuser::host::populateKernelOpPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns, KernelFacts &facts,
                                           bool checkAlignment) {
  patterns.add<Fence>(converter);
  patterns.add<KernelShuffle, Ticket, Await>(converter, facts);
  patterns.add<ContextCall<kernel_ir::WaitDependenciesOp>>(converter, kWaitDependenciesFn);
  patterns.add<NoCode<kernel_ir::LaunchDependentsOp>>(converter);
  // Only the GPU uses the counter to wait; the scheduler counts by itself and does not change the
  // counter, which is legal after a finished synchronization.
  patterns.add<WaitCall<kernel_ir::GridSyncOp>>(converter, facts, kGridSyncFn);
  patterns.add<HintedAccess<kernel_ir::LoadOp>, HintedAccess<kernel_ir::StoreOp>>(converter, facts,
                                                                                  checkAlignment);
}
