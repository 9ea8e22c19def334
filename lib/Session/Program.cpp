//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Program.h"

#include "ArtifactCache.h"
#include "Source.h"
#include "fuser/Support/DiagnosticText.h"
#include "fuser/Support/Interruption.h"
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

/// Each artifact of a program in the cache has its constants.
constexpr size_t kMaxCachedConstantBytes = size_t(1) << 24;
} // namespace

Program::Program(std::shared_ptr<runtime::Device> device, ProgramOptions options)
    : device(std::move(device)), options(std::move(options)) {
  runtime::KernelCacheOptions cache;
  cache.directory = this->options.cacheDirectory;
  kernels = std::make_shared<runtime::KernelCache>(this->device, cache);
}
Program::~Program() = default;

Expected<std::unique_ptr<Program>>
Program::create(StringRef text, std::shared_ptr<runtime::Device> device, ProgramOptions options) {
  std::unique_ptr<Program> program(new Program(std::move(device), std::move(options)));
  const artifact::DeviceDescription &description = program->device->description();
  if (!program->options.target) {
    if (description.kind == artifact::DeviceKind::Cuda) {
      program->options.target = description;
    } else {
      auto known = artifact::lookupDevice("sm_90");
      if (!known)
        return known.error();
      program->options.target = known.take();
    }
  }
  program->source = std::make_unique<Source>(text);
  if (!program->options.cacheDirectory.empty())
    if (auto key = getProgramKey(text, description, program->options))
      program->cache = std::make_unique<ArtifactCache>(program->options.cacheDirectory, *key);
  if (const artifact::Artifact *cached = program->cache ? program->cache->findAny() : nullptr) {
    Signature signature = getSignature(*cached);
    signature.constants = cached->constants;
    if (auto status = program->setSignature(std::move(signature)); !status)
      return status.takeError();
    return program;
  }
  if (auto status = program->source->parse(); !status)
    return status.takeError();
  if (auto status = program->setSignature(std::move(program->source->getSignature())); !status)
    return status.takeError();
  return program;
}

Expected<std::unique_ptr<Program>> Program::load(artifact::Artifact artifact,
                                                 std::shared_ptr<runtime::Device> device,
                                                 ProgramOptions options) {
  options.neverCompile = true;
  std::unique_ptr<Program> program(new Program(std::move(device), std::move(options)));
  Signature signature = getSignature(artifact);
  signature.constants = std::move(artifact.constants);
  artifact.constants.clear();
  if (auto status = program->setSignature(std::move(signature)); !status)
    return status.takeError();
  auto executable = program->makeExecutable(std::move(artifact), {});
  if (!executable)
    return executable.takeError();
  return program;
}

Status Program::addArtifact(artifact::Artifact artifact) {
  Signature signature = getSignature(artifact);
  auto isSame = [](const Parameter &a, const Parameter &b) {
    return a.rank == b.rank && a.dtype == b.dtype && a.sizes == b.sizes;
  };
  bool same = artifact.constants.size() == constants.size() && signature.aliases == aliases &&
              std::equal(signature.parameters.begin(), signature.parameters.end(),
                         parameters.begin(), parameters.end(), isSame);
  if (!same)
    return makeError(ErrorCode::InvalidProgram, "expected an artifact with the ",
                     getParameters().size(), " arguments and ", getNumResults(),
                     " results of the program, but got '", artifact.name, "' with others");
  artifact.constants.clear();
  std::lock_guard<std::mutex> lock(mutex);
  auto executable = makeExecutable(std::move(artifact), {});
  return executable ? Status() : Status(executable.takeError());
}

