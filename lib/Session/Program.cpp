//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Program.h"
#include "fuser/Dialect/IR/ArgumentNames.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Export/ExportArtifact.h"
#include "fuser/Support/DiagnosticText.h"
#include "fuser/Support/Interruption.h"
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

/// The name of the text in locations.
constexpr StringLiteral kSourceName = "program";
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
  program->context->printOpOnDiagnostic(false);
  // MLIR's lexer needs a terminating zero, which a text with a length may lack.
  program->source = text.str();
  DiagnosticText diagnostics(program->context.get(), program->source, kSourceName);
  program->module = parseSourceString<ModuleOp>(program->source,
                                                ParserConfig(program->context.get()), kSourceName);
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

static Program::Parameter describeParameter(BlockArgument argument) {
  Program::Parameter parameter;
  parameter.name = getArgumentName(argument);
  auto tensor = dyn_cast<RankedTensorType>(argument.getType());
  if (!tensor) {
    parameter.dtype = getScalarType(argument.getType());
    return parameter;
  }
  parameter.rank = tensor.getRank();
  parameter.dtype = getDType(tensor.getElementType());
  for (int64_t size : tensor.getShape())
    parameter.sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return parameter;
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
    for (BlockArgument argument : function.getArguments())
      parameters.push_back(describeParameter(argument));
  }
  if (programs != 1)
    return makeError(ErrorCode::InvalidProgram, "expected one fusion or host function, but got ",
                     programs);
  return {};
}

/// Checks what no specialization changes, so that a wrong call does not compile first.
static Status checkArgument(size_t number, const Program::Parameter &parameter,
                            const CallArgument &argument) {
  auto refuse = [&](ErrorCode code, const auto &...parts) -> Status {
    std::string name = parameter.name.empty() ? "" : " (" + parameter.name + ")";
    return makeError(code, "argument ", number, name, ": expected ", parts...);
  };
  bool isTensor = parameter.rank >= 0;
  if (argument.isTensor != isTensor)
    return refuse(ErrorCode::ArgumentKind, isTensor ? "a tensor" : "a scalar", ", but got a ",
                  isTensor ? "scalar" : "tensor");
  if (!isTensor)
    return {};
  const runtime::TensorView &tensor = argument.tensor;
  if (tensor.rank != parameter.rank)
    return refuse(ErrorCode::RankMismatch, "rank ", parameter.rank, ", but got rank ", tensor.rank);
  if (parameter.dtype && tensor.dtype != *parameter.dtype)
    return refuse(ErrorCode::DTypeMismatch, "element type ", artifact::toString(*parameter.dtype),
                  ", but got ", artifact::toString(tensor.dtype));
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    int64_t wanted = parameter.sizes[dim], size = tensor.sizes[dim];
    if (size < 0)
      return refuse(ErrorCode::SizeMismatch, "size of at least 0 in dimension ", dim, ", but got ",
                    size);
    if (wanted >= 0 && size != wanted)
      return refuse(ErrorCode::SizeMismatch, "size ", wanted, " in dimension ", dim, ", but got ",
                    size);
  }
  return {};
}

