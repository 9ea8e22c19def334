//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceRun.h"
#include "LaunchShapes.h"
#include "Profile.h"
#include "Report.h"
#include "Timing.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Runtime/ArtifactFile.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Support/InputFile.h"
#include "fuser/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::Status;
using runtime::CallArgument;
using runtime::Device;
using runtime::Tensor;

Expected<std::shared_ptr<Device>> fuser::driver::makeDevice(DeviceChoice choice) {
  if (choice == DeviceChoice::Default)
    choice = runtime::countCudaDevices() ? DeviceChoice::Cuda : DeviceChoice::Host;
  auto device =
      choice == DeviceChoice::Cuda ? runtime::createCudaDevice() : runtime::createHostDevice();
  if (!device)
    return device.error();
  return std::shared_ptr<Device>(device.take());
}

RunDevice::RunDevice(std::shared_ptr<Device> device, bool areChecked) : device(std::move(device)) {
  if (areChecked && this->device->description().kind == artifact::DeviceKind::Cuda)
    this->device = memory = std::make_shared<PoisonedMemory>(this->device);
}

std::shared_ptr<void> fuser::driver::holdGpu() {
  auto device = runtime::createCudaDevice();
  return device ? std::shared_ptr<Device>(device.take()) : nullptr;
}

std::string fuser::driver::printProgramModule(const ProgramFile &file) {
  OwningOpRef<ModuleOp> copy = ModuleOp(file.module.get()).clone();
  llvm::StringSet<> others;
  for (FunctionOpInterface function :
       llvm::make_early_inc_range(copy->getOps<FunctionOpInterface>())) {
    if (!isa<FusionOp, HostOp>(function.getOperation()) ||
        function.getName() == FunctionOpInterface(file.program).getName())
      continue;
    function.walk(
        [&](LaunchOp launch) { others.insert(launch.getKernel().getRootReference().getValue()); });
    function.erase();
  }
  copy->walk(
      [&](LaunchOp launch) { others.erase(launch.getKernel().getRootReference().getValue()); });
  // Erase kernels of erased programs.
  for (auto symbol : llvm::make_early_inc_range(copy->getOps<SymbolOpInterface>()))
    if (others.contains(symbol.getName()))
      symbol.erase();
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().enableDebugInfo());
  return text;
}

/// A tensor that nothing reads: its address only shows the alignment of allocated memory.
static runtime::TensorView describeTensor(const HostArray &array, ArrayRef<int64_t> strides,
                                          const Device &device) {
  constexpr uintptr_t kAligned = 4096;
  runtime::TensorView view;
  view.dtype = array.dtype;
  view.device = runtime::idOf(device);
  view.data = reinterpret_cast<void *>(kAligned);
  view.rank = array.shape.size();
  view.sizes = array.shape.data();
  view.strides = strides.data();
  return view;
}

Expected<std::unique_ptr<DeviceArguments>>
fuser::driver::upload(llvm::function_ref<SmallVector<int64_t>(unsigned)> getOrder,
                      const std::vector<Input> &inputs, const std::shared_ptr<Device> &device,
                      bool allocate) {
  auto result = std::make_unique<DeviceArguments>();
  result->tensors.reserve(inputs.size());
  result->strides.reserve(inputs.size());
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (!input.isTensor) {
      runtime::ScalarValue scalar;
      scalar.dtype = input.array.dtype;
      std::memcpy(scalar.bytes, input.array.bytes.data(), input.array.bytes.size());
      result->arguments.emplace_back(scalar);
      continue;
    }
    if (!allocate) {
      result->strides.push_back(getDenseStrides(input.array.shape, getOrder(index)));
      result->arguments.emplace_back(describeTensor(input.array, result->strides.back(), *device));
      continue;
    }
    auto tensor = runtime::allocateTensor(device, input.array.dtype, input.array.shape);
    if (!tensor)
      return tensor.error();
    result->tensors.push_back(tensor.take());
    Tensor &stored = result->tensors.back();
    std::vector<char> moved;
    SmallVector<int64_t> order = getOrder(index);
    if (!llvm::is_sorted(order)) {
      auto strides = getDenseStrides(input.array.shape, order);
      stored.strides.assign(strides.begin(), strides.end());
      moved = toStrided(input.array, strides);
    }
    const std::vector<char> &bytes = moved.empty() ? input.array.bytes : moved;
    if (!bytes.empty())
      if (Status status = device->copyToDevice(stored.data, bytes.data(), bytes.size(), nullptr);
          !status)
        return status.error();
    result->arguments.emplace_back(stored.view());
  }
  return result;
}

