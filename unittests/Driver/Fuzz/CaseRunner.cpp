//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "OutputCheck.h"

#include "WorkEstimate.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Driver/Inputs.h"
#include "fuser/Driver/ProgramFile.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Session/Program.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/SourceMgr.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;
using artifact::ErrorCode;

/// The most accesses of a case, each of which the host device checks: some seconds.
static constexpr double kMostAccesses = 5e7;

const char *fuser::fuzz::toString(Verdict verdict) {
  static const char *const kNames[] = {"passed", "rounding", "fallback", "refused", "wrong",
                                       "fault",  "internal", "crash",    "hang"};
  return kNames[static_cast<unsigned>(verdict)];
}

std::string Program::toRequest() const {
  std::string request = sizes + "\n" + std::to_string(ranges.size()) + "\n";
  for (const std::string &range : ranges)
    request += range + "\n";
  return request + text;
}

Program Program::fromRequest(StringRef request) {
  auto takeLine = [&] {
    auto [line, rest] = request.split('\n');
    request = rest;
    return line.str();
  };
  Program program;
  program.sizes = takeLine();
  program.ranges.resize(std::stoul(takeLine()));
  for (std::string &range : program.ranges)
    range = takeLine();
  program.text = request.str();
  return program;
}

namespace {
/// A file with a program, as the driver wants it; gone with the object.
class TemporaryProgram {
public:
  explicit TemporaryProgram(StringRef text) {
    int descriptor = 0;
    if (llvm::sys::fs::createTemporaryFile("fuser-fuzz", "mlir", descriptor, path))
      return;
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  }
  ~TemporaryProgram() { (void)llvm::sys::fs::remove(path); }
  std::string getPath() const { return path.str().str(); }

private:
  llvm::SmallString<64> path;
};
} // namespace

/// True where a diagnostic is about an op that lowering made: whoever wrote the schedule cannot do
/// anything about it.
static bool isInternal(StringRef diagnostic) {
  for (StringRef dialect :
       {"arith", "memref", "scf", "vector", "gpu", "llvm", "cf", "fuser_gpu", "affine", "math"})
    if (diagnostic.contains(("'" + dialect + ".").str()))
      return true;
  return diagnostic.empty() || !diagnostic.contains("expected");
}

static Outcome judge(const artifact::Error &error) {
  switch (error.code) {
  case ErrorCode::CompilationFailed:
  case ErrorCode::InvalidProgram:
    return {isInternal(error.message) ? Verdict::Internal : Verdict::Refused, error.message};
  case ErrorCode::InvalidLaunch:
  case ErrorCode::CooperativeTooLarge:
  case ErrorCode::OutOfMemory:
  case ErrorCode::GuardFailed:
    return {Verdict::Refused, error.message};
  default:
    return {Verdict::Fault, error.str()};
  }
}

/// A result as it lies in memory that the host reads.
static artifact::Expected<driver::HostArray> download(runtime::Device &device,
                                                      const runtime::Tensor &result) {
  int64_t reach = llvm::is_contained(result.sizes, 0) ? 0 : 1;
  for (auto [size, stride] : llvm::zip_equal(result.sizes, result.strides))
    reach += reach ? (size - 1) * stride : 0;
  std::vector<char> bytes(reach * artifact::byteSize(result.dtype));
  if (artifact::Status status = device.copyToHost(bytes.data(), result.data, bytes.size(), nullptr);
      !status)
    return status.takeError();
  return driver::fromStrided(bytes.data(), result.dtype, result.sizes, result.strides);
}

/// An argument on the device, in the order in which the program expects it.
static artifact::Expected<runtime::Tensor> upload(const std::shared_ptr<runtime::Device> &device,
                                                  const driver::HostArray &array,
                                                  ArrayRef<int64_t> order) {
  auto tensor = runtime::allocateTensor(device, array.dtype, array.shape);
  if (!tensor)
    return tensor.takeError();
  std::vector<char> moved;
  const std::vector<char> *bytes = &array.bytes;
  if (!llvm::is_sorted(order)) {
    auto strides = driver::getDenseStrides(array.shape, order);
    tensor->strides.assign(strides.begin(), strides.end());
    moved = driver::toStrided(array, strides);
    bytes = &moved;
  }
  if (artifact::Status status =
          device->copyToDevice(tensor->data, bytes->data(), bytes->size(), nullptr);
      !status)
    return status.takeError();
  return tensor.take();
}

