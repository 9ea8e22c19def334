//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// NVIDIA GPUs through the driver library, which is loaded when a device is created, so that
// programs build, link and start without it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_CUDADEVICE_H
#define FUSER_RUNTIME_CUDADEVICE_H

#include "fuser/Runtime/Device.h"

#include <memory>
#include <string>

namespace fuser::runtime {

struct CudaDeviceOptions {
  /// Which GPU, in the driver's order.
  int ordinal = 0;
  /// File name or path of the driver library.
  std::string driverLibrary = "libcuda.so.1";
};

/// The number of GPUs. Fails with DeviceUnavailable if there is no driver library, if it lacks a
/// function that the runtime needs, or if it finds no GPU; the message is the loader's or the
/// driver's own.
Expected<int> countCudaDevices(const CudaDeviceOptions &options = {});

/// Makes a device on the GPU's primary context, which it shares with every library in the process
/// that uses the CUDA runtime: their streams and pointers can be used directly. Freed memory is
/// kept for later allocations of the same stream. Fails as countCudaDevices does.
Expected<std::unique_ptr<Device>> createCudaDevice(const CudaDeviceOptions &options = {});

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_CUDADEVICE_H
