//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads host objects into the process.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H
#define FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H

#include "fuser/Artifact/HostABI.h"
#include "fuser/Runtime/Device.h"

#include <memory>
#include <string>

namespace fuser::runtime::host {

/// Links host objects against the scheduler and the process's math library. Thread-safe.
class ObjectLoader {
public:
  /// Fails with DeviceUnavailable if LLVM cannot load code into this process.
  static Expected<std::shared_ptr<ObjectLoader>> create();
  ~ObjectLoader();

  /// A loaded object; unloaded by the destructor.
  class Object {
  public:
    virtual ~Object() = default;
    const fuser_host_kernel_info &info() const { return *kernelInfo; }

  protected:
    const fuser_host_kernel_info *kernelInfo = nullptr;
  };

  /// Loads `kernel`, which keeps `loader` alive. Fails with Unsupported (another format, or a
  /// processor that this machine does not have), VersionMismatch, or KernelLoadFailed with
  /// LLVM's reason.
  static Expected<std::unique_ptr<Object>> load(std::shared_ptr<ObjectLoader> loader,
                                                const artifact::Kernel &kernel);

private:
  struct State;
  struct LoadedObject;
  explicit ObjectLoader(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The triple and processor of this machine, e.g. "x86_64-pc-linux-gnu" and "znver4".
std::string hostTriple();
std::string hostProcessor();

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H
