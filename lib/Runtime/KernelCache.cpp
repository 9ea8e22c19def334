//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/KernelCache.h"

namespace fuser::runtime {

using artifact::Hash128;
using artifact::Hasher;
using artifact::Kernel;
using artifact::KernelFormat;

KernelCache::KernelCache(std::shared_ptr<Device> device, KernelCacheOptions options)
    : device(std::move(device)) {
  if (!options.directory.empty())
    disk.emplace(std::move(options.directory));
}

KernelCache::Statistics KernelCache::statistics() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counts;
}

Expected<std::shared_ptr<LoadedKernel>> KernelCache::get(const Kernel &kernel) {
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<Entry> &slot = entries[artifact::contentKey(kernel)];
    if (!slot)
      slot = std::make_shared<Entry>();
    entry = slot;
  }
  // Only requests for the same kernel wait here.
  std::lock_guard<std::mutex> entryLock(entry->mutex);
  if (entry->kernel) {
    std::lock_guard<std::mutex> lock(mutex);
    ++counts.memoryHits;
    return entry->kernel;
  }
  Expected<std::shared_ptr<LoadedKernel>> loaded = loadNew(kernel);
  if (loaded)
    entry->kernel = *loaded;
  return loaded;
}

Expected<std::shared_ptr<LoadedKernel>> KernelCache::loadNew(const Kernel &kernel) {
  auto count = [&](uint64_t Statistics::*counter) {
    std::lock_guard<std::mutex> lock(mutex);
    ++(counts.*counter);
  };
  // Only assembly is expensive enough to cache on disk.
  if (!disk || kernel.format != KernelFormat::PTX) {
    count(&Statistics::assembled);
    return device->loadKernel(kernel);
  }
  Hash128 content = artifact::contentKey(kernel);
  Hash128 key =
      Hasher().integer(content.low).integer(content.high).string(device->assemblerKey()).finish();
  Kernel binary = kernel;
  if (std::optional<std::string> blob = disk->load(key)) {
    binary.format = KernelFormat::Cubin;
    binary.code = std::move(*blob);
    Expected<std::shared_ptr<LoadedKernel>> loaded = device->loadKernel(binary);
    if (loaded) {
      count(&Statistics::diskHits);
      return loaded;
    }
  }
  count(&Statistics::assembled);
  Expected<Kernel> assembled = device->assemble(kernel);
  if (!assembled)
    return assembled.takeError();
  // The cache is optional: the call continues if it cannot be written.
  if (assembled->format == KernelFormat::Cubin)
    (void)disk->store(key, assembled->code).ok();
  return device->loadKernel(*assembled);
}

} // namespace fuser::runtime
