//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers copies that complete a phase of a barrier, and these barriers.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using namespace fuser::kernel_ir;

/// The oldest chip with bulk copies.
static constexpr unsigned kFirstChipWithBulkCopies = 90;

namespace {
template <typename Op> struct OnBarrier : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

protected:
  Value getBarrier(Op op, Value memory, ValueRange indices,
                   ConversionPatternRewriter &rewriter) const {
    return this->getStridedElementPtr(rewriter, op.getLoc(),
                                      cast<MemRefType>(op.getBarrier().getType()), memory, indices);
  }
};

struct InitLowering : OnBarrier<MBarrierInitOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(MBarrierInitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter);
    Value count = constantI32(rewriter, op.getLoc(), op.getCount());
    NVVM::MBarrierInitOp::create(rewriter, op.getLoc(), barrier, count, /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct MBarrierFenceLowering : ConvertOpToLLVMPattern<MBarrierFenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(MBarrierFenceOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::FenceMbarrierInitOp::create(rewriter, op.getLoc());
    emitFenceAsync(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectLowering : OnBarrier<MBarrierExpectOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(MBarrierExpectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter);
    NVVM::MBarrierArriveExpectTxOp::create(rewriter, op.getLoc(), /*res=*/Type(), barrier,
                                           truncateToI32(rewriter, op.getLoc(), adaptor.getBytes()),
                                           NVVM::MemScopeKind::CTA,
                                           /*relaxed=*/false, /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct CopyBulkLowering : OnBarrier<CopyBulkOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(CopyBulkOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getSource().getType()),
                                        adaptor.getSource(), adaptor.getSourceIndices());
    Value target = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getTarget().getType()),
                                        adaptor.getTarget(), adaptor.getTargetIndices());
    source = castPointer(rewriter, loc, source, NVVM::NVVMMemorySpace::Global);
    // The form for the block's own memory needs a later PTX version.
    target = castPointer(rewriter, loc, target, NVVM::NVVMMemorySpace::SharedCluster);
    Value elementBytes = constantI32(rewriter, loc, op.getElementBytes());
    Value bytes = LLVM::MulOp::create(
        rewriter, loc, truncateToI32(rewriter, loc, adaptor.getCount()), elementBytes);
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getBarrierIndices(), rewriter);
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(rewriter, loc, target, source, barrier, bytes,
                                                     /*multicastMask=*/Value(),
                                                     /*l2CacheHint=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

/// The fastest coordinate comes first.
SmallVector<Value> getCoordinates(ValueRange indices, Location loc,
                                  ConversionPatternRewriter &rewriter) {
  SmallVector<Value> coordinates;
  for (Value index : llvm::reverse(indices))
    coordinates.push_back(truncateToI32(rewriter, loc, index));
  return coordinates;
}

struct CopyTensorLowering : OnBarrier<CopyTensorOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(CopyTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value target = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getTarget().getType()),
                                        adaptor.getTarget(), adaptor.getTargetIndices());
    target = castPointer(rewriter, loc, target, NVVM::NVVMMemorySpace::SharedCluster);
    const SmallVector<Value> coordinates = getCoordinates(adaptor.getCoordinates(), loc, rewriter);
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getBarrierIndices(), rewriter);
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        rewriter, loc, target, adaptor.getMap(), coordinates, barrier,
        /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(), /*l2CacheHint=*/Value(),
        NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, /*group=*/NVVM::CTAGroupKindAttr(),
        /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreTensorLowering : ConvertOpToLLVMPattern<StoreTensorOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(StoreTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getSource().getType()),
                                        adaptor.getSource(), adaptor.getSourceIndices());
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        rewriter, loc, adaptor.getMap(), source,
        getCoordinates(adaptor.getCoordinates(), loc, rewriter), /*l2CacheHint=*/Value(),
        NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreCommitLowering : ConvertOpToLLVMPattern<StoreCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(StoreCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncBulkCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreWaitLowering : ConvertOpToLLVMPattern<StoreWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(StoreWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncBulkWaitGroupOp::create(rewriter, op.getLoc(),
                                         rewriter.getI32IntegerAttr(op.getPending()),
                                         /*read=*/rewriter.getUnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArriveLowering : OnBarrier<MBarrierArriveOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(MBarrierArriveOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter);
    Value address = LLVM::PtrToIntOp::create(rewriter, loc, i32, barrier);
    emitPTX(rewriter, loc, TypeRange(), {address}, "mbarrier.arrive.shared::cta.b64 _, [$0];",
            "r,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

struct RoleBarrierLowering : ConvertOpToLLVMPattern<RoleBarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(RoleBarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto constant = [&](uint64_t value) { return constantI32(rewriter, op.getLoc(), value); };
    NVVM::BarrierOp::create(rewriter, op.getLoc(), TypeRange(), constant(op.getId()),
                            constant(op.getThreads()), NVVM::BarrierReductionAttr(), Value());
    rewriter.eraseOp(op);
    return success();
  }
};

/// The intrinsic would be known to access the barrier alone, so that reads of what was copied might
/// move before it.
struct MBarrierWaitLowering : OnBarrier<MBarrierWaitOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(MBarrierWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value barrier = getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter);
    Value address = LLVM::PtrToIntOp::create(rewriter, loc, i32, barrier);
    Value one = constantI32(rewriter, loc, 1);
    Value parity =
        LLVM::AndOp::create(rewriter, loc, truncateToI32(rewriter, loc, adaptor.getPhase()), one);
    StringRef text = "{\n\t.reg .pred complete;\n"
                     "again:\n"
                     "\tmbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\n"
                     "\t@!complete bra again;\n}";
    emitPTX(rewriter, loc, TypeRange(), ValueRange{address, parity}, text, "r,r,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fuser::nvvm::populateBulkPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<InitLowering, MBarrierFenceLowering, ExpectLowering, CopyBulkLowering,
               CopyTensorLowering, StoreTensorLowering, StoreCommitLowering, StoreWaitLowering,
               ArriveLowering, RoleBarrierLowering, MBarrierWaitLowering>(converter, kOurBenefit);
}

LogicalResult fuser::nvvm::verifyBulkCopies(gpu::GPUModuleOp module, StringRef chip) {
  return verifyChip(module, chip, kFirstChipWithBulkCopies, "bulk copies",
                    llvm::IsaPred<MBarrierInitOp, MBarrierFenceOp, MBarrierExpectOp,
                                  MBarrierArriveOp, MBarrierWaitOp, CopyBulkOp, CopyTensorOp,
                                  StoreTensorOp, StoreCommitOp, StoreWaitOp>);
}
