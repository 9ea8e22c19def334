//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads host objects into the process, without LLVM (docs/adr/0069).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H
#define FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H

#include "fuser/Artifact/HostABI.h"
#include "fuser/Runtime/Device.h"

#include <memory>
#include <string>

namespace fuser::runtime::host {

/// The code of one kernel in this process; the destructor unmaps it.
class LoadedObject {
public:
  /// Links the object of `kernel` against the scheduler and the C library's math. Fails with
  /// Unsupported (another format, or a processor that this machine does not have), VersionMismatch,
  /// or KernelLoadFailed with the reason.
  static Expected<std::unique_ptr<LoadedObject>> load(const artifact::Kernel &kernel);
  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

  const fuser_host_kernel_info &info() const { return *kernelInfo; }

private:
  friend class Linker;
  LoadedObject() = default;

  char *memory = nullptr;
  size_t bytes = 0;
  /// The math library, open for as long as the code refers to it.
  void *library = nullptr;
  const fuser_host_kernel_info *kernelInfo = nullptr;
};

/// The triple of this machine, e.g. "x86_64-pc-linux-gnu", and its processor as the system names
/// it.
std::string hostTriple();
std::string hostProcessor();

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_OBJECTLOADER_H
