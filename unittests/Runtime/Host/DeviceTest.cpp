//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host device as a Device: memory, time, and many launches at once.
//
//===----------------------------------------------------------------------===//

#include "FiberStacks.h"
#include "HostKernelTest.h"

#include <fstream>
#include <thread>

using namespace fuser::test;
using fuser::runtime::host::FiberStacks;

namespace {

class HostDeviceTest : public HostKernelTest {};

TEST_F(HostDeviceTest, Description) {
  const fuser::runtime::DeviceDescription &description = device->description();
  EXPECT_EQ(description.kind, fuser::artifact::DeviceKind::Host);
  EXPECT_GT(description.multiprocessors, 0);
  EXPECT_GT(description.memoryBytes, 0);
  EXPECT_EQ(description.maxThreadsPerBlock, 1024);
}

TEST_F(HostDeviceTest, MemoryIsAlignedAndPoisoned) {
  auto memory = device->allocate(1000, nullptr);
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*memory) % 256, 0u);
  std::vector<unsigned char> bytes(1000);
  ASSERT_TRUE(device->copyToHost(bytes.data(), *memory, bytes.size(), nullptr).ok());
  EXPECT_EQ(bytes, std::vector<unsigned char>(1000, 0xFF));
  ASSERT_TRUE(device->fill(*memory, 7, 500, nullptr).ok());
  auto *first = static_cast<unsigned char *>(*memory);
  ASSERT_TRUE(device->copyOnDevice(first + 500, first, 250, nullptr).ok());
  ASSERT_TRUE(device->copyToHost(bytes.data(), *memory, bytes.size(), nullptr).ok());
  EXPECT_EQ(bytes[749], 7);
  EXPECT_EQ(bytes[750], 0xFF);
  ASSERT_TRUE(device->free(*memory, nullptr).ok());
}

TEST_F(HostDeviceTest, TooMuchMemory) {
  for (size_t bytes : {~size_t(0), ~size_t(0) / 2}) {
    auto memory = device->allocate(bytes, nullptr);
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.error().code, ErrorCode::OutOfMemory);
    const fuser::runtime::DeviceDescription &description = device->description();
    EXPECT_EQ(memory.error().message, "expected " + std::to_string(bytes) + " bytes of memory on " +
                                          description.name + ", which has " +
                                          std::to_string(description.memoryBytes));
  }
}

TEST(FiberStacks, TooMuchMemoryIsATypedError) {
  auto stacks = FiberStacks::create(size_t(1) << 40, 1 << 20);
  ASSERT_FALSE(stacks.ok());
  EXPECT_EQ(stacks.error().str(), "OutOfMemory: expected room for 1099511627776 stacks of 1048576 "
                                  "bytes, but got: Cannot allocate memory");
}

/// A guard page is a mapping of its own, of which a process may have a number.
TEST(FiberStacks, TooManyMappingsAreATypedError) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer cannot map memory of its own then";
#endif
#endif
  size_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  if (most == 0 || most > (1 << 20))
    GTEST_SKIP() << "the system has no limit that is soon reached";
  auto stacks = FiberStacks::create(most, 1);
  ASSERT_FALSE(stacks.ok());
  EXPECT_EQ(stacks.error().str().rfind("OutOfMemory: expected guard pages for " +
                                           std::to_string(most) +
                                           " stacks, but got: Cannot allocate memory at number ",
                                       0),
            0u)
      << stacks.error().str();
}

TEST_F(HostDeviceTest, Events) {
  fuser::runtime::Event start = *device->createEvent(), stop = *device->createEvent();
  EXPECT_FALSE(device->elapsedMilliseconds(start, stop).ok());
  ASSERT_TRUE(device->recordEvent(start, nullptr).ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(device->recordEvent(stop, nullptr).ok());
  auto elapsed = device->elapsedMilliseconds(start, stop);
  ASSERT_TRUE(elapsed.ok());
  EXPECT_GE(*elapsed, 2);
  ASSERT_TRUE(device->destroyEvent(start).ok());
  ASSERT_TRUE(device->destroyEvent(stop).ok());
}

/// One device, one kernel, several CPU threads that launch it with their own data.
TEST_F(HostDeviceTest, LaunchesFromSeveralThreads) {
  auto kernel = load(R"mlir(
gpu.module @m {
  gpu.func @rotate(%px: memref<i32>) workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<?xi32, strided<[1]>>
    memref.store %v, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = arith.addi %t, %c1 : index
    %w = arith.remui %u, %n : index
    %r = memref.load %s[%w] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %r, %x[%t] : memref<?xi32, strided<[1]>>
    gpu.return
  }
})mlir");
  ASSERT_TRUE(kernel);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int id = 0; id < 4; ++id)
    threads.emplace_back([&, id] {
      std::vector<int32_t> x(64);
      for (int i = 0; i < 64; ++i)
        x[i] = 1000 * id + i;
      for (int round = 0; round < 100; ++round)
        wrong[id] += !launch(*kernel, shape(1, 64), Parameters(x.data())).ok();
      for (int i = 0; i < 64; ++i)
        wrong[id] += x[i] != 1000 * id + (i + 100) % 64;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

/// A kernel that is loaded outlives the device's own references.
TEST_F(HostDeviceTest, KernelOutlivesItsDevice) {
  auto kernel = load("gpu.module @m { gpu.func @k() kernel { gpu.return } }");
  ASSERT_TRUE(kernel);
  device.reset();
  kernel.reset();
}

} // namespace
