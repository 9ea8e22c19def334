//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The API to embed: a module with one fusion in, an artifact out. No GPU and no driver are needed.
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

/// How to compile.
struct CompileOptions {
  /// The target and the sizes that kernels are scheduled for.
  PipelineOptions pipeline;
  /// What executes the kernels: PTX for Cuda, an object for Host. For one target the kernel IR is
  /// the same.
  artifact::DeviceKind device = artifact::DeviceKind::Cuda;
  /// libdevice.10.bc; empty: the one that the build found.
  std::string libdevicePath;
  /// Host: kernels whose accesses and waits are checked (HostLoweringOptions).
  bool checkAccesses = false;
  /// Emit code for the kernels and export the host function; false: the result has times only.
  bool emitCode = true;
  /// Called after each phase with the module as it is then; again where kernels are taken apart.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
};

/// Wall time of one step in milliseconds: a phase, "ptx" or "object", "export".
struct StepTime {
  std::string name;
  double milliseconds;
};

/// What compiling gave.
struct CompileResult {
  artifact::Artifact artifact;
  std::vector<StepTime> times;
  /// A sentence for each kernel that was taken apart because a phase refused it: which, and why.
  /// The fusion has a remark for each as well.
  std::vector<std::string> fallbacks;
};

/// Adds every dialect, interface and translation that compiling needs.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// Compiles the only fusion (or host function, where the module is past segmentation) of `module`,
/// which is changed on the way: it holds kernel IR afterwards. Starts from whatever phase the
/// module is at. Where a phase refuses a kernel that was fused, its ops get kernels of their own
/// (ADR 50). Fails after a diagnostic. Needs registerCompilerDialects on the context; modules
/// of different contexts may be compiled at the same time.
mlir::FailureOr<CompileResult> compile(mlir::ModuleOp module, const CompileOptions &options);

} // namespace fuser

#endif // FUSER_COMPILER_COMPILER_H
