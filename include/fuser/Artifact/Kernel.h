//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The code of one kernel, as a device loads it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_KERNEL_H
#define FUSER_ARTIFACT_KERNEL_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuser::artifact {

enum class KernelFormat : uint8_t {
  PTX = 0,        ///< text; the driver assembles it when it is loaded
  Cubin = 1,      ///< machine code for exactly one GPU architecture
  HostObject = 2, ///< a relocatable object for this machine's CPU
};
/// "ptx", "cubin", "host_object".
const char *toString(KernelFormat format);

/// Name of an attribute that occurs once for each parameter of the code, in order, if some of them
/// are arrays: the number of consecutive parameters of a launch that the array consists of. If none
/// is, the attribute is absent.
inline constexpr char kParameterRun[] = "parameter_run";

/// Name of an attribute, 1, of a kernel each thread of which waits for the end of the launches
/// before it, before it accesses memory that they access: dependent launches have such kernels.
inline constexpr char kWaitsForLaunches[] = "waits_for_launches";

/// Plain data; equal content has an equal content key (Hash.h).
struct Kernel {
  /// Name for people: the fusion's name and the number of its segment.
  std::string name;
  KernelFormat format = KernelFormat::PTX;
  /// Architecture the code is for: "sm_90a"; for host objects the target triple.
  std::string chip;
  /// Symbol to launch.
  std::string entry;
  /// PTX text without a terminating zero, or the bytes of the cubin or object.
  std::string code;
  /// Notes from the target to the device that loads the kernel, in order, e.g. the bytes of static
  /// shared memory or whether it waits on other threads. A device ignores unknown names.
  std::vector<std::pair<std::string, int64_t>> attributes;

  /// The attribute's value, or `otherwise` where it is absent.
  int64_t attribute(const char *attributeName, int64_t otherwise) const {
    for (const auto &[key, value] : attributes)
      if (key == attributeName)
        return value;
    return otherwise;
  }
};

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_KERNEL_H
