//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Device.h"

namespace fuser::runtime {

LoadedKernel::~LoadedKernel() = default;
Device::~Device() = default;

Expected<artifact::Kernel> Device::assemble(const artifact::Kernel &kernel) { return kernel; }

Status Device::makeTensorMap(const TensorMapSpec &, const char *name, TensorMap &) {
  return makeError(ErrorCode::Unsupported, name, ": expected a device with tensor maps, but got ",
                   description().chip);
}

Status checkLaunchLimits(const DeviceDescription &description, const LaunchConfig &config,
                         const char *name) {
  static constexpr char kAxis[] = {'x', 'y', 'z'};
  uint64_t threads = 1, clusterBlocks = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (config.grid[i] == 0 || config.grid[i] > static_cast<uint64_t>(description.maxGrid[i]))
      return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected grid.", kAxis[i],
                       " from 1 to ", description.maxGrid[i], ", but got ", config.grid[i]);
    if (config.block[i] == 0 || config.block[i] > static_cast<uint64_t>(description.maxBlock[i]))
      return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected block.", kAxis[i],
                       " from 1 to ", description.maxBlock[i], ", but got ", config.block[i]);
    if (config.cluster[i] == 0 || config.grid[i] % config.cluster[i] != 0)
      return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected cluster.", kAxis[i],
                       " to divide grid.", kAxis[i], " = ", config.grid[i], ", but got ",
                       config.cluster[i]);
    threads *= config.block[i];
    clusterBlocks *= config.cluster[i];
  }
  if (threads > static_cast<uint64_t>(description.maxThreadsPerBlock))
    return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected at most ",
                     description.maxThreadsPerBlock, " threads per block, but got ", threads);
  // Devices allow twice the portable size for kernels that opt in.
  if (clusterBlocks > 1 && clusterBlocks > 2 * static_cast<uint64_t>(description.maxClusterBlocks))
    return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected at most ",
                     2 * description.maxClusterBlocks, " blocks per cluster, but got ",
                     clusterBlocks);
  if (config.dynamicSharedBytes > static_cast<uint64_t>(description.sharedBytesPerBlockOptIn))
    return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected at most ",
                     description.sharedBytesPerBlockOptIn,
                     " bytes of dynamic shared memory, but got ", config.dynamicSharedBytes);
  return {};
}

} // namespace fuser::runtime
