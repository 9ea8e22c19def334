//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fuser/Target/Host/EmitHostObject.h"
#include "Stages.h"

#include "fuser/Artifact/HostABI.h"
#include "fuser/Support/LLVMErrors.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <mutex>

using namespace mlir;
using namespace fuser;

namespace {

/// Milliseconds since construction or the last call of lap.
class Stopwatch {
public:
  double lap() {
    auto now = Clock::now();
    double ms = std::chrono::duration<double, std::milli>(now - start).count();
    start = now;
    return ms;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

} // namespace

static void initializeNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

static std::string resolveCpu(const llvm::Triple &triple, StringRef requested) {
  if (!requested.empty())
    return requested.str();
  return triple.getArch() == llvm::Triple::x86_64 ? "x86-64-v3" : "generic";
}

/// LLVM's feature string, in addition to the processor's features.
static StringRef getFeatures(const llvm::Triple &triple) {
  // Inline atomics, because the out-of-line ones are in a compiler's runtime library.
  return triple.isAArch64() ? "-outline-atomics" : "";
}

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(gpu::GPUModuleOp kernel, const HostTargetOptions &options, StringRef cpu) {
  initializeNativeTarget();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.getArch() != llvm::Triple::x86_64 && !triple.isAArch64())
    return kernel.emitError("expected a host of x86-64 or AArch64, but got ") << triple.str();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return kernel.emitError("expected LLVM to know the host's target, but got: ") << error;
  // Look up the processor first: creating a machine for an unknown one prints to stderr and
  // continues.
  std::unique_ptr<llvm::MCSubtargetInfo> processors(target->createMCSubtargetInfo(triple, "", ""));
  if (!processors || !processors->isCPUStringValid(cpu))
    return kernel.emitError("expected a processor that LLVM knows, but got '") << cpu << "'";
  auto level = llvm::CodeGenOpt::getLevel(static_cast<int>(options.optLevel));
  if (!level)
    return kernel.emitError("expected an optimisation level from 0 to 3, but got ")
           << options.optLevel;
  // The loader puts code and data of a kernel next to each other, and adds stubs for other symbols.
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, getFeatures(triple), llvm::TargetOptions(),
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, *level));
  assert(machine && "the target generates code");
  return machine;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  host::skipQuadraticPasses(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
      llvm::OptimizationLevel::O3};
  llvm::ModulePassManager pipeline = level == 0
                                         ? builder.buildO0DefaultPipeline(levels[0])
                                         : builder.buildPerModuleDefaultPipeline(levels[level]);
  pipeline.run(module, modules);
}

/// Emits `module` as `type`; it is consumed in so far as codegen changes it.
static FailureOr<std::string> emit(gpu::GPUModuleOp kernel, llvm::Module &module,
                                   llvm::TargetMachine &machine, llvm::CodeGenFileType type) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  bool failedInLLVM = false;
  host::reserveFrames(module, kernel.getLoc(), failedInLLVM);
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool cannotEmit = machine.addPassesToEmitFile(passes, stream, nullptr, type);
  assert(!cannotEmit && "the target emits object files");
  passes.run(module);
  if (failedInLLVM)
    return failure();
  return std::string(bytes.str());
}

/// Sets LLVM attributes on which the optimizer and the code generator rely.
static void prepare(llvm::Module &module, const llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    function.setDoesNotThrow();
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // A fiber's stack ends in one guard page: a larger frame must touch every page.
    function.addFnAttr("probe-stack", "inline-asm");
  }
}

static void readFlags(const llvm::Module &module, HostObject &result) {
  auto declares = [&](StringRef name) { return module.getFunction(name) != nullptr; };
  result.usesBarrier = declares("fuser_host_barrier");
  result.usesShuffle = declares("fuser_host_shuffle");
  result.usesGridSync = declares("fuser_host_grid_sync");
}

FailureOr<HostObject> fuser::emitHostObject(gpu::GPUModuleOp kernel,
                                            const HostTargetOptions &options) {
  loadHostTarget(*kernel->getContext());

  HostObject result;
  result.cpu = resolveCpu(llvm::Triple(llvm::sys::getProcessTriple()), options.cpu);
  auto machine = createTargetMachine(kernel, options, result.cpu);
  if (failed(machine))
    return failure();
  result.triple = (*machine)->getTargetTriple().str();

  Stopwatch watch;
  HostLoweringOptions lowering{options.checkAlignment, options.checkAccesses, result.cpu};
  FailureOr<OwningOpRef<ModuleOp>> lowered = lowerToHost(kernel, lowering);
  if (failed(lowered))
    return failure();
  result.times.lowering = watch.lap();

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(**lowered, context, result.name);
  if (!module)
    return kernel.emitError("expected the lowered kernel to translate to LLVM IR");
  bool failedInLLVM = false;
  context.setDiagnosticHandler(std::make_unique<LLVMErrorHandler>(kernel.getLoc(), failedInLLVM));
  for (const llvm::GlobalVariable &global : module->globals())
    if (StringRef name = global.getName(); name.consume_front(FUSER_HOST_INFO_PREFIX))
      result.name = name.str();
  prepare(*module, **machine);
  host::keepRemainderLoopsScalar(*module);
  readFlags(*module, result);
  result.times.translation = watch.lap();

  optimize(*module, **machine, options.optLevel);
  host::prepareCodeGeneration(*module, **machine);
  result.times.optimization = watch.lap();
  if (failedInLLVM)
    return failure();
  if (options.keepText) {
    llvm::raw_string_ostream(result.llvmIR) << *module;
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
    FailureOr<std::string> text =
        emit(kernel, *copy, **machine, llvm::CodeGenFileType::AssemblyFile);
    if (failed(text))
      return failure();
    result.assembly = std::move(*text);
    watch.lap();
  }
  FailureOr<std::string> object =
      emit(kernel, *module, **machine, llvm::CodeGenFileType::ObjectFile);
  if (failed(object))
    return failure();
  result.object = std::move(*object);
  result.times.codegen = watch.lap();
  return result;
}

artifact::Kernel fuser::toKernel(const HostObject &object) {
  artifact::Kernel kernel;
  kernel.name = object.name;
  kernel.format = artifact::KernelFormat::HostObject;
  kernel.chip = object.triple;
  kernel.entry = object.name;
  kernel.code = object.object;
  return kernel;
}
