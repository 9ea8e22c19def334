//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Program.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include <chrono>

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

Expected<std::unique_ptr<Program>>
Program::create(StringRef text, std::shared_ptr<runtime::Device> device, ProgramOptions options) {
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
  registerImportDialects(registry);
  program->context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  DiagnosticText diagnostics(program->context.get());
  // MLIR's lexer needs a terminating zero, which a text with a length may lack.
  std::string terminated = text.str();
  program->module =
      parseSourceString<ModuleOp>(terminated, ParserConfig(program->context.get()), "program");
  if (!program->module)
    return Error{ErrorCode::InvalidProgram, diagnostics.take()};
  FailureOr<ImportedProgram> imported = importProgram(*program->module);
  if (failed(imported))
    return Error{ErrorCode::InvalidProgram, diagnostics.take()};
  if (auto status = program->readSignature(); !status)
    return status.takeError();
  if (auto status = program->uploadConstants(*imported); !status)
    return status.takeError();
  runtime::KernelCacheOptions cache;
  cache.directory = program->options.cacheDirectory;
  program->kernels = std::make_shared<runtime::KernelCache>(program->device, cache);
  program->parseMilliseconds = millisecondsSince(start);
  return program;
}

/// The type in which a call passes a scalar; f32 if it is not a scalar.
static artifact::DType getScalarType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF64() ? artifact::DType::Complex128
                                            : artifact::DType::Complex64;
  if (type.isInteger(1))
    return artifact::DType::Bool;
  if (type.isInteger(64) || type.isIndex())
    return artifact::DType::I64;
  return type.isF64() ? artifact::DType::F64 : artifact::DType::F32;
}

Status Program::uploadConstants(const ImportedProgram &imported) {
  for (const ImportedConstant &constant : imported.constants) {
    auto tensor = runtime::allocateTensor(device, constant.dtype, constant.sizes);
    if (!tensor)
      return tensor.takeError();
    constants.push_back(tensor.take());
    if (!constant.bytes.empty())
      if (Status status = device->copyToDevice(constants.back().data, constant.bytes.data(),
                                               constant.bytes.size(), nullptr);
          !status)
        return status;
  }
  // Later calls may use any stream.
  return constants.empty() ? Status() : device->synchronize(nullptr);
}

std::vector<CallArgument> Program::withConstants(ArrayView<CallArgument> arguments) const {
  std::vector<CallArgument> all(arguments.begin(), arguments.end());
  for (const runtime::Tensor &constant : constants)
    all.emplace_back(constant.view());
  return all;
}

/// The only program of the module is a fusion before segmentation, its host function after.
Status Program::readSignature() {
  unsigned programs = 0;
  for (Operation &op : *module->getBody()) {
    StringRef name = op.getName().getStringRef();
    if (name != "fuser.fusion" && name != "fuser.host")
      continue;
    if (programs++ > 0)
      continue;
    auto function = cast<FunctionOpInterface>(op);
    aliases.assign(function.getNumResults(), -1);
    if (auto list = op.getAttrOfType<ArrayAttr>("aliases"))
      for (auto alias : list.getAsRange<AliasAttr>())
        aliases[alias.getOutput()] = alias.getInput();
    for (Type type : function.getArgumentTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      parameters.push_back({tensor ? tensor.getRank() : -1, getScalarType(type)});
    }
  }
  if (programs != 1)
    return makeError(ErrorCode::InvalidProgram, "expected one fusion or host function, but got ",
                     programs);
  return {};
}

Status Program::checkSignature(ArrayView<CallArgument> arguments) const {
  if (arguments.size() != parameters.size())
    return makeError(ErrorCode::ArgumentCount, "expected ", getParameters().size(),
                     " arguments, but got ", arguments.size() - constants.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t rank = parameters[i].rank;
    bool isTensor = rank >= 0;
    if (arguments[i].isTensor != isTensor)
      return makeError(ErrorCode::ArgumentKind, "argument ", i, ": expected a ",
                       isTensor ? "tensor" : "scalar", ", but got a ",
                       isTensor ? "scalar" : "tensor");
    const runtime::TensorView &tensor = arguments[i].tensor;
    if (isTensor && tensor.rank != rank)
      return makeError(ErrorCode::RankMismatch, "argument ", i, ": expected rank ", rank,
                       ", but got rank ", tensor.rank);
    for (uint32_t dim = 0; isTensor && dim < tensor.rank; ++dim)
      if (tensor.sizes[dim] < 0)
        return makeError(ErrorCode::SizeMismatch, "argument ", i,
                         ": expected size of at least 0 in dimension ", dim, ", but got ",
                         tensor.sizes[dim]);
  }
  return {};
}

/// True for errors that another specialization can avoid; others apply to all specializations.
static bool dependsOnSpecialization(ErrorCode code) {
  return code == ErrorCode::GuardFailed || code == ErrorCode::StrideMismatch ||
         code == ErrorCode::AlignmentMismatch;
}