namespace {
/// Outputs in row-major order, and their strides on the device.
struct Results {
  std::vector<driver::HostArray> arrays;
  std::vector<SmallVector<int64_t>> strides;
};
} // namespace

/// Describes an output whose strides are not those of its required order; empty: none.
static std::string checkStrides(FunctionOpInterface program, const Results &results) {
  for (auto [position, array] : llvm::enumerate(results.arrays)) {
    std::optional<ArrayRef<int64_t>> order = fuser::detail::getOutputStrideOrder(program, position);
    if (!order || llvm::is_contained(array.shape, 0))
      continue;
    auto expected = driver::getDenseStrides(array.shape, *order);
    for (auto [size, wanted, stride] :
         llvm::zip_equal(array.shape, expected, results.strides[position]))
      if (size > 1 && wanted != stride) {
        std::string text;
        llvm::raw_string_ostream(text)
            << "output " << position << ": expected strides [" << llvm::interleaved(expected)
            << "], but got [" << llvm::interleaved(results.strides[position]) << "]";
        return text;
      }
  }
  return "";
}

/// Adds to each launch one of the same kernel that stores over its outputs.
static void launchTwice(ModuleOp module) {
  SmallVector<LaunchOp> launches;
  module.walk([&](LaunchOp launch) { launches.push_back(launch); });
  for (LaunchOp launch : launches) {
    OpBuilder builder(launch.getContext());
    builder.setInsertionPointAfter(launch);
    auto again = cast<LaunchOp>(builder.clone(*launch));
    launch->replaceAllUsesWith(again);
    again.getOutputsMutable().assign(launch.getResults());
  }
}

/// Compiles and runs the program; its outputs, and why kernels were split.
static artifact::Expected<Results> runOnDevice(StringRef text, FunctionOpInterface function,
                                               const std::vector<driver::Input> &inputs,
                                               const RunOptions &run,
                                               std::vector<std::string> &fallbacks) {
  std::shared_ptr<runtime::Device> device = run.device;
  session::ProgramOptions options;
  options.afterPhase = [&](Phase phase, ModuleOp module) {
    if (run.launchesTwice && phase == Phase::Segmentation)
      launchTwice(module);
    if (run.afterPhase)
      run.afterPhase(phase, module);
  };
  options.verifyEach = true;
  options.forceStreams = run.forceStreams;
  if (run.dependentLaunches)
    options.dependentLaunches = DependentLaunches::All;
  if (!device) {
    runtime::HostDeviceOptions host;
    host.maxLiveThreads = run.maxLiveThreads;
    auto made = runtime::createHostDevice(host);
    if (!made)
      return made.takeError();
    device = made.take();
    options.checkAccesses = true;
    options.target = run.target;
  }
  auto program = session::Program::create(text, device, options);
  if (!program)
    return program.takeError();
  std::vector<runtime::Tensor> tensors;
  std::vector<runtime::CallArgument> arguments;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (!input.isTensor)
      continue;
    auto tensor =
        upload(device, input.array, fuser::detail::getArgLayout(function, number).getOrder());
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(tensor.take());
  }
  auto tensor = tensors.begin();
  for (const driver::Input &input : inputs) {
    if (input.isTensor) {
      arguments.emplace_back((tensor++)->view());
      continue;
    }
    runtime::ScalarValue scalar;
    scalar.dtype = input.array.dtype;
    std::memcpy(scalar.bytes, input.array.bytes.data(), input.array.bytes.size());
    arguments.emplace_back(scalar);
  }
  auto prepared = (*program)->prepare(arguments);
  if (!prepared)
    return prepared.takeError();
  fallbacks = prepared->fallbacks;
  auto results = prepared->executable->call(arguments);
  if (!results)
    return results.takeError();
  Results outputs;
  for (const runtime::Tensor &result : *results) {
    auto output = download(*device, result);
    if (!output)
      return output.takeError();
    outputs.arrays.push_back(output.take());
    outputs.strides.emplace_back(result.strides.begin(), result.strides.end());
  }
  return outputs;
}