Status Program::setSignature(Signature &&signature) {
  parameters = std::move(signature.parameters);
  aliases = std::move(signature.aliases);
  for (const artifact::Constant &constant : signature.constants) {
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
  for (const Specialization *entry = executables.getFirst(); entry;
       entry = Specializations::getNext(entry)) {
    result.refusal = entry->executable->checkGuards(arguments);
    if (result.refusal.ok()) {
      result.executable = entry->executable;
      return result;
    }
    result.mayCompile = dependsOnSpecialization(result.refusal.error().code);
    if (!result.mayCompile)
      return result;
  }
  return result;
}

bool Program::wouldCompile(ArrayView<CallArgument> given, std::string *reason) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<CallArgument> all;
  if (!constants.empty())
    all = withConstants(given);
  ArrayView<CallArgument> arguments = constants.empty() ? given : ArrayView<CallArgument>(all);
  Lookup found = find(arguments);
  if (found.executable || !found.mayCompile || options.neverCompile)
    return false;
  if (loadCached(arguments, /*interrupt=*/nullptr))
    return false;
  if (reason)
    *reason = found.refusal.ok() ? "expected kernels, but none are compiled yet"
                                 : found.refusal.error().message;
  return true;
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
    prepared.executable = std::move(found.executable);
    return prepared;
  }
  if (!found.mayCompile)
    return found.refusal.takeError();
  Clock::time_point start = Clock::now();
  if (std::shared_ptr<Executable> cached = loadCached(arguments, interrupt)) {
    Prepared prepared;
    prepared.executable = std::move(cached);
    prepared.times.push_back({"load", millisecondsSince(start)});
    return prepared;
  }
  if (options.neverCompile || !mayCompile)
    return makeError(ErrorCode::NotCompiled,
                     "expected kernels that are compiled for these arguments, but there are none",
                     found.refusal ? std::string() : ": " + found.refusal.error().message);
  const std::vector<SizeRange> ranges = executables.chooseRanges(arguments);
  Expected<Prepared> compiled = compileFor(arguments, interrupt, /*forEmpty=*/false, ranges);
  // A program may not allow the range, such as one that states other facts about the size.
  if (!compiled && !ranges.empty() && compiled.error().code != ErrorCode::Interrupted)
    return compileFor(arguments, interrupt, /*forEmpty=*/false, {});
  return compiled;
}

Expected<std::shared_ptr<Executable>>
Program::makeExecutable(artifact::Artifact artifact, runtime::ExecutableOptions execution) {
  execution.libraries = options.libraries;
  execution.threads = options.threads;
  execution.kernels = kernels;
  auto executable = Executable::create(std::move(artifact), device, std::move(execution));
  if (!executable)
    return executable.takeError();
  std::shared_ptr<Executable> made = executable.take();
  executables.add(made);
  return made;
}

std::shared_ptr<Executable> Program::loadCached(ArrayView<CallArgument> arguments,
                                                const int *interrupt) {
  if (!cache)
    return nullptr;
  std::shared_ptr<Executable> loaded;
  // As in the order of executables, code for one size comes before code for a range.
  auto isPreferred = [](const artifact::Artifact &artifact) {
    return getGenerality(artifact, getSizeBounds(artifact)).rangeBits == 0;
  };
  cache->find(getSpecializationKey(arguments), isPreferred, [&](artifact::Artifact artifact) {
    // They are on the device already.
    artifact.constants.clear();
    runtime::ExecutableOptions execution;
    execution.onlyFor = arguments;
    execution.interrupt = interrupt;
    auto executable = makeExecutable(std::move(artifact), std::move(execution));
    if (executable)
      loaded = executable.take();
    return bool(loaded);
  });
  return loaded;
}

void Program::storeInCache(ArrayView<CallArgument> arguments, const artifact::Artifact &artifact) {
  if (!cache)
    return;
  if (constants.empty())
    return cache->store(getSpecializationKey(arguments), artifact);
  auto values = readConstants();
  if (!values)
    return;
  size_t bytes = 0;
  for (const artifact::Constant &constant : *values)
    bytes += constant.bytes.size();
  if (bytes > kMaxCachedConstantBytes)
    return;
  artifact::Artifact complete = artifact;
  complete.constants = values.take();
  cache->store(getSpecializationKey(arguments), complete);
}

static bool hasEmptyDimension(ArrayView<CallArgument> arguments) {
  for (const CallArgument &argument : arguments)
    if (argument.isTensor &&
        llvm::is_contained(ArrayRef(argument.tensor.sizes, argument.tensor.rank), 0))
      return true;
  return false;
}