Program::Lookup Program::find(ArrayView<CallArgument> arguments) const {
  Lookup result;
  result.refusal = checkSignature(arguments);
  result.mayCompile = result.refusal.ok();
  if (!result.mayCompile)
    return result;
  // Newest first, because calls tend to repeat.
  for (const auto &executable : llvm::reverse(executables)) {
    result.refusal = executable->checkGuards(arguments);
    if (result.refusal.ok()) {
      result.executable = executable;
      return result;
    }
    result.mayCompile = dependsOnSpecialization(result.refusal.error().code);
    if (!result.mayCompile)
      return result;
  }
  return result;
}

bool Program::wouldCompile(ArrayView<CallArgument> given) const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<CallArgument> all;
  if (!constants.empty())
    all = withConstants(given);
  Lookup found = find(constants.empty() ? given : ArrayView<CallArgument>(all));
  return !found.executable && found.mayCompile;
}

Expected<Prepared> Program::prepare(ArrayView<CallArgument> given) {
  std::lock_guard<std::mutex> lock(mutex);
  // Most programs have no constants, so that their calls copy nothing.
  std::vector<CallArgument> all;
  if (!constants.empty())
    all = withConstants(given);
  ArrayView<CallArgument> arguments = constants.empty() ? given : ArrayView<CallArgument>(all);
  Lookup found = find(arguments);
  if (found.executable) {
    Prepared prepared;
    prepared.executable = std::move(found.executable);
    return prepared;
  }
  if (!found.mayCompile)
    return found.refusal.takeError();
  return compileFor(arguments);
}

static bool hasEmptyDimension(ArrayView<CallArgument> arguments) {
  for (const CallArgument &argument : arguments)
    if (argument.isTensor &&
        llvm::is_contained(ArrayRef(argument.tensor.sizes, argument.tensor.rank), 0))
      return true;
  return false;
}

Expected<Prepared> Program::compileFor(ArrayView<CallArgument> arguments, bool forEmpty) {
  CompileOptions compiler;
  compiler.pipeline.target = *options.target;
  compiler.pipeline.sizes = describeSizes(arguments);
  compiler.pipeline.registry = options.registry;
  compiler.pipeline.approximateMath = options.approximateMath;
  compiler.pipeline.verifyEach = options.verifyEach;
  compiler.device = device->description().kind;
  // Schedules are those of the target, but launches must fit the device that runs them.
  if (int64_t most = device->description().maxCooperativeThreads)
    compiler.pipeline.target.maxCooperativeThreads = most;
  compiler.libdevicePath = options.libdevicePath;
  compiler.checkAccesses = options.checkAccesses;
  compiler.emitCode = options.emitCode;
  compiler.afterPhase = options.afterPhase;
  OwningOpRef<ModuleOp> copy = module->clone();
  specialize(*copy, arguments, forEmpty);
  DiagnosticText diagnostics(context.get());
  FailureOr<CompileResult> result = compile(*copy, compiler);
  if (failed(result))
    return Error{ErrorCode::CompilationFailed, diagnostics.take()};
  Prepared prepared;
  prepared.compiled = true;
  prepared.times.push_back({"parse", parseMilliseconds});
  prepared.times.insert(prepared.times.end(), result->times.begin(), result->times.end());
  fallbacks.insert(fallbacks.end(), result->fallbacks.begin(), result->fallbacks.end());
  prepared.fallbacks = std::move(result->fallbacks);
  if (!options.emitCode)
    return prepared;
  Clock::time_point start = Clock::now();
  runtime::ExecutableOptions execution;
  execution.libraries = options.libraries;
  execution.kernels = kernels;
  auto executable = Executable::create(std::move(result->artifact), device, execution);
  if (!executable)
    return executable.error();
  prepared.times.push_back({"load", millisecondsSince(start)});
  prepared.executable = executable.take();
  // Keep it even if the guards fail, so that the same arguments do not compile again.
  executables.push_back(prepared.executable);
  if (auto status = prepared.executable->checkGuards(arguments); !status) {
    if (!forEmpty && hasEmptyDimension(arguments))
      return compileFor(arguments, /*forEmpty=*/true);
    return status.error();
  }
  return prepared;
}

size_t Program::getNumFallbacks() const {
  std::lock_guard<std::mutex> lock(mutex);
  return fallbacks.size();
}

const std::string *Program::getFallback(size_t number) const {
  std::lock_guard<std::mutex> lock(mutex);
  return number < fallbacks.size() ? &fallbacks[number] : nullptr;
}

Expected<std::vector<runtime::Tensor>> Program::call(ArrayView<CallArgument> arguments,
                                                     runtime::Stream stream) {
  auto prepared = prepare(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->call(arguments, stream);
  return prepared->executable->call(withConstants(arguments), stream);
}

Status Program::callInto(ArrayView<CallArgument> arguments, ArrayView<runtime::TensorView> outputs,
                         runtime::Stream stream) {
  auto prepared = prepare(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->callInto(arguments, outputs, stream);
  return prepared->executable->callInto(withConstants(arguments), outputs, stream);
}