Expected<HostArray> fuser::driver::download(const Tensor &tensor, Device &device) {
  int64_t reach = llvm::is_contained(tensor.sizes, 0) ? 0 : 1;
  for (auto [size, stride] : llvm::zip_equal(tensor.sizes, tensor.strides))
    reach += reach ? (size - 1) * stride : 0;
  std::vector<char> raw(reach * artifact::byteSize(tensor.dtype));
  if (!raw.empty())
    if (Status status = device.copyToHost(raw.data(), tensor.data, raw.size(), nullptr); !status)
      return status.error();
  return fromStrided(raw.data(), tensor.dtype, tensor.sizes, tensor.strides);
}

Expected<session::ProgramOptions>
fuser::driver::makeProgramOptions(const ExecutionOptions &options) {
  session::ProgramOptions result;
  if (!options.target.empty()) {
    auto target = artifact::lookupDevice(options.target);
    if (!target)
      return target.takeError();
    result.target = target.take();
  }
  result.approximateMath = options.approximateMath;
  if (options.dependentLaunches)
    result.dependentLaunches = *options.dependentLaunches;
  result.markBoundaries = options.markBoundaries;
  result.threads = options.threads;
  return result;
}

Expected<std::string> fuser::driver::readSchedules(llvm::StringRef option,
                                                   const std::string &path) {
  if (path.empty())
    return std::string();
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, /*isText=*/true);
  if (!buffer)
    return artifact::makeError(ErrorCode::IoError, option.str(), ": ", path, ": ",
                               llvm::toString(buffer.takeError()));
  std::string text = (*buffer)->getBuffer().str();
  if (llvm::StringRef(text).trim().empty())
    return artifact::makeError(ErrorCode::ParseError, option.str(), ": ", path,
                               ": expected schedules of kernels, but got an empty file");
  return text;
}

static void reportCompilation(llvm::raw_ostream &out, const session::Prepared &prepared,
                              const std::vector<Input> &inputs, bool hasSchedules) {
  if (prepared.executable)
    printLaunches(out, prepared.executable->getArtifact(), inputs);
  double total = 0;
  printTitle(out, "compile");
  for (auto [index, step] : llvm::enumerate(prepared.times)) {
    out << (index ? ", " : "") << step.name << llvm::format(" %.1f", step.milliseconds);
    total += step.milliseconds;
  }
  out << llvm::format("; total %.1f ms\n", total);
  for (const std::string &fallback : prepared.fallbacks) {
    printTitle(out, "fallback");
    out << fallback << "\n";
  }
  for (const std::string &sentence : prepared.singleOps)
    printTitle(out, "single op") << sentence << "\n";
  if (!prepared.tuned.empty())
    printTitle(out, "tuned") << llvm::join(prepared.tuned, ", ") << "\n";
  else if (hasSchedules)
    printTitle(out, "tuned") << "none: no kernel equals one of the schedules\n";
}

Expected<DeviceResult> fuser::driver::callOnDevice(const DriverOptions &options,
                                                   const RunDevice &runDevice,
                                                   runtime::Executable &executable,
                                                   const std::vector<CallArgument> &arguments,
                                                   llvm::raw_ostream &out) {
  Device &device = *executable.getDevice();
  auto outputs = executable.call(arguments);
  if (!outputs)
    return outputs.error();
  if (Status status = device.synchronize(nullptr); !status)
    return status.error();
  DeviceResult result;
  for (const Tensor &tensor : *outputs) {
    auto array = download(tensor, device);
    if (!array)
      return array.error();
    result.outputs.push_back(array.take());
    result.strides.emplace_back(tensor.strides.begin(), tensor.strides.end());
  }
  if (runDevice.memory)
    runDevice.memory->stop();
  if (device.description().kind == artifact::DeviceKind::Cuda && options.repeat > 0)
    if (Status status = reportTiming(out, executable, arguments, *outputs, options.repeat); !status)
      return status.error();
  return result;
}

