//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiles, runs and times a program on a device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_DEVICERUN_H
#define FUSER_LIB_DRIVER_DEVICERUN_H

#include "PoisonedMemory.h"
#include "fuser/Driver/Driver.h"
#include "fuser/Session/Program.h"

namespace fuser::driver {

/// The result of a run on a device.
struct DeviceResult {
  /// Row-major, as in HostArray.
  std::vector<HostArray> outputs;
  /// The strides with which each output came back, in elements.
  std::vector<llvm::SmallVector<int64_t>> strides;
};

/// Makes the device of a choice; `Default` is the GPU if there is one, else the host.
artifact::Expected<std::shared_ptr<runtime::Device>> makeDevice(DeviceChoice choice);

/// The device of a run.
struct RunDevice {
  /// On a GPU, memory is poisoned if outputs `areChecked`; the host device itself finds what
  /// nothing wrote.
  RunDevice(std::shared_ptr<runtime::Device> device, bool areChecked);

  std::shared_ptr<runtime::Device> device;
  /// The same device if its memory is poisoned; else null.
  std::shared_ptr<PoisonedMemory> memory;
};

/// Arguments of a call with their memory on the device.
struct DeviceArguments {
  std::vector<runtime::Tensor> tensors;
  /// Of tensors without memory.
  std::vector<llvm::SmallVector<int64_t>> strides;
  std::vector<runtime::CallArgument> arguments;
};

/// Copies the inputs to the device. `getOrder(i)` is the memory order of tensor i, slowest
/// dimension first. Without `allocate`, tensors get no memory: the arguments are for a compilation
/// only.
artifact::Expected<std::unique_ptr<DeviceArguments>>
upload(llvm::function_ref<llvm::SmallVector<int64_t>(unsigned)> getOrder,
       const std::vector<Input> &inputs, const std::shared_ptr<runtime::Device> &device,
       bool allocate);

/// The module of `file` with only the selected program and its kernels, as text with locations, so
/// that errors are reported at lines of the file.
std::string printProgramModule(const ProgramFile &file);

/// How `options` compile a program. Fails where the target is unknown.
artifact::Expected<session::ProgramOptions> makeProgramOptions(const ExecutionOptions &options);

/// Copies an output to the host and makes it row-major.
artifact::Expected<HostArray> download(const runtime::Tensor &tensor, runtime::Device &device);

/// The text of the file with schedules that the option `option` gives; empty without one. Fails
/// with IoError.
artifact::Expected<std::string> readSchedules(llvm::StringRef option, const std::string &path);

/// Calls an executable of `device`, copies its outputs back, and reports its time on a GPU.
artifact::Expected<DeviceResult> callOnDevice(const DriverOptions &options, const RunDevice &device,
                                              runtime::Executable &executable,
                                              const std::vector<runtime::CallArgument> &arguments,
                                              llvm::raw_ostream &out);

/// Compiles the program of `file` for `inputs`, writes its artifact if `options` ask for it, runs
/// it on `device` and reports to `out`: kernels, the time of each compile step, and (on a GPU) time
/// and rate; to `errors`, progress while compiling takes long. The module after `options.dumpAfter`
/// is written to `dump`, or to its file. Without `options.run` there are no outputs.
artifact::Expected<DeviceResult> runOnDevice(const DriverOptions &options, const ProgramFile &file,
                                             const std::vector<Input> &inputs,
                                             const RunDevice &device, llvm::raw_ostream &out,
                                             llvm::raw_ostream &errors, llvm::raw_ostream &dump);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_DEVICERUN_H
