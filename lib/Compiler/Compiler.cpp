//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Compiler.h"
#include "EmitKernels.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Export/ExportArtifact.h"
#include "fuser/Pipelines/ScheduleScripts.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "fuser/Target/Host/LowerToHost.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <chrono>

using namespace mlir;
using namespace fuser;

namespace {
/// Appends the time between construction and `stop`.
class StepTimer {
public:
  explicit StepTimer(std::vector<StepTime> &times) : times(times), start(Clock::now()) {}
  void stop(StringRef name) {
    std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
    times.push_back({name.str(), elapsed.count()});
  }

private:
  using Clock = std::chrono::steady_clock;
  std::vector<StepTime> &times;
  Clock::time_point start;
};
} // namespace

void fuser::registerCompilerDialects(DialectRegistry &registry) {
  registry
      .insert<FuserDialect, kernel_ir::FuserGPUDialect, loop::FuserLoopDialect, FuserSchedDialect,
              arith::ArithDialect, gpu::GPUDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  registerScheduleScripts(registry);
  nvvm::registerDialects(registry);
  registerHostTarget(registry);
}

/// The host function to export: the only one.
static FailureOr<HostOp> findHost(ModuleOp module) {
  auto hosts = llvm::to_vector(module.getOps<HostOp>());
  if (hosts.size() != 1)
    return module.emitError("expected one fusion or host function to compile, but got ")
           << hosts.size();
  return hosts.front();
}

/// What segmentation noted on the host functions.
static void collectFallbacks(ModuleOp module, std::vector<std::string> &fallbacks) {
  for (HostOp host : module.getOps<HostOp>())
    if (auto noted = host->getAttrOfType<ArrayAttr>(FuserSchedDialect::kFallbacks))
      for (auto sentence : noted.getAsRange<StringAttr>())
        fallbacks.push_back(sentence.str());
}

/// The kernels that the scheduler of single ops schedules.
static void collectSingleOps(ModuleOp module, std::vector<std::string> &sentences) {
  for (auto kernel : module.getOps<KernelOp>()) {
    auto parameters = dyn_cast_or_null<ScheduleParamsInterface>(kernel.getScheduleAttr());
    if (!parameters || parameters.getSchedulerName() != "single_op")
      continue;
    std::string ops;
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (isa<FuserDialect>(op.getDialect()))
        ops += (ops.empty() ? "'" : ", '") + op.getName().getStringRef().str() + "'";
    sentences.push_back("kernel '" + kernel.getSymName().str() + "' computes " + ops +
                        " alone, one element per thread, because no other scheduler accepts it");
  }
}

/// The kernels that have parameters of a library.
static void collectTuned(ModuleOp module, std::vector<std::string> &names) {
  for (auto kernel : module.getOps<KernelOp>())
    if (kernel->hasAttr(FuserSchedDialect::kTuned))
      names.push_back(kernel.getSymName().str());
}

/// Shows the stages of lowering to the caller.
static LogicalResult showStages(ModuleOp module, const PipelineOptions &pipeline,
                                const CompileOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (PipelineStep step : getSteps()) {
    if (!step.stage)
      continue;
    if (failed(runStep(*copy, step, pipeline)))
      return failure();
    options.afterStage(step, *copy);
  }
  return success();
}

FailureOr<CompileResult> fuser::compile(ModuleOp module, const CompileOptions &options) {
  CompileResult result;
  PipelineOptions pipeline = options.pipeline;
  if (!pipeline.schedules)
    pipeline.schedules = std::make_shared<ScheduleCache>();
  if (!options.schedules.empty()) {
    auto library = ScheduleLibrary::parse(options.schedules, module.getContext());
    if (failed(library))
      return failure();
    pipeline.library = std::move(*library);
  }
  for (Phase phase : getPhases()) {
    if (phase == Phase::Lowering && options.afterStage &&
        failed(showStages(module, pipeline, options)))
      return failure();
    if (options.onProgress)
      options.onProgress({stringifyPhase(phase)});
    StepTimer timer(result.times);
    if (failed(runPhase(module, phase, pipeline)))
      return failure();
    timer.stop(stringifyPhase(phase));
    if (phase == Phase::Choose) {
      collectSingleOps(module, result.singleOps);
      collectTuned(module, result.tuned);
    }
    if (options.afterPhase)
      options.afterPhase(phase, module);
  }
  collectFallbacks(module, result.fallbacks);
  if (!options.emitCode)
    return result;
  FailureOr<HostOp> host = findHost(module);
  if (failed(host))
    return failure();
  StepTimer emission(result.times);
  llvm::StringMap<artifact::Kernel> kernels;
  if (failed(emitKernels(module, options, kernels)))
    return failure();
  emission.stop(getEmissionStep(options.device));
  StepTimer exporting(result.times);
  FailureOr<artifact::Artifact> exported = exportArtifact(*host, kernels, options.pipeline.target);
  if (failed(exported))
    return failure();
  exporting.stop("export");
  result.artifact = std::move(*exported);
  return result;
}