/// Writes the artifact that the arguments run.
static Status saveArtifact(const std::string &path, session::Program &program,
                           ArrayRef<CallArgument> arguments, ArrayRef<ImportedConstant> constants,
                           llvm::raw_ostream &out) {
  auto artifact = program.getArtifact({arguments.data(), arguments.size()});
  if (!artifact)
    return artifact.takeError();
  // The driver converts the program before the session reads it, and passes its constants.
  for (const ImportedConstant &constant : constants)
    artifact->constants.push_back(
        {constant.dtype, constant.sizes, {constant.bytes.begin(), constant.bytes.end()}});
  if (Status status = runtime::writeArtifact(path, *artifact); !status)
    return artifact::makeError(status.error().code, "--save-artifact: ", status.error().message);
  printTitle(out, "artifact") << path << "\n";
  return Status();
}

Expected<DeviceResult> fuser::driver::runOnDevice(const DriverOptions &options,
                                                  const ProgramFile &file,
                                                  const std::vector<Input> &inputs,
                                                  const RunDevice &runDevice,
                                                  llvm::raw_ostream &out, llvm::raw_ostream &errors,
                                                  llvm::raw_ostream &dump) {
  const std::shared_ptr<Device> &profiled = runDevice.device;
  std::shared_ptr<Device> device = profiled;
  std::shared_ptr<LaunchRecorder> recorder;
  if (!options.profile.empty())
    device = recorder = std::make_shared<LaunchRecorder>(profiled);
  auto made = makeProgramOptions(options);
  if (!made)
    return made.takeError();
  session::ProgramOptions programOptions = made.take();
  auto schedules = readSchedules("--schedules", options.schedules);
  if (!schedules)
    return schedules.takeError();
  programOptions.schedules = schedules.take();
  programOptions.checkAccesses = options.checkAccesses;
  programOptions.verifyEach = options.check;
  programOptions.emitCode = options.run;
  programOptions.onProgress = [&](const session::Progress &progress) {
    errors << "fuser-run: compiling: " << describe(progress) << "\n";
  };
  std::error_code dumpError;
  auto dumpStep = [&](PipelineStep step, ModuleOp module) {
    if (step.getName() != options.dumpAfter)
      return;
    if (options.dumpTo.empty())
      return module.print(dump);
    dumpError = writeFile(options.dumpTo, [&](llvm::raw_ostream &file) { module.print(file); });
  };
  programOptions.afterPhase = [&](Phase phase, ModuleOp module) { dumpStep({phase}, module); };
  if (std::optional<PipelineStep> step = symbolizeStep(options.dumpAfter); step && step->stage)
    programOptions.afterStage = dumpStep;
  auto program = session::Program::create(printProgramModule(file), device, programOptions);
  if (!program)
    return program.error();
  auto getOrder = [&](unsigned argument) {
    return SmallVector<int64_t>(fuser::detail::getArgLayout(file.program, argument).getOrder());
  };
  auto uploaded = upload(getOrder, inputs, device, options.run);
  if (!uploaded)
    return uploaded.error();
  const std::vector<CallArgument> &arguments = (*uploaded)->arguments;
  auto prepared = (*program)->prepare(arguments);
  if (!prepared)
    return prepared.error();
  if (dumpError)
    return artifact::makeError(ErrorCode::IoError, "--dump-to: ", options.dumpTo, ": ",
                               dumpError.message());
  reportCompilation(out, *prepared, inputs, !options.schedules.empty());
  if (!options.run)
    return DeviceResult();
  if (!options.saveArtifact.empty())
    if (Status status =
            saveArtifact(options.saveArtifact, **program, arguments, file.constants, out);
        !status)
      return status.takeError();
  auto result = callOnDevice(options, runDevice, *prepared->executable, arguments, out);
  if (!result || !recorder)
    return result;
  if (Status status =
          writeProfile(options.profile, FunctionOpInterface(file.program).getName(),
                       *prepared->executable, *recorder, profiled, arguments, options.repeat);
      !status)
    return status.takeError();
  printTitle(out, "profile") << options.profile << "\n";
  return result;
}