Expected<Prepared> Program::compileFor(ArrayView<CallArgument> arguments, const int *interrupt,
                                       bool forEmpty, ArrayView<SizeRange> ranges) {
  if (options.emitCode)
    device->prepareAssembler();
  if (Status status = source->parse(); !status)
    return status.takeError();
  MLIRContext *context = source->context.get();
  CompileOptions compiler = makeCompileOptions(arguments);
  ProgressReporter progress(options.onProgress, options.progressDelay);
  if (progress.isNeeded())
    compiler.onProgress = [&](const CompileProgress &compiling) {
      progress.report(compiling.step.str(), compiling.done, compiling.total);
    };
  OwningOpRef<ModuleOp> copy = source->module->clone();
  specialize(*copy, arguments, forEmpty, ranges);
  DiagnosticText diagnostics(context, source->text, kSourceName);
  InterruptionScope interruption(context, interrupt);
  FailureOr<CompileResult> result = compile(*copy, compiler);
  if (interruption.isInterrupted())
    return makeError(ErrorCode::Interrupted, "expected to compile, but was interrupted");
  if (failed(result))
    return Error{ErrorCode::CompilationFailed, diagnostics.take()};
  Prepared prepared;
  prepared.compiled = true;
  prepared.times.push_back({"parse", source->parseMilliseconds});
  prepared.times.insert(prepared.times.end(), result->times.begin(), result->times.end());
  fallbacks.insert(fallbacks.end(), result->fallbacks.begin(), result->fallbacks.end());
  prepared.fallbacks = std::move(result->fallbacks);
  prepared.singleOps = std::move(result->singleOps);
  prepared.tuned = std::move(result->tuned);
  if (!options.emitCode)
    return prepared;
  Clock::time_point start = Clock::now();
  runtime::ExecutableOptions execution;
  execution.interrupt = interrupt;
  if (progress.isNeeded())
    execution.onProgress = [&](size_t loaded, size_t total) {
      progress.report("load", loaded, total);
    };
  // It is kept even if the guards fail, so that the same arguments do not compile again.
  auto executable = makeExecutable(std::move(result->artifact), std::move(execution));
  if (!executable)
    return executable.error();
  prepared.times.push_back({"load", millisecondsSince(start)});
  prepared.executable = executable.take();
  if (auto status = prepared.executable->checkGuards(arguments); !status) {
    if (!forEmpty &&
        (hasEmptyDimension(arguments) || refusesEmptyValues(prepared.executable->getArtifact())))
      return compileFor(arguments, interrupt, /*forEmpty=*/true, ranges);
    return status.error();
  }
  storeInCache(arguments, prepared.executable->getArtifact());
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
  auto values = readConstants();
  if (!values)
    return values.takeError();
  artifact.constants = values.take();
  return artifact;
}

Expected<std::vector<artifact::Constant>> Program::readConstants() const {
  std::vector<artifact::Constant> values;
  for (const runtime::Tensor &tensor : constants) {
    artifact::Constant &constant = values.emplace_back();
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
  return values;
}

size_t Program::getNumFallbacks() const {
  std::lock_guard<std::mutex> lock(mutex);
  return fallbacks.size();
}

const std::string *Program::getFallback(size_t number) const {
  std::lock_guard<std::mutex> lock(mutex);
  return number < fallbacks.size() ? &fallbacks[number] : nullptr;
}

/// One check of the arguments, where a lookup adds another one, without a lock.
template <typename TryCall> bool Program::tryExecutables(TryCall tryCall) {
  if (!constants.empty())
    return false;
  const Specialization *first = executables.getFirst();
  // Calls tend to repeat. The last one may be passed over only for one that is less general.
  const Specialization *last = lastUsed.load(std::memory_order_acquire);
  const bool isLastBest = last && !(first->generality < last->generality);
  if (isLastBest && tryCall(*last->executable))
    return true;
  for (const Specialization *entry = first; entry; entry = Specializations::getNext(entry)) {
    if ((isLastBest && entry == last) || !tryCall(*entry->executable))
      continue;
    if (entry != last)
      lastUsed.store(entry, std::memory_order_release);
    return true;
  }
  return false;
}

Expected<std::vector<runtime::Tensor>> Program::call(ArrayView<CallArgument> arguments,
                                                     runtime::Stream stream) {
  runtime::TensorReceiver receiver(getNumResults());
  if (Status status = call(arguments, receiver, stream); !status)
    return status.takeError();
  return receiver.take();
}

Status Program::call(ArrayView<CallArgument> arguments, runtime::ResultReceiver &receiver,
                     runtime::Stream stream) {
  std::optional<Status> status;
  if (tryExecutables([&](Executable &executable) {
        status = executable.tryCall(arguments, receiver, stream);
        return status.has_value();
      }))
    return std::move(*status);
  auto prepared = prepareCall(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->call(arguments, receiver, stream);
  return prepared->executable->call(withConstants(arguments), receiver, stream);
}

Status Program::callInto(ArrayView<CallArgument> arguments, ArrayView<runtime::TensorView> outputs,
                         runtime::Stream stream) {
  std::optional<Status> status;
  if (tryExecutables([&](Executable &executable) {
        status = executable.tryCallInto(arguments, outputs, stream);
        return status.has_value();
      }))
    return std::move(*status);
  auto prepared = prepareCall(arguments);
  if (!prepared)
    return prepared.error();
  if (constants.empty())
    return prepared->executable->callInto(arguments, outputs, stream);
  return prepared->executable->callInto(withConstants(arguments), outputs, stream);
}
