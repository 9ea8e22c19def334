//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Analysis/LayoutContract.h"
#include "fuser/Analysis/Passes.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Dialect/TransformOps/Passes.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Preseg/Pipeline.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/Passes.h"
#include "fuser/Support/Interruption.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuser;

artifact::DeviceDescription fuser::getDefaultTarget() {
  artifact::DeviceDescription target;
  target.chip = "sm_90";
  return target;
}

namespace {
struct PhaseInfo {
  Phase phase;
  const char *name;
  const char *description;
};
constexpr PhaseInfo kPhases[] = {
    {Phase::Preseg, "preseg", "rewrites and layout hints on fusions"},
    {Phase::Segmentation, "segmentation", "fusions to kernels and host functions"},
    {Phase::Choose, "choose", "parameters of a schedule on every kernel"},
    {Phase::Apply, "apply", "the schedule on every op of every kernel"},
    {Phase::Lowering, "lowering", "scheduled kernels to kernel IR"},
};

/// Options of the pipelines on a command line.
struct CommandLineOptions : PassPipelineOptions<CommandLineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Device to schedule for: a name or a chip"),
                             llvm::cl::init(getDefaultTarget().chip)};
  Option<std::string> sizes{*this, "sizes", llvm::cl::desc("Sizes of the arguments to choose for"),
                            llvm::cl::init("")};
  Option<bool> approximateMath{
      *this, "approximate-math",
      llvm::cl::desc("f32 functions by the GPU's approximations: changes results"),
      llvm::cl::init(false)};
  Option<DependentLaunches> dependentLaunches{
      *this, "dependent-launches",
      llvm::cl::desc("Launches that begin before the launches before them have ended"),
      llvm::cl::init(PipelineOptions().dependentLaunches),
      llvm::cl::values(
          clEnumValN(DependentLaunches::Marked, "marked", "those with fuser.dependent"),
          clEnumValN(DependentLaunches::All, "all", "all that can"))};
  Option<std::string> markBoundaries{
      *this, "mark-boundaries",
      llvm::cl::desc("Operations (fuser.reshape) and regions (@name) with boundaries of segments"),
      llvm::cl::init("")};
};
} // namespace

ArrayRef<Phase> fuser::getPhases() {
  static constexpr Phase phases[] = {Phase::Preseg, Phase::Segmentation, Phase::Choose,
                                     Phase::Apply, Phase::Lowering};
  return phases;
}

StringRef fuser::stringifyPhase(Phase phase) { return kPhases[static_cast<unsigned>(phase)].name; }

StringRef PipelineStep::getName() const {
  return stage ? stringifyStage(*stage) : stringifyPhase(phase);
}

SmallVector<PipelineStep> fuser::getSteps() {
  SmallVector<PipelineStep> steps;
  for (Phase phase : getPhases()) {
    if (phase == Phase::Lowering)
      for (unsigned stage = 0; stage <= loop::getMaxEnumValForStage(); ++stage)
        steps.push_back({phase, static_cast<loop::Stage>(stage)});
    steps.push_back({phase});
  }
  return steps;
}

SmallVector<PipelineStep> fuser::getStepsTo(PipelineStep last) {
  SmallVector<PipelineStep> steps;
  for (PipelineStep step : getSteps()) {
    if (!step.stage || last.stage)
      steps.push_back(step);
    if (step.phase == last.phase && step.stage == last.stage)
      break;
  }
  return steps;
}

std::optional<PipelineStep> fuser::symbolizeStep(StringRef name) {
  for (PipelineStep step : getSteps())
    if (step.getName() == name)
      return step;
  return std::nullopt;
}

std::string fuser::listSteps() {
  return llvm::join(llvm::map_range(getSteps(), [](PipelineStep step) { return step.getName(); }),
                    ", ");
}

std::optional<DependentLaunches> fuser::symbolizeDependentLaunches(StringRef name) {
  if (name == "marked")
    return DependentLaunches::Marked;
  if (name == "all")
    return DependentLaunches::All;
  return std::nullopt;
}

/// A description without limits is a name to look up; an unknown name is diagnosed where schedules
/// are chosen.
static artifact::Expected<artifact::DeviceDescription>
lookupTarget(const artifact::DeviceDescription &target) {
  return target.multiprocessors == 0 ? artifact::lookupDevice(target.chip) : target;
}

/// Launches may begin before those before them have ended.
static bool hasDependentLaunches(const artifact::DeviceDescription &target) {
  constexpr int64_t kFirstCapability = 90;
  artifact::Expected<artifact::DeviceDescription> device = lookupTarget(target);
  return !device || device->kind != artifact::DeviceKind::Cuda ||
         device->computeCapability >= kFirstCapability;
}

/// What a launch on the target can request.
static LoweringOptions getLimits(const artifact::DeviceDescription &target) {
  LoweringOptions limits;
  artifact::Expected<artifact::DeviceDescription> device = lookupTarget(target);
  if (!device)
    return limits;
  limits.maxSharedBytes = std::max(device->sharedBytesPerBlock, device->sharedBytesPerBlockOptIn);
  limits.maxClusterBlocks = device->maxClusterBlocks;
  if (device->kind == artifact::DeviceKind::Cuda)
    limits.multiprocessors = device->multiprocessors;
  limits.bulkCopies = device->kind != artifact::DeviceKind::Cuda || device->computeCapability >= 90;
  limits.matrixStores = limits.bulkCopies;
  limits.vectorAtomics = limits.bulkCopies;
  // The code of sm_90a; that of sm_90 is refused when it is generated.
  limits.warpGroups = device->kind != artifact::DeviceKind::Cuda || device->computeCapability == 90;
  return limits;
}

