//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

static void populateVectorPatterns(RewritePatternSet &patterns) {
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerReduction);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(patterns,
                                                  vector::VectorTransposeLowering::EltWise);
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorScanLoweringPatterns(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
}

/// LLVM packs vectors of i1 into bits, but a boolean in memory is a byte.
static LogicalResult verifyNoPackedBooleans(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    VectorType accessed;
    if (auto load = dyn_cast<vector::LoadOp>(op))
      accessed = load.getVectorType();
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      accessed = store.getVectorType();
    if (!accessed || !accessed.getElementType().isInteger(1))
      return WalkResult::advance();
    op->emitOpError("expected booleans in memory as bytes (i8), but got ") << accessed;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// No processor of the baseline supports additions of half floats, atomic or not.
static LogicalResult verifyNoHalfAtomics(Operation *root) {
  WalkResult result = root->walk([](memref::AtomicRMWOp op) {
    Type type = op.getType();
    if (!type.isF16() && !type.isBF16())
      return WalkResult::advance();
    op.emitOpError("expected an atomic of an integer, f32 or f64, but got ") << type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A CPU adds the elements one by one.
static void splitVectorAtomics(Operation *root) {
  SmallVector<fuser::kernel_ir::AtomicAddOp> ops;
  root->walk([&](fuser::kernel_ir::AtomicAddOp op) { ops.push_back(op); });
  for (fuser::kernel_ir::AtomicAddOp op : ops) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    SmallVector<Value> indices(op.getIndices());
    const Value first = indices.back();
    for (int64_t lane = 0, e = cast<VectorType>(op.getValue().getType()).getNumElements(); lane < e;
         ++lane) {
      indices.back() = arith::AddIOp::create(builder, loc, first,
                                             arith::ConstantIndexOp::create(builder, loc, lane));
      memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::addf,
                                  vector::ExtractOp::create(builder, loc, op.getValue(), lane),
                                  op.getBase(), indices);
    }
    op.erase();
  }
}

LogicalResult fuser::host::legalizeKernelOps(Operation *root) {
  splitVectorAtomics(root);
  if (failed(verifyNoPackedBooleans(root)) || failed(verifyNoHalfAtomics(root)))
    return failure();
  RewritePatternSet patterns(root->getContext());
  populateVectorPatterns(patterns);
  populateGpuGlobalIdPatterns(patterns);
  populateGpuSubgroupIdPatterns(patterns);
  memref::populateExpandStridedMetadataPatterns(patterns);
  populateAffineToStdConversionPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  // Not reaching a fixpoint is not an error: the conversion diagnoses the remaining ops.
  GreedyRewriteConfig config;
  config.enableFolding(false);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(root, std::move(patterns), config);
  return success();
}

LogicalResult fuser::host::hoistThreadArrays(gpu::GPUFuncOp func) {
  SmallVector<memref::AllocaOp> arrays;
  func.walk([&](memref::AllocaOp op) { arrays.push_back(op); });
  Block &entry = func.getBody().front();
  for (memref::AllocaOp op : llvm::reverse(arrays)) {
    if (!op.getType().hasStaticShape())
      return op.emitOpError("expected a static shape for an array of a thread, but got ")
             << op.getType();
    op->moveBefore(&entry, entry.begin());
  }
  return success();
}

LogicalResult fuser::host::convertStructuredControlFlow(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(root, target, std::move(patterns));
}
