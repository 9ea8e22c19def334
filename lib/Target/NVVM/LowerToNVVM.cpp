//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/Float8AsBits.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Kernel/TotalIntegerOps.h"
#include "fuser/Support/InstalledFiles.h"
#include "fuser/Target/NVVM/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/LLVMIRToNVVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::FuserGPUDialect;

void fuser::nvvm::registerDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect, gpu::GPUDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
              scf::SCFDialect, ub::UBDialect, vector::VectorDialect, FuserGPUDialect>();
  registry.insert<DLTIDialect>();
  registerLLVMDialectImport(registry);
  registerNVVMDialectImport(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void fuser::nvvm::loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerDialects(registry);
  for (StringRef name : registry.getDialectNames())
    context.getOrLoadDialect(name);
}

/// Width of `index` in the kernels of `module`.
static unsigned indexBits(gpu::GPUModuleOp module) {
  auto bits = module->getAttrOfType<IntegerAttr>(FuserGPUDialect::kIndexBits);
  return bits ? bits.getInt() : 64;
}

/// Converts all remaining ops to llvm and nvvm.
static LogicalResult convertToLLVM(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(indexBits(module));
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  configureGpuToNVVMTypeConverter(converter);
  converter.addConversion([](fuser::kernel_ir::TensorMapType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });

  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateComplexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/true);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/2);
  populateMathPatterns(converter, patterns);
  populateRegisterPatterns(converter, patterns);
  populateMemoryPatterns(converter, patterns);
  populateSyncPatterns(converter, patterns);
  populateClusterPatterns(converter, patterns);
  populateCopyPatterns(converter, patterns);
  populateBulkPatterns(converter, patterns);
  populateDependentPatterns(converter, patterns);
  populateMatrixPatterns(converter, patterns);
  populateWarpGroupPatterns(converter, patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
                           gpu::GPUDialect, math::MathDialect, memref::MemRefDialect, ub::UBDialect,
                           vector::VectorDialect, FuserGPUDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Functions for which the backend would look for a library call and abort the process. Kernel IR
/// never contains them, but an already lowered module may.
static bool hasNoInstruction(Operation *op) {
  if (isa<LLVM::ExpOp, LLVM::Exp10Op, LLVM::LogOp, LLVM::Log2Op, LLVM::Log10Op, LLVM::PowOp,
          LLVM::TanOp, LLVM::SinhOp, LLVM::CoshOp, LLVM::ACosOp, LLVM::ASinOp, LLVM::ATanOp,
          LLVM::ATan2Op>(op))
    return true;
  if (!isa<LLVM::SinOp, LLVM::CosOp, LLVM::TanhOp>(op))
    return false;
  auto flags = cast<LLVM::FastmathFlagsInterface>(op).getFastmathAttr();
  return !bitEnumContainsAny(flags.getValue(), LLVM::FastmathFlags::afn);
}

/// Casts between the old and the new types cancel. A remaining cast or op of another dialect is not
/// kernel IR.
static LogicalResult verifyLowered(gpu::GPUModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (hasNoInstruction(op)) {
      op->emitOpError() << "expected a function that the GPU supports, but got '" << op->getName()
                        << "'";
      return WalkResult::interrupt();
    }
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()) ||
        isOpTriviallyDead(op))
      return WalkResult::advance();
    // Such a cast stands for the op that uses or defines its value.
    Operation *culprit = op;
    if (isa<UnrealizedConversionCastOp>(op) && !op->use_empty())
      culprit = *op->getUsers().begin();
    culprit->emitOpError() << "expected an operation of kernel IR, but got '" << culprit->getName()
                           << "'";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The alignment of swizzled rows in shared memory, from which the pattern of the addresses begins:
/// operands of products of warp groups, and boxes of tensor maps.
static constexpr int64_t kRowsAlignment = 1024;

/// Upstream defines dynamic shared memory as a variable of zero bytes, which is then allocated
/// among the static variables. The launch provides it: an external variable is placed after them.
static void declareDynamicSharedMemory(gpu::GPUModuleOp module, bool hasSwizzledRows) {
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (array && array.getNumElements() == 0 &&
        global.getAddrSpace() == NVVM::NVVMMemorySpace::Shared) {
      global.setLinkage(LLVM::Linkage::External);
      if (hasSwizzledRows)
        global.setAlignment(kRowsAlignment);
    }
  }
}