Outcome fuser::fuzz::runHere(const Program &program, const DialectRegistry &registry,
                             const RunOptions &options) {
  TemporaryProgram onDisk(program.text);
  DialectRegistry dialects;
  registry.appendTo(dialects);
  registerCompilerDialects(dialects);
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics) << diagnostic << "\n";
    return success();
  });
  llvm::SourceMgr sources;
  FailureOr<driver::ProgramFile> file =
      driver::readProgram(onDisk.getPath(), /*name=*/"", sources, &context);
  if (failed(file))
    return judge({ErrorCode::InvalidProgram, diagnostics});
  driver::InputOptions sizes;
  sizes.allSizes = program.sizes;
  sizes.ranges = program.ranges;
  auto inputs = driver::makeInputs(*file, sizes);
  if (!inputs)
    return {Verdict::Internal, inputs.error().message};
  std::vector<std::string> fallbacks;
  auto outputs = runOnDevice(program.text, file->program, *inputs, options, fallbacks);
  if (!outputs)
    return judge(outputs.error());
  if (std::string fault = checkStrides(file->program, *outputs); !fault.empty())
    return {Verdict::Wrong, fault};
  if (options.outputs)
    *options.outputs = outputs->arrays;
  SmallVector<reference::Tensor> arguments, results;
  for (const driver::Input &input : *inputs)
    arguments.push_back(driver::toReference(input.array, getElementTypeOrSelf(input.type)));
  for (auto [output, type] : llvm::zip_equal(outputs->arrays, file->program.getResultTypes()))
    results.push_back(driver::toReference(output, getElementTypeOrSelf(type)));
  Outcome outcome = checkOutputs(file->program, arguments, results);
  if (hasRun(outcome.verdict) && !fallbacks.empty())
    return {Verdict::Fallback, fallbacks.front()};
  return outcome;
}

Outcome fuser::fuzz::runLimited(const Program &program, const DialectRegistry &registry, EndRun end,
                                const std::function<void(ModuleOp)> &mutation, bool launchesTwice) {
  RunOptions options;
  options.launchesTwice = launchesTwice;
  options.afterPhase = [&](Phase phase, ModuleOp module) {
    if (phase != Phase::Lowering)
      return;
    if (double accesses = countAccesses(module, program.sizes); accesses > kMostAccesses)
      end({Verdict::Refused, "too many accesses to memory"});
    if (mutation)
      mutation(module);
  };
  return runHere(program, registry, options);
}

Outcome fuser::fuzz::runApart(const Program &program, const DialectRegistry &registry,
                              unsigned seconds, const std::function<void(ModuleOp)> &mutation,
                              bool launchesTwice) {
  return runApart(seconds, [&](EndRun end) {
    return runLimited(program, registry, end, mutation, launchesTwice);
  });
}

Outcome fuser::fuzz::runApart(unsigned seconds, llvm::function_ref<Outcome(EndRun)> run) {
  int ends[2];
  if (pipe(ends) != 0)
    return {Verdict::Internal, "no pipe"};
  const pid_t child = fork();
  if (child < 0)
    return {Verdict::Internal, "no process"};
  if (child == 0) {
    close(ends[0]);
    alarm(seconds);
    auto end = [&](const Outcome &outcome) {
      llvm::raw_fd_ostream out(ends[1], /*shouldClose=*/true);
      out << static_cast<char>('0' + static_cast<int>(outcome.verdict)) << outcome.text;
      out.close();
      _exit(0);
    };
    end(run(end));
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    answer.append(buffer, count);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return {WTERMSIG(status) == SIGALRM ? Verdict::Hang : Verdict::Crash,
            "signal " + std::to_string(WTERMSIG(status))};
  if (answer.empty())
    return {Verdict::Crash, "exit status " + std::to_string(WEXITSTATUS(status))};
  return {static_cast<Verdict>(answer[0] - '0'), answer.substr(1)};
}

Outcome fuser::fuzz::lower(ModuleOp module, StringRef sizes) {
  PipelineOptions options;
  options.target = *artifact::lookupDevice("sm_90");
  for (Phase phase : getPhases())
    if (failed(runPhase(module, phase, options)))
      return {Verdict::Refused, "a pass refuses it"};
  if (countAccesses(module, sizes) > kMostAccesses)
    return {Verdict::Refused, "too many accesses to memory"};
  return {Verdict::Passed, ""};
}
