//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The time of each kernel of a program, as a file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_PROFILE_H
#define FUSER_LIB_DRIVER_PROFILE_H

#include "ForwardingDevice.h"
#include "fuser/Runtime/Executable.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace fuser::driver {

/// Another device that records the launches of one call with an event before and after each.
class LaunchRecorder : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;
  ~LaunchRecorder() override;

  /// Records launches from now on.
  void start() { isRecording = true; }
  /// Ends the recording. Returns milliseconds by the name of the kernel; several launches of one
  /// kernel are added up.
  artifact::Expected<std::map<std::string, double>> stop();
  unsigned getNumLaunches() const { return used; }

  artifact::Status launch(runtime::LoadedKernel &kernel, const runtime::LaunchConfig &config,
                          runtime::ArrayView<runtime::KernelParameter> parameters) override;

private:
  struct Record {
    std::string kernel;
    runtime::Event begin = nullptr, end = nullptr;
  };

  bool isRecording = false;
  /// Events are reused; the first `used` records are of the present call.
  std::vector<Record> records;
  size_t used = 0;
};

/// Calls an executable on `recorder` several times (on the host device once) and writes the median
/// time of each kernel to the JSON file `path` (docs/explain.md). On a GPU, caches are flushed
/// before each call, which also hides the host time of the launches.
artifact::Status writeProfile(const std::string &path, llvm::StringRef program,
                              runtime::Executable &executable, LaunchRecorder &recorder,
                              const std::shared_ptr<runtime::Device> &device,
                              const std::vector<runtime::CallArgument> &arguments, unsigned repeat);

/// What such a file contains.
struct Profile {
  std::string program, device, sizes;
  /// Microseconds by the name of the kernel.
  std::map<std::string, double> kernels;
};

/// Fails with IoError or ParseError, naming the key.
artifact::Expected<Profile> readProfile(const std::string &path);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_PROFILE_H
