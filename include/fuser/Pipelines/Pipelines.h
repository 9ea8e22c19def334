//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The phases between fuser ops and kernel IR, by name. Between any two phases the state is a module
// that can be printed, edited and read back.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PIPELINES_PIPELINES_H
#define FUSER_PIPELINES_PIPELINES_H

#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Scheduling/ScheduleVerifier.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <memory>
#include <optional>

namespace fuser {

class ScheduleCache;
class ScheduleLibrary;

namespace loop {
enum class Stage : uint32_t;
} // namespace loop

/// The phases, in order. Each is a no-op on a module that is past it.
enum class Phase {
  /// Rewrites of fusions; hints and default orders on their values.
  Preseg,
  /// Kernels and a host function for each fusion.
  Segmentation,
  /// Parameters on every kernel.
  Choose,
  /// Loop domains, memory types and inline positions on every op.
  Apply,
  /// Kernel IR.
  Lowering,
};

/// All phases, in order.
llvm::ArrayRef<Phase> getPhases();
/// "preseg", "segmentation", "choose", "apply", "lowering".
llvm::StringRef stringifyPhase(Phase phase);

/// A point at which the module is text to print, edit and resume: the end of a phase, or inside of
/// phase Lowering the end of a stage.
struct PipelineStep {
  Phase phase;
  std::optional<loop::Stage> stage = std::nullopt;

  /// "preseg", ..., "apply", "loops", "launched", "accessed", "guarded", "lowering".
  llvm::StringRef getName() const;
};

/// All steps, in order.
llvm::SmallVector<PipelineStep> getSteps();
/// The steps to run, to get from a program to `last`: its phases, and stages if `last` is one.
llvm::SmallVector<PipelineStep> getStepsTo(PipelineStep last);
std::optional<PipelineStep> symbolizeStep(llvm::StringRef name);
/// "preseg, segmentation, ..., lowering", for diagnostics.
std::string listSteps();

/// The device that kernels are scheduled for by default: the known one of chip sm_90.
artifact::DeviceDescription getDefaultTarget();

/// Which launches may begin before the launches before them have ended (docs/adr/0115-*.md).
enum class DependentLaunches {
  /// Those that the text marks (`fuser.dependent`).
  Marked,
  /// All that can be.
  All,
};
/// By the name that command lines and interfaces use: "marked" or "all".
std::optional<DependentLaunches> symbolizeDependentLaunches(llvm::StringRef name);

/// Options of the phases.
struct PipelineOptions {
  /// Device that kernels are scheduled for; independent of the device that runs them. A description
  /// with only a chip (no multiprocessors) stands for the known device of that name.
  artifact::DeviceDescription target = getDefaultTarget();
  /// Sizes to choose schedules for, as `fuser-choose-schedules` takes them; empty: unknown.
  std::string sizes;
  /// Approximate f32 functions by the GPU's instructions (docs/approximate-math.md). Changes
  /// results.
  bool approximateMath = false;
  /// Where segments are to end, as `fuser-mark-boundaries` takes it: "fuser.reshape,@encoder".
  std::string markBoundaries;
  /// Execute similar independent kernels by one launch where that is predicted to take less time.
  bool batchLaunches = true;
  /// Distribute launches over streams wherever dependences permit it, for tests; by default where
  /// that is predicted to take less time.
  bool forceStreams = false;
  /// Launches that may begin before the launches before them have ended.
  DependentLaunches dependentLaunches = DependentLaunches::All;
  /// Emit a remark for each refusal of a scheduler.
  bool explain = false;
  /// Registered schedulers; null: the schedulers of fuser.
  std::shared_ptr<const SchedulerRegistry> registry;
  /// Schedules of this compilation, so that the phases that follow segmentation need not compute
  /// them again; null: each phase computes what it needs, with the same result.
  std::shared_ptr<ScheduleCache> schedules;
  /// Schedules of kernels, which phase Choose takes before it asks schedulers; null: none. Must be
  /// of the context that is compiled.
  std::shared_ptr<const ScheduleLibrary> library;
  /// Verify the module after every pass instead of once after each phase: for tests and for the
  /// development of passes. A sixth of the time of the phases.
  bool verifyEach = false;
};

/// The schedulers of a compilation: those of the options, else those of fuser.
std::shared_ptr<const SchedulerRegistry> getRegistry(const PipelineOptions &options);

/// The check of lowering for segmentation (fuser-verify-schedules).
ScheduleVerifier getScheduleVerifier();

/// Appends the passes of one phase, followed by fuser-verify-layouts.
void buildPhase(mlir::OpPassManager &manager, Phase phase, const PipelineOptions &options);

/// Runs one phase and verifies its result. Fails after a diagnostic, also if the phase changed a
/// fact, a requirement or an alias (LayoutContract).
mlir::LogicalResult runPhase(mlir::ModuleOp module, Phase phase, const PipelineOptions &options);

/// Runs one step on the result of the step before, as runPhase does.
mlir::LogicalResult runStep(mlir::ModuleOp module, PipelineStep step,
                            const PipelineOptions &options);

/// Registers each step as a pass pipeline (`fuser-phase-preseg`, ..., `fuser-phase-loops`, ...) and
/// all phases as `fuser-to-kernel-ir`.
void registerPipelines();

} // namespace fuser

#endif // FUSER_PIPELINES_PIPELINES_H
