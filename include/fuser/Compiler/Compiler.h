//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The API to embed: it compiles a module with one fusion to an artifact. It needs no GPU and no
// driver.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_COMPILER_COMPILER_H
#define FUSER_COMPILER_COMPILER_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <functional>

namespace fuser {

/// How far a compilation is.
struct CompileProgress {
  /// The step that runs: a phase, "ptx" or "object".
  llvm::StringRef step;
  /// Different kernels that the step has finished, and all of them; 0 of 0 in a step that does not
  /// count them.
  size_t done = 0, total = 0;
};

/// Options of a compilation.
struct CompileOptions {
  /// The target and the sizes that kernels are scheduled for.
  PipelineOptions pipeline;
  /// The device that executes the kernels: PTX for Cuda, an object for Host. The kernel IR depends
  /// only on the target.
  artifact::DeviceKind device = artifact::DeviceKind::Cuda;
  /// Schedules of kernels as text, as fuser-tune writes them (ScheduleLibrary); empty: none.
  std::string schedules;
  /// Path of libdevice.10.bc; empty: getLibdevicePath().
  std::string libdevicePath;
  /// Host: generate checks of the kernels' accesses and waits (HostLoweringOptions).
  bool checkAccesses = false;
  /// Threads that emit code for different kernels at the same time; 0: one per processor. The
  /// result and the diagnostics are those of one thread.
  unsigned threads = 0;
  /// Called at the beginning of each step and after each kernel; by any thread, one call at a time.
  std::function<void(const CompileProgress &)> onProgress;
  /// Emit code for the kernels and export the host function; false: the result holds only times.
  bool emitCode = true;
  /// Called with the module after each phase, and again after a kernel is split.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
  /// Called with a copy of the module after each stage of lowering. The module itself is lowered as
  /// without the function.
  std::function<void(PipelineStep, mlir::ModuleOp)> afterStage;
};

/// Wall time of one step in milliseconds: a phase, "ptx" or "object", "export".
struct StepTime {
  std::string name;
  double milliseconds;
};

/// The result of a compilation.
struct CompileResult {
  artifact::Artifact artifact;
  std::vector<StepTime> times;
  /// One sentence, with the reason, for each kernel that segmentation split or rescheduled because
  /// its schedule cannot be lowered. The fusion has a remark for each as well.
  std::vector<std::string> fallbacks;
  /// One sentence for each kernel of one op that the fallback scheduler (single_op) computes.
  std::vector<std::string> singleOps;
  /// The names of the kernels that have parameters of CompileOptions::schedules.
  std::vector<std::string> tuned;
};

/// Registers every dialect, interface and translation that compilation needs.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// Compiles the only fusion (or the only host function, if the module is past segmentation) of
/// `module`, in place: `module` holds kernel IR afterwards. Starts from the current phase of the
/// module. Fails after a diagnostic. Needs registerCompilerDialects on the context; modules of
/// different contexts may be compiled concurrently. With several kernels and threads,
/// multithreading of the context is enabled while code is emitted.
mlir::FailureOr<CompileResult> compile(mlir::ModuleOp module, const CompileOptions &options);

} // namespace fuser

#endif // FUSER_COMPILER_COMPILER_H