ScheduleVerifier fuser::getScheduleVerifier() {
  return [](KernelOp kernel, const artifact::DeviceDescription &device) {
    return verifySchedule(kernel, getLimits(device));
  };
}

std::shared_ptr<const SchedulerRegistry> fuser::getRegistry(const PipelineOptions &options) {
  return options.registry ? options.registry : createDefaultRegistry();
}

static void addPasses(OpPassManager &manager, Phase phase, const PipelineOptions &options) {
  const std::shared_ptr<const SchedulerRegistry> registry = getRegistry(options);
  // A description without limits is a name to look up.
  std::optional<artifact::DeviceDescription> device;
  if (options.target.multiprocessors > 0)
    device = options.target;
  switch (phase) {
  case Phase::Preseg:
    buildPresegPipeline(manager, options.markBoundaries, registry);
    return;
  case Phase::Segmentation: {
    FuserSegmentFusionsOptions segment;
    segment.target = options.target.chip;
    segment.sizes = options.sizes;
    segment.explain = options.explain;
    segment.batch = options.batchLaunches;
    segment.forceStreams = options.forceStreams;
    manager.addPass(createSegmentFusionsPass(registry, segment, device, getScheduleVerifier(),
                                             options.schedules));
    FuserSettleBoundariesOptions settle;
    settle.target = options.target.chip;
    manager.addPass(createSettleBoundariesPass(registry, settle, device, getScheduleVerifier()));
    return;
  }
  case Phase::Choose: {
    FuserChooseSchedulesOptions choose;
    choose.target = options.target.chip;
    choose.sizes = options.sizes;
    choose.explain = options.explain;
    manager.addPass(createFuserInterpretSchedules());
    manager.addPass(
        createChooseSchedulesPass(registry, choose, device, options.schedules, options.library));
    return;
  }
  case Phase::Apply:
    manager.addPass(createApplySchedulesPass(registry, options.schedules));
    return;
  case Phase::Lowering: {
    FuserLowerKernelsOptions lower;
    const LoweringOptions limits = getLimits(options.target);
    lower.maxSharedBytes = limits.maxSharedBytes;
    lower.maxClusterBlocks = limits.maxClusterBlocks;
    lower.bulkCopies = limits.bulkCopies;
    lower.matrixStores = limits.matrixStores;
    lower.vectorAtomics = limits.vectorAtomics;
    lower.warpGroups = limits.warpGroups;
    lower.multiprocessors = limits.multiprocessors;
    lower.approximateMath = options.approximateMath;
    manager.addNestedPass<KernelOp>(createFuserResolveIds());
    manager.addPass(createFuserLowerKernels(lower));
    manager.addPass(createFuserMergeLaunches());
    manager.addPass(createFuserAssignStreams());
    FuserChainLaunchesOptions chain;
    chain.all = options.dependentLaunches == DependentLaunches::All;
    chain.supported = hasDependentLaunches(options.target);
    manager.addPass(createFuserChainLaunches(chain));
    // Bottom-up, fewer ops are visited twice. Kernel IR is structured: the regions of its loops and
    // branches are single blocks, whose dead ops the patterns erase.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    manager.addPass(createCanonicalizerPass(config));
    manager.addPass(createCSEPass());
    return;
  }
  }
}

void fuser::buildPhase(OpPassManager &manager, Phase phase, const PipelineOptions &options) {
  addPasses(manager, phase, options);
  manager.addPass(createFuserVerifyLayouts());
}

static void buildStep(OpPassManager &manager, PipelineStep step, const PipelineOptions &options) {
  if (!step.stage)
    return buildPhase(manager, step.phase, options);
  addStagePasses(manager, *step.stage, getLimits(options.target));
}

LogicalResult fuser::runPhase(ModuleOp module, Phase phase, const PipelineOptions &options) {
  return runStep(module, {phase}, options);
}

LogicalResult fuser::runStep(ModuleOp module, PipelineStep step, const PipelineOptions &options) {
  LayoutContract contract(module);
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verifyEach);
  buildStep(manager, step, options);
  if (failed(manager.run(module)) || isInterrupted(module.getContext()) ||
      (!options.verifyEach && failed(mlir::verify(module))))
    return failure();
  return contract.verify(module);
}

void fuser::registerPipelines() {
  auto convert = [](const CommandLineOptions &commandLine) {
    PipelineOptions options;
    // The pass that needs the device diagnoses an unknown one.
    options.target.chip = commandLine.target;
    options.sizes = commandLine.sizes;
    options.approximateMath = commandLine.approximateMath;
    options.dependentLaunches = commandLine.dependentLaunches;
    options.markBoundaries = commandLine.markBoundaries;
    return options;
  };
  for (PipelineStep step : getSteps())
    PassPipelineRegistration<CommandLineOptions>(
        ("fuser-phase-" + step.getName()).str(),
        step.stage ? "kernels to a stage of lowering"
                   : kPhases[static_cast<unsigned>(step.phase)].description,
        [step, convert](OpPassManager &manager, const CommandLineOptions &commandLine) {
          buildStep(manager, step, convert(commandLine));
        });
  PassPipelineRegistration<CommandLineOptions>(
      "fuser-to-kernel-ir", "All phases from fusions to kernel IR",
      [convert](OpPassManager &manager, const CommandLineOptions &commandLine) {
        PipelineOptions options = convert(commandLine);
        options.schedules = std::make_shared<ScheduleCache>();
        for (Phase phase : getPhases())
          buildPhase(manager, phase, options);
      });
}
