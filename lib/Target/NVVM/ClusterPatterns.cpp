//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers operations between the blocks of a cluster.
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

/// The oldest chip with clusters.
static constexpr unsigned kFirstChipWithClusters = 90;

namespace {
/// All threads of a warp execute the barrier together, as those of a block do.
template <typename From, typename To> struct BarrierLowering : ConvertOpToLLVMPattern<From> {
  using ConvertOpToLLVMPattern<From>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, /*aligned=*/rewriter.getUnitAttr());
    return success();
  }
};

/// Accesses to the address of an element in the shared memory of a peer.
template <typename Op> struct PeerLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value own = this->getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getBase().getType()),
                                           adaptor.getBase(), adaptor.getIndices());
    Value rank = truncateToI32(rewriter, loc, adaptor.getRank());
    auto space = LLVM::LLVMPointerType::get(
        rewriter.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    Value address = NVVM::MapaOp::create(rewriter, loc, space, own, rank);
    if constexpr (std::is_same_v<Op, PeerLoadOp>) {
      Type type = this->getTypeConverter()->convertType(op.getResult().getType());
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address, op.getAlignmentInBytes());
    } else {
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), address,
                                                 op.getAlignmentInBytes());
    }
    return success();
  }
};
} // namespace

void fuser::nvvm::populateClusterPatterns(const LLVMTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<BarrierLowering<ClusterArriveOp, NVVM::ClusterArriveOp>,
               BarrierLowering<ClusterWaitOp, NVVM::ClusterWaitOp>, PeerLowering<PeerLoadOp>,
               PeerLowering<PeerStoreOp>>(converter, kOurBenefit);
}

LogicalResult fuser::nvvm::verifyClusters(gpu::GPUModuleOp module, StringRef chip) {
  unsigned number = 0;
  StringRef rest = chip;
  if (!rest.consume_front("sm_") || rest.consumeInteger(10, number) ||
      number >= kFirstChipWithClusters)
    return success();
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    auto launch = function->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
    if (launch && !launch.getCluster().empty())
      return function.emitError() << "expected a chip with clusters (sm_" << kFirstChipWithClusters
                                  << " or later) for a launch in clusters, but got '" << chip
                                  << "'";
  }
  return success();
}
