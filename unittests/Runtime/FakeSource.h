//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A source of memory without a device, for tests of allocators.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_RUNTIME_FAKESOURCE_H
#define FUSER_UNITTESTS_RUNTIME_FAKESOURCE_H

#include "fuser/Runtime/CachingAllocator.h"

#include <gtest/gtest.h>
#include <map>

namespace fuser::runtime::test {

/// Memory that is counted, and never accessed. Beyond `limit` bytes there is none.
struct FakeSource {
  MemorySource get() {
    return {[this](size_t bytes) -> Expected<void *> {
              if (total + bytes > limit)
                return makeError(ErrorCode::OutOfMemory, "no ", bytes, " bytes");
              total += bytes;
              next += 1 << 20;
              live[reinterpret_cast<void *>(next)] = bytes;
              ++acquired;
              return reinterpret_cast<void *>(next);
            },
            [this](void *memory) {
              EXPECT_EQ(live.count(memory), 1u);
              total -= live[memory];
              live.erase(memory);
              return Status();
            },
            [this] {
              ++drains;
              return Status();
            }};
  }
  size_t total = 0, limit = SIZE_MAX;
  uintptr_t next = 0;
  unsigned acquired = 0, drains = 0;
  std::map<void *, size_t> live;
};

inline Stream stream(uintptr_t number) { return reinterpret_cast<Stream>(number); }

} // namespace fuser::runtime::test

#endif // FUSER_UNITTESTS_RUNTIME_FAKESOURCE_H
