//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

namespace fuser::runtime {
namespace {

/// The part of a marketing name that tells models apart: "H200" of "NVIDIA H200 NVL".
bool namesModel(const std::string &name, const DeviceDescription &known) {
  std::string model = known.name.substr(known.name.find(' ') + 1);
  size_t at = name.find(model);
  if (at == std::string::npos)
    return false;
  // "H20" must not match "H200".
  size_t end = at + model.size();
  return end == name.size() || name[end] == ' ' || name[end] == '-';
}

} // namespace

Expected<DeviceDescription> describeCudaDevice(const cuda::Driver &driver,
                                               cuda::DeviceHandle device) {
  using namespace cuda;
  Result result = kSuccess;
  auto attribute = [&](int id) -> int64_t {
    int value = 0;
    Result answer = driver.deviceGetAttribute(&value, id, device);
    if (result == kSuccess)
      result = answer;
    return value;
  };
  DeviceDescription d;
  char name[256] = {};
  result = driver.deviceGetName(name, sizeof(name) - 1, device);
  d.name = name;
  size_t memoryBytes = 0;
  if (result == kSuccess)
    result = driver.deviceTotalMem(&memoryBytes, device);
  d.memoryBytes = static_cast<int64_t>(memoryBytes);
  d.computeCapability = 10 * attribute(kCapabilityMajor) + attribute(kCapabilityMinor);
  d.multiprocessors = attribute(kMultiprocessors);
  d.l2Bytes = attribute(kL2Bytes);
  d.warpSize = attribute(kWarpSize);
  d.maxThreadsPerBlock = attribute(kMaxThreadsPerBlock);
  d.maxThreadsPerMultiprocessor = attribute(kMaxThreadsPerMultiprocessor);
  d.maxBlocksPerMultiprocessor = attribute(kMaxBlocksPerMultiprocessor);
  d.registersPerMultiprocessor = attribute(kMaxRegistersPerMultiprocessor);
  d.sharedBytesPerBlock = attribute(kMaxSharedPerBlock);
  d.sharedBytesPerBlockOptIn = attribute(kMaxSharedPerBlockOptIn);
  d.sharedBytesPerMultiprocessor = attribute(kMaxSharedPerMultiprocessor);
  for (int i = 0; i < 3; ++i) {
    d.maxGrid[i] = attribute(kMaxGridDimX + i);
    d.maxBlock[i] = attribute(kMaxBlockDimX + i);
  }
  if (result != kSuccess)
    return driver.failure(result, "asking for the GPU's properties", ErrorCode::DeviceUnavailable);

  // The following attributes may be missing: drivers retire these, and old ones lack the last.
  d.clockHz = 1000 * attribute(kClockKhz);
  int64_t memoryClockHz = 1000 * attribute(kMemoryClockKhz),
          busBytes = attribute(kMemoryBusBits) / 8;
  d.maxClusterBlocks = attribute(kClusterLaunch) ? 8 : 1;
  // Two transfers per clock; copies reach 89 % of the bus rate.
  d.memoryBandwidth = 2 * memoryClockHz * busBytes / 100 * 89;
  d.memoryLatencyNs = 650;
  // Architecture-specific features, with a chip name of their own, only exist from 9.0 on.
  d.chip = "sm_" + std::to_string(d.computeCapability) + (d.computeCapability >= 90 ? "a" : "");
  for (const char *known : artifact::knownDevices()) {
    Expected<DeviceDescription> other = artifact::lookupDevice(known);
    if (!other || !namesModel(d.name, *other))
      continue;
    d.memoryBandwidth = other->memoryBandwidth;
    d.memoryLatencyNs = other->memoryLatencyNs;
    if (d.clockHz == 0)
      d.clockHz = other->clockHz;
  }
  return d;
}

} // namespace fuser::runtime
