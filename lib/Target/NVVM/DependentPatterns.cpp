//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers what orders launches that overlap.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using namespace fuser::kernel_ir;

/// The oldest chip with dependent launches.
static constexpr unsigned kFirstChipWithDependentLaunches = 90;

namespace {
/// The intrinsic would be known to access no memory, so that loads might move before it.
struct WaitDependenciesLowering : ConvertOpToLLVMPattern<WaitDependenciesOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(WaitDependenciesOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitPTX(rewriter, op.getLoc(), TypeRange(), ValueRange(), "griddepcontrol.wait;", "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

struct LaunchDependentsLowering : ConvertOpToLLVMPattern<LaunchDependentsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(LaunchDependentsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(op,
                                                        NVVM::GridDepActionKind::launch_dependents);
    return success();
  }
};
} // namespace

void fuser::nvvm::populateDependentPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<WaitDependenciesLowering, LaunchDependentsLowering>(converter, kOurBenefit);
}

LogicalResult fuser::nvvm::verifyDependents(gpu::GPUModuleOp module, StringRef chip) {
  return verifyChip(module, chip, kFirstChipWithDependentLaunches, "dependent launches",
                    llvm::IsaPred<WaitDependenciesOp, LaunchDependentsOp>);
}
