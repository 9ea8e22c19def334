//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceRun.h"
#include "Report.h"
#include "Timing.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "llvm/Support/Format.h"

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

/// The module with the chosen program alone, as text.
static std::string printProgramModule(const ProgramFile &file) {
  OwningOpRef<ModuleOp> copy = ModuleOp(file.module.get()).clone();
  for (FusionOp fusion : llvm::make_early_inc_range(copy->getOps<FusionOp>()))
    if (fusion.getSymName() != FunctionOpInterface(file.program).getName())
      fusion.erase();
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

/// Arguments of a call with their memory on the device.
namespace {
struct DeviceArguments {
  std::vector<Tensor> tensors;
  std::vector<CallArgument> arguments;
};
} // namespace

static Expected<std::unique_ptr<DeviceArguments>> upload(const std::vector<Input> &inputs,
                                                         const std::shared_ptr<Device> &device) {
  auto result = std::make_unique<DeviceArguments>();
  result->tensors.reserve(inputs.size());
  for (const Input &input : inputs) {
    if (!input.isTensor) {
      runtime::ScalarValue scalar;
      scalar.dtype = input.array.dtype;
      std::memcpy(scalar.bytes, input.array.bytes.data(), input.array.bytes.size());
      result->arguments.emplace_back(scalar);
      continue;
    }
    auto tensor = runtime::allocateTensor(device, input.array.dtype, input.array.shape);
    if (!tensor)
      return tensor.error();
    result->tensors.push_back(tensor.take());
    Tensor &stored = result->tensors.back();
    if (!input.array.bytes.empty())
      if (Status status = device->copyToDevice(stored.data, input.array.bytes.data(),
                                               input.array.bytes.size(), nullptr);
          !status)
        return status.error();
    result->arguments.emplace_back(stored.view());
  }
  return result;
}

/// Copies an output back and makes it row-major.
static Expected<HostArray> download(const Tensor &tensor, Device &device) {
  HostArray array;
  array.dtype = tensor.dtype;
  array.shape = tensor.sizes;
  int64_t count = array.getNumElements();
  size_t bytes = artifact::byteSize(tensor.dtype);
  array.bytes.resize(count * bytes);
  if (count == 0)
    return array;
  int64_t reach = 1;
  for (size_t dim = 0; dim < tensor.sizes.size(); ++dim)
    reach += (tensor.sizes[dim] - 1) * tensor.strides[dim];
  std::vector<char> raw(reach * bytes);
  if (Status status = device.copyToHost(raw.data(), tensor.data, raw.size(), nullptr); !status)
    return status.error();
  std::vector<int64_t> index(tensor.sizes.size());
  for (int64_t element = 0; element < count; ++element) {
    int64_t offset = 0;
    for (size_t dim = 0; dim < index.size(); ++dim)
      offset += index[dim] * tensor.strides[dim];
    std::memcpy(array.bytes.data() + element * bytes, raw.data() + offset * bytes, bytes);
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < tensor.sizes[dim])
        break;
      index[dim] = 0;
    }
  }
  return array;
}

static void reportCompilation(llvm::raw_ostream &out, const session::Prepared &prepared) {
  const artifact::Artifact &artifact = prepared.executable->getArtifact();
  for (auto [index, kernel] : llvm::enumerate(artifact.kernels))
    printTitle(out, index ? "" : "kernels")
        << kernel.name << " (" << artifact::toString(kernel.format) << ", " << kernel.chip << ", "
        << kernel.code.size() << " bytes)\n";
  double total = 0;
  printTitle(out, "compile");
  for (auto [index, step] : llvm::enumerate(prepared.times)) {
    out << (index ? ", " : "") << step.name << llvm::format(" %.1f", step.milliseconds);
    total += step.milliseconds;
  }
  out << llvm::format("; total %.1f ms\n", total);
}

Expected<DeviceResult> fuser::driver::runOnDevice(const DriverOptions &options,
                                                  const ProgramFile &file,
                                                  const std::vector<Input> &inputs,
                                                  std::shared_ptr<Device> device,
                                                  llvm::raw_ostream &out) {
  session::ProgramOptions programOptions;
  if (!options.target.empty()) {
    auto target = artifact::lookupDevice(options.target);
    if (!target)
      return target.error();
    programOptions.target = target.take();
  }
  programOptions.afterPhase = [&](Phase phase, ModuleOp module) {
    if (stringifyPhase(phase) == options.dumpAfter)
      module.print(out);
  };
  auto program = session::Program::create(printProgramModule(file), device, programOptions);
  if (!program)
    return program.error();
  auto uploaded = upload(inputs, device);
  if (!uploaded)
    return uploaded.error();
  const std::vector<CallArgument> &arguments = (*uploaded)->arguments;
  auto prepared = (*program)->prepare(arguments);
  if (!prepared)
    return prepared.error();
  reportCompilation(out, *prepared);
  auto outputs = prepared->executable->call(arguments);
  if (!outputs)
    return outputs.error();
  if (Status status = device->synchronize(nullptr); !status)
    return status.error();
  DeviceResult result;
  for (const Tensor &tensor : *outputs) {
    auto array = download(tensor, *device);
    if (!array)
      return array.error();
    result.outputs.push_back(array.take());
  }
  if (device->description().kind == artifact::DeviceKind::Cuda && options.repeat > 0)
    if (Status status =
            reportTiming(out, *prepared->executable, arguments, *outputs, options.repeat);
        !status)
      return status.error();
  return result;
}