Status Program::checkSignature(ArrayView<CallArgument> arguments) const {
  if (arguments.size() != parameters.size())
    return makeError(ErrorCode::ArgumentCount, "expected ", getParameters().size(),
                     " arguments, but got ", arguments.size() - constants.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = checkArgument(i, parameters[i], arguments[i]); !status)
      return status;
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

Expected<Prepared> Program::prepare(ArrayView<CallArgument> arguments, const int *interrupt) {
  return findOrCompile(arguments, /*mayCompile=*/true, interrupt);
}

Expected<Prepared> Program::prepareCall(ArrayView<CallArgument> arguments) {
  return findOrCompile(arguments, options.compileOnCall, /*interrupt=*/nullptr);
}

Expected<Prepared> Program::findOrCompile(ArrayView<CallArgument> given, bool mayCompile,
                                          const int *interrupt) {
  std::lock_guard<std::mutex> lock(mutex);
  // Most programs have no constants, so that their calls copy nothing.
  std::vector<CallArgument> all;
  if (!constants.empty())
    all = withConstants(given);
  ArrayView<CallArgument> arguments = constants.empty() ? given : ArrayView<CallArgument>(all);
  Lookup found = find(arguments);
  if (found.executable) {
    Prepared prepared;
    prepared.executable = lastUsed = std::move(found.executable);
    return prepared;
  }
  if (!found.mayCompile)
    return found.refusal.takeError();
  if (!mayCompile)
    return makeError(ErrorCode::NotCompiled,
                     "expected kernels that are compiled for these arguments, but there are none");
  return compileFor(arguments, interrupt);
}

static bool hasEmptyDimension(ArrayView<CallArgument> arguments) {
  for (const CallArgument &argument : arguments)
    if (argument.isTensor &&
        llvm::is_contained(ArrayRef(argument.tensor.sizes, argument.tensor.rank), 0))
      return true;
  return false;
}

Expected<Prepared> Program::compileFor(ArrayView<CallArgument> arguments, const int *interrupt,
                                       bool forEmpty) {
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
  DiagnosticText diagnostics(context.get(), source, kSourceName);
  InterruptionScope interruption(context.get(), interrupt);
  FailureOr<CompileResult> result = compile(*copy, compiler);
  if (interruption.isInterrupted())
    return makeError(ErrorCode::Interrupted, "expected to compile, but was interrupted");
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
  execution.interrupt = interrupt;
  auto executable = Executable::create(std::move(result->artifact), device, execution);
  if (!executable)
    return executable.error();
  prepared.times.push_back({"load", millisecondsSince(start)});
  prepared.executable = executable.take();
  // Keep it even if the guards fail, so that the same arguments do not compile again.
  executables.push_back(prepared.executable);
  lastUsed = prepared.executable;
  if (auto status = prepared.executable->checkGuards(arguments); !status) {
    if (!forEmpty && hasEmptyDimension(arguments))
      return compileFor(arguments, interrupt, /*forEmpty=*/true);
    return status.error();
  }
  return prepared;
}

Expected<artifact::Artifact> Program::getArtifact(ArrayView<CallArgument> arguments,
                                                  const int *interrupt) {
  Expected<Prepared> prepared = prepare(arguments, interrupt);
  if (!prepared)
    return prepared.takeError();
  if (!prepared->executable)
    return makeError(ErrorCode::Unsupported,
                     "expected a program that emits code, but got one that stops at kernel IR");
  artifact::Artifact artifact = prepared->executable->getArtifact();
  for (const runtime::Tensor &tensor : constants) {
    artifact::Constant &constant = artifact.constants.emplace_back();
    constant.dtype = tensor.dtype;
    constant.sizes = tensor.sizes;
    int64_t elements = 1;
    for (int64_t size : tensor.sizes)
      elements *= size;
    constant.bytes.resize(static_cast<size_t>(elements) * artifact::byteSize(tensor.dtype));
    if (!constant.bytes.empty())
      if (Status status = device->copyToHost(constant.bytes.data(), tensor.data,
                                             constant.bytes.size(), nullptr);
          !status)
        return status.takeError();
  }
  return artifact;
}

size_t Program::getNumFallbacks() const {
  std::lock_guard<std::mutex> lock(mutex);
  return fallbacks.size();
}

const std::string *Program::getFallback(size_t number) const {
  std::lock_guard<std::mutex> lock(mutex);
  return number < fallbacks.size() ? &fallbacks[number] : nullptr;
}

std::shared_ptr<Executable> Program::getLastUsed() const {
  std::lock_guard<std::mutex> lock(mutex);
  return lastUsed;
}

Expected<std::vector<runtime::Tensor>> Program::call(ArrayView<CallArgument> arguments,
                                                     runtime::Stream stream) {
  // Calls tend to repeat: one check of the arguments, where a lookup adds another one.
  if (constants.empty())
    if (std::shared_ptr<Executable> last = getLastUsed())
      if (auto outputs = last->tryCall(arguments, stream))
        return std::move(*outputs);
  auto prepared = prepareCall(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->call(arguments, stream);
  return prepared->executable->call(withConstants(arguments), stream);
}

Status Program::callInto(ArrayView<CallArgument> arguments, ArrayView<runtime::TensorView> outputs,
                         runtime::Stream stream) {
  if (constants.empty())
    if (std::shared_ptr<Executable> last = getLastUsed())
      if (std::optional<Status> status = last->tryCallInto(arguments, outputs, stream))
        return std::move(*status);
  auto prepared = prepareCall(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->callInto(arguments, outputs, stream);
  return prepared->executable->callInto(withConstants(arguments), outputs, stream);
}
