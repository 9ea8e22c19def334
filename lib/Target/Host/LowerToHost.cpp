//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fuser/Target/Host/LowerToHost.h"

#include "Stages.h"
#include "fuser/Dialect/Kernel/Float8AsBits.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Kernel/TotalIntegerOps.h"
#include "fuser/Target/Host/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERLOWERTOHOST
#include "fuser/Target/Host/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

/// The width of `index`; the dialect's verifier has checked the attribute.
static unsigned indexBitsOf(gpu::GPUModuleOp kernel) {
  auto bits = kernel->getAttrOfType<IntegerAttr>(kernel_ir::FuserGPUDialect::kIndexBits);
  return bits ? bits.getInt() : 64;
}

static FailureOr<gpu::GPUFuncOp> kernelOf(gpu::GPUModuleOp module) {
  SmallVector<gpu::GPUFuncOp> kernels;
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<gpu::GPUFuncOp>(op);
    if (!func || !func.isKernel())
      return op.emitOpError("expected a gpu.func kernel in a kernel module");
    kernels.push_back(func);
  }
  if (kernels.size() != 1)
    return module.emitOpError("expected exactly one gpu.func kernel, but got ") << kernels.size();
  return kernels.front();
}

/// A CPU has one address space: all names and numbers of GPU spaces map to it.
static void unifyMemorySpaces(LLVMTypeConverter &converter) {
  converter.addTypeAttributeConversion(
      [](BaseMemRefType, Attribute space) -> TypeConverter::AttributeConversionResult {
        return IntegerAttr::get(IntegerType::get(space.getContext(), 64), 0);
      });
  converter.addConversion([](kernel_ir::TensorMapType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  converter.addConversion([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
}

/// Converts every op of `module` to the llvm dialect.
static LogicalResult convertToLLVM(ModuleOp module, const LLVMTypeConverter &converter,
                                   bool checkAlignment, KernelFacts &facts) {
  RewritePatternSet patterns(module.getContext());
  populateGPUToHostPatterns(converter, patterns, facts);
  populateKernelOpPatterns(converter, patterns, facts, checkAlignment);
  populateClusterPatterns(converter, patterns, facts, checkAlignment);
  populateCopyPatterns(converter, patterns, facts, checkAlignment);
  populateBulkCopyPatterns(converter, patterns, facts, checkAlignment);
  populateMatrixPatterns(converter, patterns, facts);
  populateWarpGroupPatterns(converter, patterns, facts);
  populateAlignedAccessPatterns(converter, patterns, facts, checkAlignment);
  populateCheckedAtomicPatterns(converter, patterns, facts);
  populateHostArithmeticPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
  populateComplexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);

  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts, left;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts, &left);
  for (UnrealizedConversionCastOp op : left)
    return op.emitError("expected a type with a form on the host, but got ")
           << op.getInputs().front().getType() << " as " << op.getType(0);
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> fuser::lowerToHost(gpu::GPUModuleOp original,
                                                    const HostLoweringOptions &options) {
  unsigned indexBits = indexBitsOf(original);
  OwningOpRef<ModuleOp> module = ModuleOp::create(original.getLoc(), original.getName());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto kernel = cast<gpu::GPUModuleOp>(builder.clone(*original));
  FailureOr<gpu::GPUFuncOp> func = kernelOf(kernel);
  if (failed(func))
    return failure();

  kernel_ir::carryFloat8AsBits(kernel);
  expandKernelOps(*func);
  if (failed(legalizeKernelOps(kernel)) || failed(computeHalvesInSingle(kernel)) ||
      failed(expandHalfConversions(kernel)))
    return failure();
  if (options.checkAccesses)
    markAccesses(*func);
  kernel_ir::makeIntegerOpsTotal(kernel, indexBits);
  if (failed(hoistThreadArrays(*func)) || failed(convertStructuredControlFlow(kernel)))
    return failure();

  LowerToLLVMOptions llvmOptions(original.getContext());
  llvmOptions.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter converter(original.getContext(), llvmOptions);
  unifyMemorySpaces(converter);

  KernelFacts facts;
  facts.cpu = options.cpu;
  facts.isChecked = options.checkAccesses;
  declareRuntime(*module);
  FailureOr<LLVM::LLVMFuncOp> entry = outlineEntry(*func, *module, converter, facts);
  if (failed(entry))
    return failure();
  kernel.erase();
  if (failed(callMathLibrary(*module)) ||
      failed(convertToLLVM(*module, converter, options.checkAlignment, facts)))
    return failure();
  defineKernelInfo(*module, *entry, facts);
  carryBF16AsBits(*module);
  return module;
}

void fuser::registerHostTarget(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  complex::ComplexDialect, func::FuncDialect, kernel_ir::FuserGPUDialect,
                  gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void fuser::loadHostTarget(MLIRContext &context) {
  DialectRegistry registry;
  registerHostTarget(registry);
  context.appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context.getOrLoadDialect(name);
}

namespace {

struct LowerToHostPass : fuser::impl::FuserLowerToHostBase<LowerToHostPass> {
  using FuserLowerToHostBase::FuserLowerToHostBase;

  void runOnOperation() override {
    HostLoweringOptions options;
    options.checkAlignment = checkAlignment;
    options.checkAccesses = checkAccesses;
    options.cpu = cpu;
    SmallVector<gpu::GPUModuleOp> kernels(getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp kernel : kernels) {
      FailureOr<OwningOpRef<ModuleOp>> lowered = lowerToHost(kernel, options);
      if (failed(lowered))
        return signalPassFailure();
      kernel->getBlock()->getOperations().insert(kernel->getIterator(), lowered->release());
      kernel.erase();
      ++numKernels;
    }
  }
};

} // namespace
