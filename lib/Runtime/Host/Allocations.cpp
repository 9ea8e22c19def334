//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include <algorithm>

namespace fuser::runtime::host {

static constexpr size_t kWordBits = 64;

/// Calls `visit(word, mask)` for the bits `from` to `from + count - 1`, until it returns false.
template <typename Visit> static void forEachWord(size_t from, size_t count, Visit visit) {
  for (size_t at = from, end = from + count; at < end;) {
    const size_t low = at % kWordBits, length = std::min(end - at, kWordBits - low);
    const uint64_t ones = length == kWordBits ? ~uint64_t(0) : (uint64_t(1) << length) - 1;
    if (!visit(at / kWordBits, ones << low))
      return;
    at += length;
  }
}

// The bits come from calloc, so that untouched pages cost nothing.
Allocation::Allocation(char *begin, size_t bytes)
    : memory(begin), size(bytes), defined(static_cast<uint64_t *>(std::calloc(
                                      (bytes + kWordBits - 1) / kWordBits, sizeof(uint64_t)))) {}

void Allocation::define(const char *address, size_t bytes) {
  if (!defined)
    return;
  forEachWord(address - memory, bytes, [&](size_t word, uint64_t mask) {
    __atomic_fetch_or(defined.get() + word, mask, __ATOMIC_RELAXED);
    return true;
  });
}

const char *Allocation::findUndefined(const char *address, size_t bytes) const {
  const char *found = nullptr;
  if (!defined)
    return found;
  forEachWord(address - memory, bytes, [&](size_t word, uint64_t mask) {
    uint64_t missing = mask & ~__atomic_load_n(defined.get() + word, __ATOMIC_RELAXED);
    for (; missing != 0 && !found; missing &= missing - 1) {
      const char *byte = memory + word * kWordBits + __builtin_ctzll(missing);
      if (static_cast<unsigned char>(*byte) == kPoison)
        found = byte;
    }
    return !found;
  });
  return found;
}

void Allocations::add(char *begin, size_t bytes) {
  auto allocation = std::make_shared<Allocation>(begin, bytes);
  std::lock_guard<std::mutex> lock(mutex);
  byBegin[begin] = std::move(allocation);
}

void Allocations::remove(char *begin) {
  std::lock_guard<std::mutex> lock(mutex);
  byBegin.erase(begin);
}

std::shared_ptr<Allocation> Allocations::find(const void *address) const {
  const char *pointer = static_cast<const char *>(address);
  std::lock_guard<std::mutex> lock(mutex);
  auto after = byBegin.upper_bound(pointer);
  if (after == byBegin.begin())
    return nullptr;
  const std::shared_ptr<Allocation> &found = std::prev(after)->second;
  return found->contains(pointer, 0) ? found : nullptr;
}

void Allocations::define(const void *address, size_t bytes) {
  const char *pointer = static_cast<const char *>(address);
  if (std::shared_ptr<Allocation> found = find(address); found && found->contains(pointer, bytes))
    found->define(pointer, bytes);
}

} // namespace fuser::runtime::host
