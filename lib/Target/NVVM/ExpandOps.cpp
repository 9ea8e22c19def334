//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/KeptLoops.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Some vector ops convert directly; the others need these patterns first.
static bool needsVectorExpansion(Operation *op) {
  if (op->getName().getDialectNamespace() != vector::VectorDialect::getDialectNamespace())
    return false;
  auto isFlat = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || vector.getRank() <= 1;
  };
  bool flat =
      llvm::all_of(op->getOperandTypes(), isFlat) && llvm::all_of(op->getResultTypes(), isFlat);
  return !flat || isa<vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp,
                      vector::TransposeOp, vector::StepOp, vector::ShapeCastOp,
                      vector::MultiDimReductionOp, vector::TransferReadOp, vector::TransferWriteOp,
                      vector::InterleaveOp, vector::DeinterleaveOp>(op);
}

static bool needsMemRefExpansion(Operation *op) {
  return isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::ExtractStridedMetadataOp, memref::ExtractAlignedPointerAsIndexOp>(op);
}

static bool needsArithExpansion(Operation *op) {
  return isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static void addVectorPatterns(RewritePatternSet &patterns) {
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorTransposeLoweringPatterns(patterns,
                                                  vector::VectorTransposeLowering::Shuffle1D);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorInterleaveToShufflePatterns(patterns);
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
}

LogicalResult fuser::nvvm::expandOps(gpu::GPUModuleOp module) {
  bool vectors = false, memrefs = false, divisions = false, affine = false;
  module.walk([&](Operation *op) {
    vectors |= needsVectorExpansion(op);
    memrefs |= needsMemRefExpansion(op);
    divisions |= needsArithExpansion(op);
    affine |= isa_and_nonnull<affine::AffineDialect>(op->getDialect());
  });
  if (!vectors && !memrefs && !divisions && !affine)
    return success();
  // In steps, because each set may create ops that the next one rewrites.
  auto apply = [&](llvm::function_ref<void(RewritePatternSet &)> add) {
    RewritePatternSet patterns(module.getContext());
    add(patterns);
    return applyPatternsGreedily(module, std::move(patterns));
  };
  if (vectors && failed(apply(addVectorPatterns)))
    return failure();
  if (memrefs && failed(apply(memref::populateExpandStridedMetadataPatterns)))
    return failure();
  if ((memrefs || affine) && failed(apply(populateAffineToStdConversionPatterns)))
    return failure();
  return apply(arith::populateCeilFloorDivExpandOpsPatterns);
}

/// The conversion of scf passes attributes of the dialect llvm on to the branch at the end of a
/// loop; that of cf keeps them as discardable ones.
static constexpr StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// From so many operations on, LLVM does not unroll a loop: copies may have 300 instructions in
/// all. It still evaluates all iterations of such a loop, for what constants would simplify: up to
/// a third of the time of its passes.
static constexpr int64_t kLeastUnrolledByNone = 150;

/// Operations on elements in a loop.
static int64_t countElementOps(scf::ForOp loop) {
  int64_t count = 0;
  loop.walk([&](Operation *op) {
    int64_t lanes = 1;
    auto addLanes = [&](Type type) {
      if (auto vector = dyn_cast<VectorType>(type))
        lanes = std::max(lanes, vector.getNumElements());
    };
    llvm::for_each(op->getOperandTypes(), addLanes);
    llvm::for_each(op->getResultTypes(), addLanes);
    count += lanes;
  });
  return count;
}

/// `unroll`: for LLVM and the assembler. `disableOthers`: LLVM alone changes the loop only as the
/// annotation demands.
static void annotate(scf::ForOp loop, LLVM::LoopUnrollAttr unroll, BoolAttr disableOthers) {
  loop->setAttr(kLoopAnnotation,
                LLVM::LoopAnnotationAttr::get(
                    loop.getContext(), disableOthers, /*vectorize=*/{}, /*interleave=*/{}, unroll,
                    /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{}, /*pipeline=*/{},
                    /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{}, /*isVectorized=*/{},
                    /*startLoc=*/{}, /*endLoc=*/{}, /*parallelAccesses=*/{}));
}

/// Tells LLVM, and through it the assembler, which loops not to unroll, and LLVM alone which it
/// would not unroll in any case.
static void annotateLoops(gpu::GPUModuleOp module) {
  const auto yes = BoolAttr::get(module.getContext(), true);
  module.walk([&](scf::ForOp loop) {
    if (loop->removeAttr(fuser::kKeepLoopAttrName))
      annotate(
          loop,
          LLVM::LoopUnrollAttr::get(module.getContext(), /*disable=*/yes, {}, {}, {}, {}, {}, {}),
          /*disableOthers=*/{});
    else if (countElementOps(loop) >= kLeastUnrolledByNone)
      annotate(loop, /*unroll=*/{}, /*disableOthers=*/yes);
  });
}

LogicalResult fuser::nvvm::lowerControlFlow(gpu::GPUModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isa_and_nonnull<scf::SCFDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  annotateLoops(module);
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

void fuser::nvvm::settleLoopAnnotations(gpu::GPUModuleOp module) {
  module.walk([](LLVM::BrOp branch) {
    if (auto annotation = llvm::dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
            branch->removeDiscardableAttr(kLoopAnnotation)))
      branch.setLoopAnnotationAttr(annotation);
  });
}
