//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Target/NVVM/EmitPTX.h"
#include "Backend.h"
#include "LineInfo.h"
#include "Patterns.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <chrono>

using namespace mlir;
using namespace fuser::nvvm;

/// Runs `stage` and adds its wall time to `milliseconds`.
template <typename Stage> static auto timed(double &milliseconds, Stage &&stage) {
  auto start = std::chrono::steady_clock::now();
  auto result = stage();
  milliseconds +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// PTX identifiers: letters, digits, '_' and '$', not beginning with a digit.
static bool isIdentifier(StringRef name) {
  auto isAllowed = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  return !name.empty() && !llvm::isDigit(name.front()) && llvm::all_of(name, isAllowed);
}

/// The only kernel of a lowered module.
static FailureOr<LLVM::LLVMFuncOp> findKernel(gpu::GPUModuleOp lowered, gpu::GPUModuleOp source) {
  LLVM::LLVMFuncOp kernel;
  for (auto function : lowered.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    if (kernel)
      return source.emitError() << "expected one kernel in the module, but got '"
                                << kernel.getName() << "' and '" << function.getName() << "'";
    kernel = function;
  }
  if (!kernel)
    return source.emitError() << "expected a kernel in the module, but got none";
  if (!isIdentifier(kernel.getName()))
    return source.emitError() << "expected the kernel's name to be an identifier of PTX, but got '"
                              << kernel.getName() << "'";
  return kernel;
}

FailureOr<CompiledKernelText> fuser::nvvm::emitPTX(gpu::GPUModuleOp module,
                                                   const NVVMTargetOptions &options) {
  // A pass has loaded these dialects, but another caller may only have parsed kernel IR.
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect,
                    NVVM::NVVMDialect>();
  CompiledKernelText result;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(module, options);
  if (!machine || failed(verifyClusters(module, options.chip)) ||
      failed(verifyBulkCopies(module, options.chip)) ||
      failed(verifyDependents(module, options.chip)) ||
      failed(verifyMatrices(module, options.chip)) ||
      failed(verifyWarpGroups(module, options.chip)))
    return failure();

  OwningOpRef<gpu::GPUModuleOp> lowered = module.clone();
  if (failed(timed(result.times.lower, [&] { return lowerToNVVM(*lowered, options.chip); })))
    return failure();
  FailureOr<LLVM::LLVMFuncOp> kernel = findKernel(*lowered, module);
  if (failed(kernel))
    return failure();
  result.entry = kernel->getName().str();
  if (options.locateLines)
    addLineTables(*lowered);

  // Accesses without an alignment get that of their type as the translation sees it.
  lowered.get()->setAttr(
      LLVM::LLVMDialect::getDataLayoutAttrName(),
      StringAttr::get(module.getContext(), machine->createDataLayout().getStringRepresentation()));
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = timed(result.times.translate, [&] {
    return translateModuleToLLVMIR(*lowered, context, module.getName(),
                                   /*disableVerification=*/true);
  });
  if (!code)
    return module.emitError() << "expected a module that translates to LLVM IR";
  Backend backend(module, *machine, options);
  backend.adopt(*code);
  backend.replaceInstructions(*code);
  if (backend.callsLibdevice(*code) &&
      failed(timed(result.times.link, [&] { return backend.linkLibdevice(*code); })))
    return failure();
  if (failed(timed(result.times.optimize, [&] { return backend.optimize(*code); })))
    return failure();
  FailureOr<std::string> text = timed(result.times.codegen, [&] { return backend.emit(*code); });
  if (failed(text))
    return failure();
  result.ptx = std::move(*text);
  if (options.locateLines)
    result.lines = takeLineTable(result.ptx);
  return result;
}
