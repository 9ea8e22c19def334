//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CaptureMemory.h"

namespace fuser::runtime {

CaptureMemory::CaptureMemory(MemorySource given) : source(std::move(given)) {
  // Blocks that the graph writes are not released for others, and the device cannot be waited for.
  source.drain = [] {
    return Status(makeError(ErrorCode::OutOfMemory,
                            "expected memory for a call that a CUDA graph captures, but the GPU "
                            "has none left"));
  };
}

CaptureMemory::~CaptureMemory() {
  for (std::unique_ptr<Arena> &arena : arenas)
    if (!arena->isIdle())
      arena->allocator.abandon();
}

CaptureMemory::Arena &CaptureMemory::getArena(uint64_t capture,
                                              const std::function<GraphIsGone()> &isGone) {
  Arena *found = nullptr;
  for (std::unique_ptr<Arena> &arena : arenas) {
    if (arena->capture == capture)
      return *arena;
    if (!found && arena->isIdle())
      found = arena.get();
  }
  if (!found)
    found = arenas.emplace_back(std::make_unique<Arena>(source)).get();
  found->capture = capture;
  found->isGone = isGone();
  return *found;
}

Expected<void *> CaptureMemory::allocate(size_t bytes, Stream stream, uint64_t capture,
                                         const std::function<GraphIsGone()> &isGone) {
  std::lock_guard<std::mutex> lock(mutex);
  Arena &arena = getArena(capture, isGone);
  Expected<void *> memory = arena.allocator.allocate(bytes, stream);
  if (memory) {
    ++arena.numUsed;
    used.emplace(*memory, &arena);
    numUsed.store(used.size(), std::memory_order_relaxed);
  }
  return memory;
}

std::optional<Status> CaptureMemory::free(void *memory, Stream stream) {
  if (numUsed.load(std::memory_order_relaxed) == 0)
    return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = used.find(memory);
  if (found == used.end())
    return std::nullopt;
  Arena &arena = *found->second;
  --arena.numUsed;
  used.erase(found);
  numUsed.store(used.size(), std::memory_order_relaxed);
  return arena.allocator.free(memory, stream);
}

} // namespace fuser::runtime