/// Gives all reads of a thread's number the range that the size of the block states, also those
/// that patterns make. LLVM merges equal reads, and the result has the range of the one that knows
/// least.
static void boundThreadNumbers(LLVM::LLVMFuncOp function) {
  auto sizes = function->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getMaxntidAttrName());
  if (!sizes)
    return;
  auto bound = [&](auto read, unsigned dimension) {
    const int32_t extent = dimension < sizes.size() ? sizes[static_cast<int32_t>(dimension)] : 1;
    read.setRangeAttr(LLVM::ConstantRangeAttr::get(read.getContext(), llvm::APInt(32, 0),
                                                   llvm::APInt(32, static_cast<uint64_t>(extent))));
  };
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](NVVM::ThreadIdXOp read) { bound(read, 0); })
        .Case([&](NVVM::ThreadIdYOp read) { bound(read, 1); })
        .Case([&](NVVM::ThreadIdZOp read) { bound(read, 2); });
  });
}

LogicalResult fuser::nvvm::lowerToNVVM(gpu::GPUModuleOp module, StringRef chip) {
  llvm::StringMap<int64_t> minBlocks;
  llvm::StringMap<SmallVector<int32_t>> clusters;
  llvm::StringMap<SmallVector<PackedTable>> tables;
  const bool hasSwizzledRows =
      module
          .walk([](Operation *op) {
            return isa<kernel_ir::WgmmaOp, kernel_ir::CopyTensorOp, kernel_ir::StoreTensorOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (auto launch = llvm::dyn_cast_or_null<kernel_ir::LaunchAttr>(
            function->removeAttr(FuserGPUDialect::kLaunch))) {
      if (launch.getMinBlocksPerSM())
        minBlocks[function.getName()] = *launch.getMinBlocksPerSM();
      clusters[function.getName()].assign(launch.getCluster().begin(), launch.getCluster().end());
    }
    if (failed(prepareKernel(function)) ||
        failed(packTables(function, indexBits(module), tables[function.getName()])))
      return failure();
    addTensorMaps(function, tables[function.getName()]);
  }
  if (getChipNumber(chip) != 0 && getChipNumber(chip) < kFirstChipWithCopies)
    makeCopiesSynchronous(module, chip);
  if (getChipNumber(chip) >= kFirstChipWithFloat8)
    useFloat8Instructions(module);
  useSaturatingConversions(module);
  kernel_ir::carryFloat8AsBits(module);
  kernel_ir::makeIntegerOpsTotal(module);
  if (failed(expandOps(module)) || failed(lowerControlFlow(module)) ||
      failed(convertToLLVM(module)) || failed(verifyLowered(module)))
    return failure();
  declareDynamicSharedMemory(module, hasSwizzledRows);
  settleLoopAnnotations(module);
  Builder builder(module.getContext());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    markTables(function, tables.lookup(function.getName()));
    boundThreadNumbers(function);
    if (int64_t count = minBlocks.lookup(function.getName()))
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(static_cast<int32_t>(count)));
    if (SmallVector<int32_t> sizes = clusters.lookup(function.getName()); !sizes.empty())
      function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                        builder.getDenseI32ArrayAttr(sizes));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace fuser::nvvm {
#define GEN_PASS_DEF_LOWERTONVVMPASS
#include "fuser/Target/NVVM/Passes.h.inc"
} // namespace fuser::nvvm

namespace {
struct LowerToNVVMPass : fuser::nvvm::impl::LowerToNVVMPassBase<LowerToNVVMPass> {
  using LowerToNVVMPassBase::LowerToNVVMPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    fuser::nvvm::registerDialects(registry);
  }
  void runOnOperation() override {
    std::string path = libdevice.empty() ? fuser::getLibdevicePath() : libdevice.getValue();
    if (failed(lowerToNVVM(getOperation(), chip)) || failed(linkLibdevice(getOperation(), path)))
      return signalPassFailure();
    callIntrinsicsByName(getOperation());
  }
};
} // namespace
