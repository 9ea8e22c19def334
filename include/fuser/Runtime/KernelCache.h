//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loaded kernels of one device by content: each distinct kernel is assembled and loaded once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_KERNELCACHE_H
#define FUSER_RUNTIME_KERNELCACHE_H

#include "fuser/Artifact/Hash.h"
#include "fuser/Runtime/Device.h"
#include "fuser/Runtime/DiskCache.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace fuser::runtime {

struct KernelCacheOptions {
  /// Folder for machine code; empty: do not cache on disk.
  std::string directory;
};

/// Thread-safe; several processes may share the folder. A damaged or unloadable file costs one more
/// assembly and is written again. If the folder is not writable, the next process assembles again.
class KernelCache {
public:
  KernelCache(std::shared_ptr<Device> device, KernelCacheOptions options = {});

  /// The loaded kernel. Concurrent requests for the same kernel wait for one assembly. Failures are
  /// not cached.
  Expected<std::shared_ptr<LoadedKernel>> get(const artifact::Kernel &kernel);

  struct Statistics {
    uint64_t memoryHits = 0; ///< kernels that were loaded already
    uint64_t diskHits = 0;   ///< kernels whose machine code came from disk
    uint64_t assembled = 0;  ///< kernels that were assembled or loaded as they are
  };
  Statistics statistics() const;

private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<LoadedKernel> kernel;
  };
  Expected<std::shared_ptr<LoadedKernel>> loadNew(const artifact::Kernel &kernel);

  std::shared_ptr<Device> device;
  std::optional<DiskCache> disk;
  mutable std::mutex mutex;
  std::map<artifact::Hash128, std::shared_ptr<Entry>> entries;
  Statistics counts;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_KERNELCACHE_H
