//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The properties of a machine that schedulers and launches depend on, as plain numbers. A
// description comes from the present device, from the table of known devices, or from text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_DEVICEDESCRIPTION_H
#define FUSER_ARTIFACT_DEVICEDESCRIPTION_H

#include "fuser/Artifact/ArrayView.h"
#include "fuser/Artifact/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuser::artifact {

enum class DeviceKind : uint8_t { Cuda = 0, Host = 1 };
/// "cuda", "host".
const char *toString(DeviceKind kind);

/// Limits and rates of one device. Sizes in bytes, rates per second, times in nanoseconds.
struct DeviceDescription {
  /// "NVIDIA H200"; no newline.
  std::string name;
  DeviceKind kind = DeviceKind::Cuda;
  /// Architecture that code is generated for, e.g. "sm_90a".
  std::string chip;
  /// 90 for compute capability 9.0.
  int64_t computeCapability = 0;
  int64_t multiprocessors = 0;
  /// Core clock in hertz.
  int64_t clockHz = 0;
  /// Sustained copy rate of the memory, read plus written bytes per second.
  int64_t memoryBandwidth = 0;
  /// Load-to-use time of a load from memory.
  int64_t memoryLatencyNs = 0;
  int64_t memoryBytes = 0;
  int64_t l2Bytes = 0;
  int64_t warpSize = 32;
  int64_t maxThreadsPerBlock = 1024;
  int64_t maxThreadsPerMultiprocessor = 0;
  int64_t maxBlocksPerMultiprocessor = 0;
  int64_t registersPerMultiprocessor = 0;
  int64_t maxRegistersPerThread = 255;
  /// Shared memory per block by default, and with an opt-in at load time.
  int64_t sharedBytesPerBlock = 48 * 1024;
  int64_t sharedBytesPerBlockOptIn = 0;
  int64_t sharedBytesPerMultiprocessor = 0;
  /// Bytes of the parameters of one kernel. CUDA C++ Programming Guide: 32,764 since CUDA 12.1 for
  /// compute capability 7.0 and later.
  int64_t maxParameterBytes = 32764;
  /// Largest portable number of blocks of a cluster; 1 where there are no clusters.
  int64_t maxClusterBlocks = 1;
  /// Most threads of a launch whose blocks wait for each other; 0: as many as can be resident.
  int64_t maxCooperativeThreads = 0;
  int64_t maxGrid[3] = {2147483647, 65535, 65535};
  int64_t maxBlock[3] = {1024, 1024, 64};
};

bool operator==(const DeviceDescription &a, const DeviceDescription &b);
inline bool operator!=(const DeviceDescription &a, const DeviceDescription &b) { return !(a == b); }

/// The known GPUs, in a fixed order: a100, h100, h200, b200, rtx5090.
ArrayView<const char *> knownDevices();

/// Looks up a known GPU by its short name ("h200") or by a chip: sm_80 is the A100, sm_90 and
/// sm_90a the H100, sm_100 and sm_100a the B200, sm_120 the RTX 5090. The result has the requested
/// chip. Fails with DeviceUnavailable and lists the known devices.
Expected<DeviceDescription> lookupDevice(std::string_view nameOrChip);

/// The text form: one `key = value` line per field, in the order of the struct.
std::string printDevice(const DeviceDescription &device);

/// Reads the text form. Lines may come in any order; empty lines and lines that begin with `#` are
/// skipped; absent keys keep their defaults. Fails with ParseError, naming the line, on an unknown
/// or repeated key and on a value that is not a number where one is expected or is negative.
Expected<DeviceDescription> parseDevice(std::string_view text);

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_DEVICEDESCRIPTION_H
