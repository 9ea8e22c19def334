//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program on a device: compiled, run, timed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_DEVICERUN_H
#define FUSER_LIB_DRIVER_DEVICERUN_H

#include "fuser/Driver/Driver.h"
#include "fuser/Session/Program.h"

namespace fuser::driver {

/// What a run on a device gave.
struct DeviceResult {
  /// Row-major, as HostArray wants it.
  std::vector<HostArray> outputs;
  /// The strides with which each output came back, in elements.
  std::vector<llvm::SmallVector<int64_t>> strides;
};

/// Makes the device of a choice; `Default` is the GPU if there is one, else the host.
artifact::Expected<std::shared_ptr<runtime::Device>> makeDevice(DeviceChoice choice);

/// Compiles the program of `file` for `inputs`, runs it on `device` and reports on it to `out`:
/// kernels, what each step of compiling took, and (on a GPU) time and rate. The module after
/// `options.dumpAfter` goes to `dump`, or to its file. Without `options.run` there are no outputs.
artifact::Expected<DeviceResult> runOnDevice(const DriverOptions &options, const ProgramFile &file,
                                             const std::vector<Input> &inputs,
                                             std::shared_ptr<runtime::Device> device,
                                             llvm::raw_ostream &out, llvm::raw_ostream &dump);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_DEVICERUN_H
