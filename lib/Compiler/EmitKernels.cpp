//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitKernels.h"
#include "fuser/Dialect/Kernel/ArgumentTables.h"
#include "fuser/Dialect/Kernel/EqualKernels.h"
#include "fuser/Support/InstalledFiles.h"
#include "fuser/Support/Interruption.h"
#include "fuser/Target/Host/EmitHostObject.h"
#include "fuser/Target/NVVM/EmitPTX.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "fuser/Threads/ParallelFor.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"
#include <map>
#include <mutex>

using namespace mlir;
using namespace fuser;

static FailureOr<artifact::Kernel> emitHostKernel(gpu::GPUModuleOp module,
                                                  const CompileOptions &options) {
  HostTargetOptions host;
  host.checkAccesses = options.checkAccesses;
  FailureOr<HostObject> object = emitHostObject(module, host);
  if (failed(object))
    return failure();
  return toKernel(*object);
}

static FailureOr<artifact::Kernel> emitGPUKernel(gpu::GPUModuleOp module,
                                                 const CompileOptions &options) {
  nvvm::NVVMTargetOptions target;
  target.chip = options.pipeline.target.chip;
  target.libdevicePath = options.libdevicePath.empty() ? getLibdevicePath() : options.libdevicePath;
  artifact::Kernel kernel;
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    FailureOr<SmallVector<unsigned>> runs = kernel_ir::getParameterRuns(function);
    if (failed(runs))
      return failure();
    for (unsigned count : *runs)
      kernel.attributes.emplace_back(artifact::kParameterRun, count);
  }
  FailureOr<nvvm::CompiledKernelText> text = nvvm::emitPTX(module, target);
  if (failed(text))
    return failure();
  kernel.format = artifact::KernelFormat::PTX;
  kernel.chip = target.chip;
  kernel.entry = text->entry;
  kernel.code = std::move(text->ptx);
  return kernel;
}

namespace {
/// The code of one kernel, and what was reported about it.
struct Emission {
  gpu::GPUModuleOp module;
  FailureOr<artifact::Kernel> kernel = failure();
  std::vector<Diagnostic> diagnostics = {};
};

/// Holds back the diagnostics of each thread for the emission that the thread works on, so that
/// they can be reported in the order of the kernels.
class DiagnosticsByThread {
public:
  explicit DiagnosticsByThread(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          std::lock_guard<std::mutex> lock(mutex);
          auto found = emissions.find(llvm::get_threadid());
          if (found == emissions.end())
            return failure();
          found->second->diagnostics.push_back(std::move(diagnostic));
          return success();
        }) {}

  /// From now on, this thread works on `emission`.
  void assign(Emission &emission) {
    std::lock_guard<std::mutex> lock(mutex);
    emissions[llvm::get_threadid()] = &emission;
  }

private:
  std::mutex mutex;
  std::map<uint64_t, Emission *> emissions;
  ScopedDiagnosticHandler handler;
};

/// Several threads may use a context while it lives.
class MultithreadingScope {
public:
  explicit MultithreadingScope(MLIRContext *context)
      : context(context), wasEnabled(context->isMultithreadingEnabled()) {
    if (!wasEnabled)
      context->enableMultithreading();
  }
  ~MultithreadingScope() {
    if (!wasEnabled)
      context->disableMultithreading();
  }
  MultithreadingScope(const MultithreadingScope &) = delete;
  MultithreadingScope &operator=(const MultithreadingScope &) = delete;

private:
  MLIRContext *context;
  bool wasEnabled;
};

/// Emits the code of different kernels.
class Emitter {
public:
  Emitter(MLIRContext *context, const CompileOptions &options)
      : context(context), options(options) {}

  void add(gpu::GPUModuleOp module) { emissions.push_back({module}); }
  /// Fails after diagnostics; without any if it was interrupted.
  LogicalResult run();
  /// The code of the kernels, in the order in which they were added.
  std::vector<Emission> emissions;

private:
  bool emit(Emission &emission);
  LogicalResult runInThreads(unsigned threads);
  void reportProgress();

  MLIRContext *context;
  const CompileOptions &options;
  /// Guards `done`, and calls of onProgress.
  std::mutex mutex;
  size_t done = 0;
};
} // namespace

void Emitter::reportProgress() {
  if (options.onProgress)
    options.onProgress({getEmissionStep(options.device), done, emissions.size()});
}

bool Emitter::emit(Emission &emission) {
  if (isInterrupted(context))
    return false;
  emission.kernel = options.device == artifact::DeviceKind::Host
                        ? emitHostKernel(emission.module, options)
                        : emitGPUKernel(emission.module, options);
  if (failed(emission.kernel))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  ++done;
  reportProgress();
  return true;
}

LogicalResult Emitter::runInThreads(unsigned threads) {
  // Threads must not load dialects.
  if (options.device == artifact::DeviceKind::Host)
    loadHostTarget(*context);
  else
    nvvm::loadDialects(*context);
  [[maybe_unused]] const size_t loadedDialects = context->getLoadedDialects().size();
  bool succeeded;
  {
    MultithreadingScope multithreading(context);
    DiagnosticsByThread diagnostics(context);
    succeeded = parallelFor(threads, emissions.size(), [&](size_t number) {
      diagnostics.assign(emissions[number]);
      return emit(emissions[number]);
    });
  }
  assert(context->getLoadedDialects().size() == loadedDialects && "a thread loaded a dialect");
  for (Emission &emission : emissions) {
    for (Diagnostic &diagnostic : emission.diagnostics)
      context->getDiagEngine().emit(std::move(diagnostic));
    if (failed(emission.kernel))
      break;
  }
  return success(succeeded);
}

LogicalResult Emitter::run() {
  reportProgress();
  if (unsigned threads = getNumThreads(options.threads, emissions.size()); threads > 1)
    return runInThreads(threads);
  return success(llvm::all_of(emissions, [&](Emission &emission) { return emit(emission); }));
}

StringRef fuser::getEmissionStep(artifact::DeviceKind device) {
  return device == artifact::DeviceKind::Host ? "object" : "ptx";
}

LogicalResult fuser::emitKernels(ModuleOp module, const CompileOptions &options,
                                 llvm::StringMap<artifact::Kernel> &kernels) {
  Emitter emitter(module.getContext(), options);
  kernel_ir::EqualKernels equal;
  SmallVector<std::pair<StringRef, StringRef>> copies;
  for (gpu::GPUModuleOp kernel : module.getOps<gpu::GPUModuleOp>()) {
    // Checks name the op at fault: kernels of different ops have code of their own.
    gpu::GPUModuleOp same = options.checkAccesses ? gpu::GPUModuleOp() : equal.add(kernel);
    if (same)
      copies.emplace_back(kernel.getName(), same.getName());
    else
      emitter.add(kernel);
  }
  if (failed(emitter.run()))
    return failure();
  for (Emission &emission : emitter.emissions) {
    emission.kernel->name = emission.module.getName().str();
    kernels[emission.module.getName()] = std::move(*emission.kernel);
  }
  for (auto [name, original] : copies) {
    artifact::Kernel kernel = kernels.lookup(original);
    kernel.name = name.str();
    kernels[name] = std::move(kernel);
  }
  return success();
}
