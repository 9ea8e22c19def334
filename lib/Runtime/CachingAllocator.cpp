//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/CachingAllocator.h"

namespace fuser::runtime {
namespace {

/// Sizes of small blocks are multiples of 512 bytes, those from 1 MiB on multiples of 2 MiB (a page
/// of the GPU), so that slightly different sizes share blocks.
size_t roundUp(size_t bytes) {
  size_t step = bytes < (size_t(1) << 20) ? 512 : size_t(2) << 20;
  size_t rounded = (bytes + step - 1) / step * step;
  return rounded < bytes ? bytes : rounded;
}

/// Whether a kept block of `block` bytes may serve `wanted`: at most a quarter is wasted.
bool fits(size_t block, size_t wanted) { return block - wanted <= wanted / 4 || block <= 4096; }

} // namespace

CachingAllocator::~CachingAllocator() { (void)trim().ok(); }

Expected<void *> CachingAllocator::allocate(size_t bytes, Stream stream) {
  size_t wanted = roundUp(bytes);
  std::lock_guard<std::mutex> lock(mutex);
  if (recent.memory && recent.bytes == wanted && recent.stream == stream)
    return std::exchange(recent.memory, nullptr);
  keepRecent();
  Blocks &blocks = kept[stream];
  auto found = blocks.lower_bound(wanted);
  if (found != blocks.end() && fits(found->first, wanted)) {
    void *memory = found->second;
    use(memory, blocks.extract(found));
    return memory;
  }
  Expected<void *> memory = source.acquire(wanted);
  if (!memory && memory.error().code == ErrorCode::OutOfMemory) {
    if (Status status = source.drain(); !status)
      return status.takeError();
    for (auto &[key, list] : kept)
      if (Status status = releaseAll(list); !status)
        return status.takeError();
    memory = source.acquire(wanted);
  }
  if (memory) {
    Blocks block;
    use(*memory, block.extract(block.emplace(wanted, *memory)));
  }
  return memory;
}

void CachingAllocator::use(void *memory, Blocks::node_type block) {
  if (spares.empty()) {
    used.emplace(memory, std::move(block));
    return;
  }
  Used::node_type node = std::move(spares.back());
  spares.pop_back();
  node.key() = memory;
  node.mapped() = std::move(block);
  used.insert(std::move(node));
}

void CachingAllocator::keepRecent() {
  if (!recent.memory)
    return;
  Used::node_type block = used.extract(std::exchange(recent.memory, nullptr));
  kept[recent.stream].insert(std::move(block.mapped()));
  spares.push_back(std::move(block));
}

Status CachingAllocator::free(void *memory, Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = used.find(memory);
  if (found == used.end() || memory == recent.memory)
    return makeError(ErrorCode::DriverError,
                     "free: expected memory in use that this device allocated, but got ", memory);
  keepRecent();
  recent = {memory, found->second.key(), stream};
  return {};
}

Status CachingAllocator::releaseAll(Blocks &blocks) {
  Status first;
  for (const auto &[bytes, memory] : blocks)
    if (Status status = source.release(memory); !status && first.ok())
      first = std::move(status);
  blocks.clear();
  return first;
}

Status CachingAllocator::forget(Stream stream) {
  std::lock_guard<std::mutex> lock(mutex);
  keepRecent();
  auto found = kept.find(stream);
  if (found == kept.end())
    return {};
  Status status = releaseAll(found->second);
  kept.erase(found);
  return status;
}

Status CachingAllocator::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  keepRecent();
  Status first = source.drain();
  for (auto &[stream, blocks] : kept)
    if (Status status = releaseAll(blocks); !status && first.ok())
      first = std::move(status);
  kept.clear();
  return first;
}

void CachingAllocator::abandon() {
  std::lock_guard<std::mutex> lock(mutex);
  recent = {};
  used.clear();
  kept.clear();
}

size_t CachingAllocator::keptBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  size_t bytes = recent.memory ? recent.bytes : 0;
  for (const auto &[stream, blocks] : kept)
    for (const auto &[size, memory] : blocks)
      bytes += size;
  return bytes;
}

} // namespace fuser::runtime
