//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Keeps freed device memory for the next allocation of the same stream, because asking a driver for
// memory costs more than most kernels take.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_CACHINGALLOCATOR_H
#define FUSER_RUNTIME_CACHINGALLOCATOR_H

#include "fuser/Runtime/Device.h"

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace fuser::runtime {

/// Where the allocator gets its memory from. `release` may only be called when no work uses the
/// memory; `drain` waits for all work of the device.
struct MemorySource {
  std::function<Expected<void *>(size_t bytes)> acquire;
  std::function<Status(void *memory)> release;
  std::function<Status()> drain;
};

/// A block that is freed on a stream is handed out again to the same stream at once, since its
/// order makes that safe, and never to another. When the source has nothing left, all kept blocks
/// go back to it and the allocation is tried once more. Safe under threads.
class CachingAllocator {
public:
  explicit CachingAllocator(MemorySource source) : source(std::move(source)) {}
  /// Gives all kept blocks back. Blocks in use are left to the source.
  ~CachingAllocator();

  /// At least `bytes` bytes (more than zero). Fails as the source does.
  Expected<void *> allocate(size_t bytes, Stream stream);
  /// Fails with DriverError on memory that is not of this allocator or freed already.
  Status free(void *memory, Stream stream);
  /// Gives the kept blocks of one stream back, after its work is done.
  Status forget(Stream stream);
  /// Gives all kept blocks back, after all work is done.
  Status trim();

  /// Bytes kept for later, over all streams.
  size_t keptBytes() const;

private:
  using Blocks = std::multimap<size_t, void *>;
  Status releaseAll(Blocks &blocks);

  MemorySource source;
  mutable std::mutex mutex;
  std::map<Stream, Blocks> kept;
  /// Size of each block in use.
  std::map<void *, size_t> used;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_CACHINGALLOCATOR_H
