//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Program.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <chrono>

using namespace mlir;
using namespace fuser;
using namespace fuser::session;
using artifact::ArrayView;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using runtime::CallArgument;
using runtime::Executable;

namespace {
using Clock = std::chrono::steady_clock;
double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Collects errors (and their notes) as text while it lives.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return;
          llvm::raw_string_ostream stream(text);
          stream << (text.empty() ? "" : "\n") << diagnostic.getLocation() << ": " << diagnostic;
          for (Diagnostic &note : diagnostic.getNotes())
            stream << "\n" << note.getLocation() << ": note: " << note;
        }) {}
  std::string take() { return std::move(text); }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

Program::Program(std::shared_ptr<runtime::Device> device, ProgramOptions options)
    : device(std::move(device)), options(std::move(options)) {}
Program::~Program() = default;

Expected<std::unique_ptr<Program>> Program::create(StringRef text,
                                                   std::shared_ptr<runtime::Device> device,
                                                   ProgramOptions options) {
  Clock::time_point start = Clock::now();
  std::unique_ptr<Program> program(new Program(std::move(device), std::move(options)));
  if (!program->options.target) {
    const artifact::DeviceDescription &description = program->device->description();
    if (description.kind == artifact::DeviceKind::Cuda) {
      program->options.target = description;
    } else {
      auto known = artifact::lookupDevice("sm_90");
      if (!known)
        return known.error();
      program->options.target = known.take();
    }
  }
  DialectRegistry registry;
  registerCompilerDialects(registry);
  program->context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  DiagnosticText diagnostics(program->context.get());
  program->module =
      parseSourceString<ModuleOp>(text, ParserConfig(program->context.get()), "program");
  if (!program->module)
    return Error{ErrorCode::InvalidProgram, diagnostics.take()};
  runtime::KernelCacheOptions cache;
  cache.directory = program->options.cacheDirectory;
  program->kernels = std::make_shared<runtime::KernelCache>(program->device, cache);
  program->parseMilliseconds = millisecondsSince(start);
  return program;
}

std::shared_ptr<Executable> Program::find(ArrayView<CallArgument> arguments) const {
  for (const auto &executable : executables)
    if (executable->checkGuards(arguments))
      return executable;
  return nullptr;
}

bool Program::wouldCompile(ArrayView<CallArgument> arguments) const {
  std::lock_guard<std::mutex> lock(mutex);
  return !find(arguments);
}

Expected<Prepared> Program::prepare(ArrayView<CallArgument> arguments) {
  std::lock_guard<std::mutex> lock(mutex);
  Prepared prepared;
  if ((prepared.executable = find(arguments)))
    return prepared;
  return compileFor(arguments);
}

Expected<Prepared> Program::compileFor(ArrayView<CallArgument> arguments) {
  CompileOptions compiler;
  compiler.pipeline.target = *options.target;
  compiler.pipeline.sizes = describeSizes(arguments);
  compiler.pipeline.registry = options.registry;
  compiler.device = device->description().kind;
  compiler.libdevicePath = options.libdevicePath;
  compiler.afterPhase = options.afterPhase;
  OwningOpRef<ModuleOp> copy = module->clone();
  specialize(*copy, arguments);
  DiagnosticText diagnostics(context.get());
  FailureOr<CompileResult> result = compile(*copy, compiler);
  if (failed(result))
    return Error{ErrorCode::CompilationFailed, diagnostics.take()};
  Prepared prepared;
  prepared.compiled = true;
  prepared.times.push_back({"parse", parseMilliseconds});
  prepared.times.insert(prepared.times.end(), result->times.begin(), result->times.end());
  Clock::time_point start = Clock::now();
  runtime::ExecutableOptions execution;
  execution.kernels = kernels;
  auto executable = Executable::create(std::move(result->artifact), device, execution);
  if (!executable)
    return executable.error();
  prepared.times.push_back({"load", millisecondsSince(start)});
  prepared.executable = executable.take();
  // Arguments that no specialisation of the program accepts are the caller's error.
  if (auto status = prepared.executable->checkGuards(arguments); !status)
    return status.error();
  executables.push_back(prepared.executable);
  return prepared;
}

Expected<std::vector<runtime::Tensor>> Program::call(ArrayView<CallArgument> arguments,
                                                     runtime::Stream stream) {
  auto prepared = prepare(arguments);
  if (!prepared)
    return prepared.error();
  return prepared->executable->call(arguments, stream);
}
