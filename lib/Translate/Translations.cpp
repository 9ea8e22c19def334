//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Translations: thin callers of the compiler and of the artifact.
//
//===----------------------------------------------------------------------===//

#include "fuser/Translate/Translations.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Support/InstalledFiles.h"
#include "fuser/Target/NVVM/EmitPTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fuser;

static FailureOr<artifact::DeviceDescription> findTarget(const TranslationOptions &options,
                                                         Location loc) {
  artifact::Expected<artifact::DeviceDescription> target = artifact::lookupDevice(options.target);
  if (!target)
    return emitError(loc) << target.error().message;
  return target.take();
}

static FailureOr<artifact::Artifact> compileModule(ModuleOp module,
                                                   const TranslationOptions &options) {
  FailureOr<artifact::DeviceDescription> target = findTarget(options, module.getLoc());
  if (failed(target))
    return failure();
  CompileOptions compileOptions;
  compileOptions.pipeline.target = *target;
  compileOptions.pipeline.sizes = options.sizes;
  compileOptions.device = options.device;
  FailureOr<CompileResult> result = compile(module, compileOptions);
  if (failed(result))
    return failure();
  return std::move(result->artifact);
}

static LogicalResult translateToPTX(ModuleOp module, raw_ostream &output,
                                    TranslationOptions options) {
  bool hasProgram = !module.getOps<FusionOp>().empty() || !module.getOps<HostOp>().empty();
  if (hasProgram) {
    options.device = artifact::DeviceKind::Cuda;
    FailureOr<artifact::Artifact> artifact = compileModule(module, options);
    if (failed(artifact))
      return failure();
    for (const artifact::Kernel &kernel : artifact->kernels)
      output << kernel.code;
    return success();
  }
  if (module.getOps<gpu::GPUModuleOp>().empty())
    return module.emitError("expected a fuser.fusion, a fuser.host or a gpu.module, but got none");
  FailureOr<artifact::DeviceDescription> target = findTarget(options, module.getLoc());
  if (failed(target))
    return failure();
  nvvm::NVVMTargetOptions targetOptions;
  targetOptions.chip = target->chip;
  targetOptions.libdevicePath = getLibdevicePath();
  for (auto kernel : module.getOps<gpu::GPUModuleOp>()) {
    FailureOr<nvvm::CompiledKernelText> text = nvvm::emitPTX(kernel, targetOptions);
    if (failed(text))
      return failure();
    output << text->ptx;
  }
  return success();
}

static LogicalResult printArtifactFile(llvm::SourceMgr &sources, raw_ostream &output,
                                       MLIRContext *context) {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  artifact::Expected<artifact::Artifact> artifact =
      artifact::deserialize(std::string_view(buffer->getBufferStart(), buffer->getBufferSize()));
  if (!artifact)
    return emitError(FileLineColLoc::get(context, buffer->getBufferIdentifier(), 0, 0))
           << artifact.error().message;
  output << artifact::printArtifact(artifact.value());
  return success();
}

void fuser::registerTranslations(const std::function<TranslationOptions()> &getOptions) {
  TranslateFromMLIRRegistration(
      "fuser-to-ptx", "the kernels of a fusion, a host function or kernel IR as PTX",
      [getOptions](ModuleOp module, raw_ostream &output) {
        return translateToPTX(module, output, getOptions());
      },
      registerCompilerDialects);
  TranslateFromMLIRRegistration(
      "fuser-to-artifact", "a compiled fusion in the binary form of the artifact",
      [getOptions](ModuleOp module, raw_ostream &output) -> LogicalResult {
        FailureOr<artifact::Artifact> artifact = compileModule(module, getOptions());
        if (failed(artifact))
          return failure();
        output << artifact::serialize(*artifact);
        return success();
      },
      registerCompilerDialects);
  TranslateFromMLIRRegistration(
      "fuser-to-artifact-text", "a compiled fusion as readable text",
      [getOptions](ModuleOp module, raw_ostream &output) -> LogicalResult {
        FailureOr<artifact::Artifact> artifact = compileModule(module, getOptions());
        if (failed(artifact))
          return failure();
        output << artifact::printArtifact(*artifact);
        return success();
      },
      registerCompilerDialects);
  TranslateRegistration(
      "fuser-artifact-to-text", "the binary form of an artifact as readable text",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &output,
         MLIRContext *context) { return printArtifactFile(*sources, output, context); });
}
