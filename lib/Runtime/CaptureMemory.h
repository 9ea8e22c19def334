//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of calls that a CUDA graph captures. A replay of the graph writes it again, long after the
// call has freed it, so that it belongs to the graph as long as that exists.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CAPTUREMEMORY_H
#define FUSER_LIB_RUNTIME_CAPTUREMEMORY_H

#include "fuser/Runtime/CachingAllocator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fuser::runtime {

/// A flag that is set, in any thread, when a graph and all its instances are destroyed and no
/// replay is in progress.
using GraphIsGone = std::shared_ptr<std::atomic<bool>>;

/// Each capture allocates from an allocator of its own, where a block that is freed serves later
/// allocations of the same capture only. A graph that is gone, and whose blocks are all freed,
/// leaves its allocator to the next capture. Thread-safe.
class CaptureMemory {
public:
  explicit CaptureMemory(MemorySource source);
  /// Releases the memory of graphs that are gone. A graph that still exists keeps its memory.
  ~CaptureMemory();

  /// Memory for the capture with this number, which is never reused for another one. `isGone` is
  /// called once for each capture, and returns the flag of its graph, or null if the driver cannot
  /// set one; the memory is never reused then.
  Expected<void *> allocate(size_t bytes, Stream stream, uint64_t capture,
                            const std::function<GraphIsGone()> &isGone);
  /// Frees memory of a capture; nothing if `memory` is none.
  std::optional<Status> free(void *memory, Stream stream);

private:
  struct Arena {
    explicit Arena(const MemorySource &source) : allocator(source) {}
    bool isIdle() const { return numUsed == 0 && isGone && *isGone; }

    CachingAllocator allocator;
    uint64_t capture = 0;
    size_t numUsed = 0;
    GraphIsGone isGone;
  };
  Arena &getArena(uint64_t capture, const std::function<GraphIsGone()> &isGone);

  MemorySource source;
  std::mutex mutex;
  std::vector<std::unique_ptr<Arena>> arenas;
  std::unordered_map<void *, Arena *> used;
  /// The size of `used`, so that a call without captures takes no lock.
  std::atomic<size_t> numUsed{0};
};

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_CAPTUREMEMORY_H
