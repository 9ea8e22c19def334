//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How a program is compiled, and the schedules that its kernels could have.
//
//===----------------------------------------------------------------------===//

#include "Source.h"
#include "fuser/Session/Program.h"
#include "fuser/Support/DiagnosticText.h"
#include "fuser/Support/Interruption.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::session;
using artifact::ArrayView;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using runtime::CallArgument;

CompileOptions Program::makeCompileOptions(ArrayView<CallArgument> arguments) const {
  CompileOptions compiler;
  compiler.pipeline.target = *options.target;
  compiler.pipeline.sizes = describeSizes(arguments, *source->module);
  compiler.pipeline.registry = options.registry;
  compiler.pipeline.approximateMath = options.approximateMath;
  compiler.pipeline.markBoundaries = options.markBoundaries;
  compiler.pipeline.forceStreams = options.forceStreams;
  compiler.pipeline.dependentLaunches = options.dependentLaunches;
  compiler.pipeline.verifyEach = options.verifyEach;
  compiler.device = device->description().kind;
  // Schedules are those of the target, but launches must fit the device that runs them.
  if (int64_t most = device->description().maxCooperativeThreads)
    compiler.pipeline.target.maxCooperativeThreads = most;
  compiler.schedules = options.schedules;
  compiler.libdevicePath = options.libdevicePath;
  compiler.checkAccesses = options.checkAccesses;
  compiler.emitCode = options.emitCode;
  compiler.afterPhase = options.afterPhase;
  compiler.afterStage = options.afterStage;
  compiler.threads = options.threads;
  return compiler;
}

Expected<std::vector<TuningKernel>> Program::enumerateSchedules(ArrayView<CallArgument> given,
                                                                size_t most, const int *interrupt) {
  if (!source)
    return makeError(ErrorCode::Unsupported, "expected a program with a text, but got an artifact");
  std::lock_guard<std::mutex> lock(mutex);
  const std::vector<CallArgument> all = withConstants(given);
  const ArrayView<CallArgument> arguments(all);
  if (Status status = checkSignature(arguments); !status)
    return status.takeError();
  if (Status status = source->parse(); !status)
    return status.takeError();
  MLIRContext *context = source->context.get();
  OwningOpRef<ModuleOp> copy = source->module->clone();
  specialize(*copy, arguments);
  DiagnosticText diagnostics(context, source->text, kSourceName);
  InterruptionScope interruption(context, interrupt);
  FailureOr<std::vector<TuningKernel>> kernels =
      fuser::enumerateSchedules(*copy, makeCompileOptions(arguments), most);
  if (interruption.isInterrupted())
    return makeError(ErrorCode::Interrupted,
                     "expected to enumerate schedules, but was interrupted");
  if (failed(kernels))
    return Error{ErrorCode::CompilationFailed, diagnostics.take()};
  return std::move(*kernels);
}
