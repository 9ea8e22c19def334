//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Operations between the blocks of a cluster, all of which are resident in one scheduler.
//===----------------------------------------------------------------------===//
#include "ContextFields.h"
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

namespace {

/// A field of the context of the thread for one dimension, as i32.
Value loadField(OpBuilder &builder, Operation *op, gpu::Dimension axis, size_t offset) {
  return loadContextField(builder, op->getLoc(), op->getParentOfType<LLVM::LLVMFuncOp>(),
                          builder.getI32Type(),
                          offset + static_cast<unsigned>(axis) * sizeof(uint32_t));
}

/// A number of clusters or blocks: `Numerator` divided by the blocks of a cluster, its remainder,
/// or these blocks themselves.
enum class Part { Quotient, Remainder, Divisor };
template <typename Op, Part part> struct ClusterIndex : ConvertOpToLLVMPattern<Op> {
  ClusterIndex(const LLVMTypeConverter &converter, size_t offset)
      : ConvertOpToLLVMPattern<Op>(converter), offset(offset) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value blocks =
        loadField(rewriter, op, op.getDimension(), offsetof(fuser_host_context, cluster_dim));
    Value result = blocks;
    if (part != Part::Divisor) {
      Value index = loadField(rewriter, op, op.getDimension(), offset);
      if (part == Part::Quotient)
        result = LLVM::UDivOp::create(rewriter, loc, index, blocks);
      else
        result = LLVM::URemOp::create(rewriter, loc, index, blocks);
    }
    if (Type type = this->getTypeConverter()->getIndexType(); type != result.getType())
      result = LLVM::ZExtOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  size_t offset;
};

/// The scheduler maps the address of the element in the caller's shared memory to the peer's.
template <typename Op> struct PeerAccess : ConvertOpToLLVMPattern<Op> {
  PeerAccess(const LLVMTypeConverter &converter, KernelFacts &facts, bool check)
      : ConvertOpToLLVMPattern<Op>(converter), facts(facts), check(check) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto buffer = cast<MemRefType>(op.getBase().getType());
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    constexpr bool isLoad = std::is_same_v<Op, kernel_ir::PeerLoadOp>;
    Type type;
    if constexpr (isLoad)
      type = converter.convertType(op.getResult().getType());
    else
      type = adaptor.getValue().getType();
    auto vector = dyn_cast<VectorType>(type);
    emitBoundsCheck(rewriter, op, buffer, adaptor.getIndices(),
                    vector ? vector.getNumElements() : 1, facts);
    Value own =
        this->getStridedElementPtr(rewriter, loc, buffer, adaptor.getBase(), adaptor.getIndices());
    Value address = mapPeer(op, own, adaptor.getRank(), rewriter);
    uint64_t natural = elementAlignment(op, converter.convertType(buffer.getElementType()));
    if (uint64_t stated = op.getAlignmentInBytes(); check && stated > natural)
      emitAlignmentCheck(rewriter, op, address, stated, facts);
    emitAccessCheck(rewriter, op, address, type, isLoad ? FUSER_HOST_READ : FUSER_HOST_WRITE,
                    facts);
    if constexpr (isLoad)
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address, natural);
    else
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), address, natural);
    return success();
  }

private:
  Value mapPeer(Op op, Value own, Value rank, OpBuilder &builder) const {
    Location loc = op.getLoc();
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Value number = LLVM::PtrToIntOp::create(builder, loc, i64, own);
    if (rank.getType() != i32)
      rank = LLVM::TruncOp::create(builder, loc, i32, rank);
    Value context = getThreadContext(op);
    Value site = constantI32(builder, loc, facts.addSite(op));
    auto call = LLVM::CallOp::create(builder, loc, i64, kMapPeerFn,
                                     ValueRange{context, site, number, rank});
    return LLVM::IntToPtrOp::create(builder, loc, own.getType(), call.getResult());
  }

  KernelFacts &facts;
  bool check;
};

} // namespace

void fuser::host::populateClusterPatterns(const LLVMTypeConverter &converter,
                                          RewritePatternSet &patterns, KernelFacts &facts,
                                          bool checkAlignment) {
  patterns.add<ClusterIndex<gpu::ClusterIdOp, Part::Quotient>,
               ClusterIndex<gpu::ClusterBlockIdOp, Part::Remainder>>(
      converter, offsetof(fuser_host_context, block_id));
  patterns.add<ClusterIndex<gpu::ClusterDimOp, Part::Quotient>,
               ClusterIndex<gpu::ClusterDimBlocksOp, Part::Divisor>>(
      converter, offsetof(fuser_host_context, grid_dim));
  patterns.add<WaitCall<kernel_ir::ClusterArriveOp>>(converter, facts, kClusterArriveFn);
  patterns.add<WaitCall<kernel_ir::ClusterWaitOp>>(converter, facts, kClusterWaitFn);
  patterns.add<PeerAccess<kernel_ir::PeerLoadOp>, PeerAccess<kernel_ir::PeerStoreOp>>(
      converter, facts, checkAlignment);
}
