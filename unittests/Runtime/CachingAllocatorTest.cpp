//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeSource.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace fuser::runtime;
using fuser::runtime::test::FakeSource;
using fuser::runtime::test::stream;

namespace {

TEST(CachingAllocator, ReusesOnTheSameStreamOnly) {
  FakeSource source;
  CachingAllocator allocator(source.get());
  Expected<void *> a = allocator.allocate(1000, stream(1));
  EXPECT_EQ(source.total, 1024u);
  ASSERT_TRUE(allocator.free(*a, stream(1)).ok());
  EXPECT_EQ(allocator.keptBytes(), 1024u);
  EXPECT_NE(*allocator.allocate(1000, stream(2)), *a);
  EXPECT_EQ(*allocator.allocate(900, stream(1)), *a);
  EXPECT_EQ(source.acquired, 2u);
  EXPECT_EQ(allocator.keptBytes(), 0u);
}

TEST(CachingAllocator, AbandonedMemoryIsNeitherReleasedNorReused) {
  FakeSource source;
  {
    CachingAllocator allocator(source.get());
    Expected<void *> used = allocator.allocate(1000, stream(1));
    Expected<void *> kept = allocator.allocate(5000, stream(1));
    Expected<void *> recent = allocator.allocate(9000, stream(2));
    ASSERT_TRUE(allocator.free(*kept, stream(1)).ok());
    ASSERT_TRUE(allocator.free(*recent, stream(2)).ok());
    allocator.abandon();
    EXPECT_EQ(allocator.keptBytes(), 0u);
    EXPECT_FALSE(allocator.free(*used, stream(1)).ok());
    EXPECT_NE(*allocator.allocate(9000, stream(2)), *recent);
  }
  // The block of the last call is in use.
  EXPECT_EQ(source.live.size(), 4u);
}

TEST(CachingAllocator, DoesNotWasteLargeBlocks) {
  FakeSource source;
  CachingAllocator allocator(source.get());
  constexpr size_t kMiB = 1 << 20;
  Expected<void *> large = allocator.allocate(100 * kMiB, nullptr);
  ASSERT_TRUE(allocator.free(*large, nullptr).ok());
  EXPECT_NE(*allocator.allocate(2 * kMiB, nullptr), *large);
  EXPECT_EQ(*allocator.allocate(90 * kMiB, nullptr), *large);
}

TEST(CachingAllocator, GivesBackBeforeItFails) {
  FakeSource source;
  source.limit = 8192;
  CachingAllocator allocator(source.get());
  Expected<void *> a = allocator.allocate(6000, stream(1));
  ASSERT_TRUE(allocator.free(*a, stream(1)).ok());
  // Another stream cannot have the block, but its memory.
  EXPECT_TRUE(allocator.allocate(6000, stream(2)).ok());
  EXPECT_EQ(source.drains, 1u);
  Expected<void *> tooMuch = allocator.allocate(6000, stream(1));
  ASSERT_FALSE(tooMuch.ok());
  EXPECT_EQ(tooMuch.error().code, ErrorCode::OutOfMemory);
}

TEST(CachingAllocator, ForeignAndFreedMemoryIsRefused) {
  FakeSource source;
  CachingAllocator allocator(source.get());
  EXPECT_EQ(allocator.free(stream(64), nullptr).error().str(),
            "DriverError: free: expected memory in use that this device allocated, but got 0x40");
  Expected<void *> a = allocator.allocate(1, nullptr);
  EXPECT_TRUE(allocator.free(*a, nullptr).ok());
  EXPECT_FALSE(allocator.free(*a, nullptr).ok());
}

TEST(CachingAllocator, TrimAndForget) {
  FakeSource source;
  {
    CachingAllocator allocator(source.get());
    Expected<void *> a = allocator.allocate(1, stream(1)), b = allocator.allocate(1, stream(2));
    ASSERT_TRUE(allocator.free(*a, stream(1)).ok());
    ASSERT_TRUE(allocator.free(*b, stream(2)).ok());
    ASSERT_TRUE(allocator.forget(stream(1)).ok());
    EXPECT_EQ(source.live.size(), 1u);
  }
  EXPECT_TRUE(source.live.empty());
}

// Blocks in use are apart and large enough, what is kept is counted, and memory changes its stream
// only through the source.
TEST(CachingAllocator, RandomUse) {
  FakeSource source;
  CachingAllocator allocator(source.get());
  std::mt19937 random(3);
  struct Block {
    void *memory;
    size_t bytes;
    uintptr_t stream;
  };
  std::vector<Block> live;
  std::map<void *, uintptr_t> streams;
  unsigned numReused = 0;
  for (unsigned step = 0; step < 5000; ++step) {
    const uintptr_t number = 1 + random() % 2;
    if (live.size() < 6 && random() % 2) {
      const size_t bytes = 1 + random() % 3 * 2000;
      const unsigned acquired = source.acquired;
      Expected<void *> memory = allocator.allocate(bytes, stream(number));
      ASSERT_TRUE(memory.ok());
      for (const Block &block : live)
        ASSERT_NE(*memory, block.memory);
      ASSERT_GE(source.live[*memory], bytes);
      if (source.acquired == acquired) {
        ASSERT_EQ(streams[*memory], number);
        ++numReused;
      }
      live.push_back({*memory, bytes, number});
    } else if (!live.empty()) {
      const size_t index = random() % live.size();
      const Block block = live[index];
      live.erase(live.begin() + long(index));
      ASSERT_TRUE(allocator.free(block.memory, stream(block.stream)).ok());
      ASSERT_FALSE(allocator.free(block.memory, stream(block.stream)).ok());
      streams[block.memory] = block.stream;
    } else if (random() % 8 == 0) {
      ASSERT_TRUE((random() % 2 ? allocator.trim() : allocator.forget(stream(number))).ok());
    }
    size_t used = 0;
    for (const Block &block : live)
      used += source.live[block.memory];
    ASSERT_EQ(allocator.keptBytes() + used, source.total);
  }
  EXPECT_GT(numReused, 1000u);
}

} // namespace
