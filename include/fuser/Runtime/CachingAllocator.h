//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Keeps freed device memory for the next allocation of the same stream, because a driver's
// allocation takes longer than most kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_CACHINGALLOCATOR_H
#define FUSER_RUNTIME_CACHINGALLOCATOR_H

#include "fuser/Runtime/Device.h"

#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fuser::runtime {

/// The source of the allocator's memory, called from any thread. `release` may only be called when
/// no work uses the memory; `drain` waits for all work of the device.
struct MemorySource {
  std::function<Expected<void *>(size_t bytes)> acquire;
  std::function<Status(void *memory)> release;
  std::function<Status()> drain;
};

/// A block that is freed on a stream is reused immediately on the same stream, which is safe
/// because of stream order, and never on another one. If the source is exhausted, all kept blocks
/// are released to it and the allocation is retried once. Memory that is reused costs no allocation
/// on the host. Thread-safe.
class CachingAllocator {
public:
  explicit CachingAllocator(MemorySource source) : source(std::move(source)) {}
  /// Releases all kept blocks. Does not release blocks in use.
  ~CachingAllocator();

  /// At least `bytes` bytes (more than zero). Fails as the source does.
  Expected<void *> allocate(size_t bytes, Stream stream);
  /// Fails with DriverError for memory that is not from this allocator or already freed.
  Status free(void *memory, Stream stream);
  /// Releases the kept blocks of one stream, after its work is done.
  Status forget(Stream stream);
  /// Releases all kept blocks, after all work is done.
  Status trim();
  /// Forgets all blocks without releasing them: what uses their memory exists longer than this.
  void abandon();

  /// Bytes kept for later, over all streams.
  size_t keptBytes() const;

private:
  using Blocks = std::multimap<size_t, void *>;
  /// The size and address of each block in use, in the node that it had and will have among `kept`.
  using Used = std::unordered_map<void *, Blocks::node_type>;
  Status releaseAll(Blocks &blocks);
  void use(void *memory, Blocks::node_type block);
  /// Moves the recent block to those that are kept.
  void keepRecent();

  MemorySource source;
  mutable std::mutex mutex;
  std::map<Stream, Blocks> kept;
  Used used;
  /// The block that was freed last, which is still among `used`; null: none. Calls that repeat take
  /// it again, and no list changes.
  struct Recent {
    void *memory = nullptr;
    size_t bytes = 0;
    Stream stream = nullptr;
  } recent;
  /// Nodes of `used` for later.
  std::vector<Used::node_type> spares;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_CACHINGALLOCATOR_H
