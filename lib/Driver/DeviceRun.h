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

/// Compiles the program of `file` for `inputs`, runs it on `device` and reports to `out`: kernels,
/// the time of each compile step, and (on a GPU) time and rate. The module after
/// `options.dumpAfter` is written to `dump`, or to its file. Without `options.run` there are no
/// outputs.
artifact::Expected<DeviceResult> runOnDevice(const DriverOptions &options, const ProgramFile &file,
                                             const std::vector<Input> &inputs,
                                             std::shared_ptr<runtime::Device> device,
                                             llvm::raw_ostream &out, llvm::raw_ostream &dump);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_DEVICERUN_H
