//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ContextFields.h"
#include "HostCalls.h"
#include "Stages.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser::host;

static LLVM::LLVMFuncOp entryOf(Operation *op) { return op->getParentOfType<LLVM::LLVMFuncOp>(); }

namespace {

/// An id or an extent of the launch: one field of the context, widened to index.
template <typename Op> struct IndexFromContext : ConvertOpToLLVMPattern<Op> {
  IndexFromContext(const LLVMTypeConverter &converter, const KernelFacts &facts, size_t offset)
      : ConvertOpToLLVMPattern<Op>(converter), facts(facts), offset(offset) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto axis = static_cast<unsigned>(op.getDimension());
    Type index = this->getTypeConverter()->getIndexType();
    if (std::optional<uint64_t> known = knownValue(op, facts.blockSize[axis])) {
      rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, index,
                                                    rewriter.getIntegerAttr(index, *known));
      return success();
    }
    Value field = loadContextField(rewriter, op.getLoc(), entryOf(op), rewriter.getI32Type(),
                                   offset + axis * sizeof(uint32_t));
    if (index != field.getType())
      field = LLVM::ZExtOp::create(rewriter, op.getLoc(), index, field);
    rewriter.replaceOp(op, field);
    return success();
  }

private:
  /// The value of `op` that a known extent of the block (0: unknown) determines, if any.
  static std::optional<uint64_t> knownValue(Op, unsigned extent) {
    if (std::is_same_v<Op, gpu::BlockDimOp> && extent != 0)
      return extent;
    if (std::is_same_v<Op, gpu::ThreadIdOp> && extent == 1)
      return 0;
    return std::nullopt;
  }

  const KernelFacts &facts;
  size_t offset;
};

struct LaneId : ConvertOpToLLVMPattern<gpu::LaneIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::LaneIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type index = getTypeConverter()->getIndexType();
    Value lane = loadContextField(rewriter, op.getLoc(), entryOf(op), rewriter.getI32Type(),
                                  offsetof(fuser_host_context, lane_id));
    if (index != lane.getType())
      lane = LLVM::ZExtOp::create(rewriter, op.getLoc(), index, lane);
    rewriter.replaceOp(op, lane);
    return success();
  }
};

struct SubgroupSize : ConvertOpToLLVMPattern<gpu::SubgroupSizeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type index = getTypeConverter()->getIndexType();
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, index, rewriter.getIntegerAttr(index, FUSER_HOST_WARP_SIZE));
    return success();
  }
};

struct Shuffle : ConvertOpToLLVMPattern<gpu::ShuffleOp> {
  Shuffle(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}
  LogicalResult matchAndRewrite(gpu::ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ShuffleResult result = callShuffle(rewriter, op, modeOf(op.getMode()), adaptor.getValue(),
                                       adaptor.getOffset(), adaptor.getWidth(), facts);
    rewriter.replaceOp(op, {result.value, result.valid});
    return success();
  }

private:
  static uint32_t modeOf(gpu::ShuffleMode mode) {
    switch (mode) {
    case gpu::ShuffleMode::XOR:
      return FUSER_HOST_SHUFFLE_XOR;
    case gpu::ShuffleMode::UP:
      return FUSER_HOST_SHUFFLE_UP;
    case gpu::ShuffleMode::DOWN:
      return FUSER_HOST_SHUFFLE_DOWN;
    case gpu::ShuffleMode::IDX:
      return FUSER_HOST_SHUFFLE_IDX;
    }
    llvm_unreachable("a shuffle mode without a host lowering");
  }

  KernelFacts &facts;
};

struct DynamicSharedMemory : ConvertOpToLLVMPattern<gpu::DynamicSharedMemoryOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::DynamicSharedMemoryOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LLVM::LLVMFuncOp entry = entryOf(op);
    Type index = getTypeConverter()->getIndexType();
    Value base = loadContextField(rewriter, loc, entry, entry.getArgument(0).getType(),
                                  offsetof(fuser_host_context, dynamic_shared));
    Value bytes = loadContextField(rewriter, loc, entry, rewriter.getI32Type(),
                                   offsetof(fuser_host_context, dynamic_shared_bytes));
    if (index != bytes.getType())
      bytes = LLVM::ZExtOp::create(rewriter, loc, index, bytes);
    auto type = cast<MemRefType>(op.getType());
    auto descriptor =
        MemRefDescriptor::poison(rewriter, loc, getTypeConverter()->convertType(type));
    descriptor.setAllocatedPtr(rewriter, loc, base);
    descriptor.setAlignedPtr(rewriter, loc, base);
    descriptor.setConstantOffset(rewriter, loc, 0);
    descriptor.setSize(rewriter, loc, 0, bytes);
    descriptor.setConstantStride(rewriter, loc, 0, 1);
    rewriter.replaceOp(op, Value(descriptor));
    return success();
  }
};

} // namespace

void fuser::host::populateGPUToHostPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns, KernelFacts &facts) {
  patterns.add<IndexFromContext<gpu::ThreadIdOp>>(converter, facts,
                                                  offsetof(fuser_host_context, thread_id));
  patterns.add<IndexFromContext<gpu::BlockDimOp>>(converter, facts,
                                                  offsetof(fuser_host_context, block_dim));
  // A kernel is not compiled for a particular grid, so that its extents are never known.
  patterns.add<IndexFromContext<gpu::BlockIdOp>>(converter, facts,
                                                 offsetof(fuser_host_context, block_id));
  patterns.add<IndexFromContext<gpu::GridDimOp>>(converter, facts,
                                                 offsetof(fuser_host_context, grid_dim));
  patterns.add<LaneId, SubgroupSize, DynamicSharedMemory>(converter);
  patterns.add<WaitCall<gpu::BarrierOp>>(converter, facts, kBarrierFn);
  patterns.add<Shuffle>(converter, facts);
}
