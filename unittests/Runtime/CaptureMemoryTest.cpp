//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of captured calls: by itself, and of a CUDA device whose driver has no GPU.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/CaptureMemory.h"
#include "FakeSource.h"
#include "NullDriver.h"
#include "fuser/Runtime/CudaDevice.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace fuser::runtime;
using fuser::runtime::test::FakeSource;
using fuser::runtime::test::NullDriverState;
using fuser::runtime::test::stream;

namespace {

GraphIsGone makeFlag() { return std::make_shared<std::atomic<bool>>(false); }

TEST(CaptureMemory, IsReusedByTheSameCaptureOnly) {
  FakeSource source;
  CaptureMemory memory(source.get());
  unsigned asked = 0;
  auto isGone = [&] {
    ++asked;
    return makeFlag();
  };
  Expected<void *> a = memory.allocate(1000, stream(8), 1, isGone);
  ASSERT_TRUE(memory.free(*a, stream(8))->ok());
  EXPECT_EQ(*memory.allocate(1000, stream(8), 1, isGone), *a);
  ASSERT_TRUE(memory.free(*a, stream(8))->ok());
  EXPECT_NE(*memory.allocate(1000, stream(8), 2, isGone), *a);
  EXPECT_EQ(asked, 2u);
}

TEST(CaptureMemory, OtherMemoryIsNotFreed) {
  FakeSource source;
  CaptureMemory memory(source.get());
  EXPECT_FALSE(memory.free(stream(64), nullptr).has_value());
  Expected<void *> a = memory.allocate(1, stream(8), 1, makeFlag);
  EXPECT_FALSE(memory.free(stream(64), nullptr).has_value());
  EXPECT_TRUE(memory.free(*a, stream(8)).has_value());
  EXPECT_FALSE(memory.free(*a, stream(8)).has_value());
}

// A graph that is gone leaves its memory to the next capture, once all of it is free.
TEST(CaptureMemory, IsReusedAfterTheGraph) {
  FakeSource source;
  {
    CaptureMemory memory(source.get());
    GraphIsGone isGone = makeFlag();
    auto get = [&] { return isGone; };
    Expected<void *> a = memory.allocate(1000, stream(8), 1, get);
    Expected<void *> b = memory.allocate(1000, stream(8), 1, get);
    ASSERT_TRUE(memory.free(*a, stream(8))->ok());
    *isGone = true;
    Expected<void *> c = memory.allocate(1000, stream(8), 2, makeFlag);
    EXPECT_NE(*c, *a);
    ASSERT_TRUE(memory.free(*b, stream(8))->ok());
    Expected<void *> d = memory.allocate(1000, stream(8), 3, makeFlag);
    EXPECT_TRUE(*d == *a || *d == *b);
    ASSERT_TRUE(memory.free(*d, stream(8))->ok());
    ASSERT_TRUE(memory.free(*c, stream(8))->ok());
  }
  // Two graphs still exist.
  EXPECT_EQ(source.live.size(), 3u);
}

TEST(CaptureMemory, IsReleasedAfterTheGraph) {
  FakeSource source;
  {
    CaptureMemory memory(source.get());
    GraphIsGone isGone = makeFlag();
    Expected<void *> a = memory.allocate(1000, stream(8), 1, [&] { return isGone; });
    ASSERT_TRUE(memory.free(*a, stream(8))->ok());
    *isGone = true;
  }
  EXPECT_TRUE(source.live.empty());
}

// The graph writes what is free again, and a device cannot be waited for while it captures.
TEST(CaptureMemory, IsNotReleasedForMore) {
  FakeSource source;
  source.limit = 8192;
  CaptureMemory memory(source.get());
  Expected<void *> a = memory.allocate(1000, stream(8), 1, makeFlag);
  ASSERT_TRUE(memory.free(*a, stream(8))->ok());
  Expected<void *> b = memory.allocate(100000, stream(8), 1, makeFlag);
  ASSERT_FALSE(b.ok());
  EXPECT_EQ(b.error().str(), "OutOfMemory: expected memory for a call that a CUDA graph captures, "
                             "but the GPU has none left");
  EXPECT_EQ(source.live.count(*a), 1u);
  EXPECT_EQ(source.drains, 0u);
}

class CapturedDeviceTest : public ::testing::Test {
protected:
  void SetUp() override { open(FUSER_NULL_DRIVER); }
  void open(const char *library) {
    CudaDeviceOptions options;
    options.driverLibrary = library;
    auto created = createCudaDevice(options);
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    driver = reinterpret_cast<NullDriverStateFunction>(
        dlsym(dlopen(library, RTLD_NOW), kNullDriverState))();
    *driver = NullDriverState();
  }

  std::unique_ptr<Device> device;
  NullDriverState *driver = nullptr;
};

TEST_F(CapturedDeviceTest, MemoryOfACaptureIsItsOwn) {
  Expected<void *> plain = device->allocate(1000, stream(8));
  ASSERT_TRUE(device->free(*plain, stream(8)).ok());
  driver->capture = 5;
  Expected<void *> captured = device->allocate(1000, stream(8));
  EXPECT_NE(*captured, *plain);
  ASSERT_TRUE(device->free(*captured, stream(8)).ok());
  // The driver is asked once for each capture to tell when its graph is gone.
  Expected<void *> again = device->allocate(1000, stream(8));
  EXPECT_EQ(*again, *captured);
  ASSERT_TRUE(device->free(*again, stream(8)).ok());
  EXPECT_EQ(driver->userObjects.size(), 1u);
  driver->capture = 0;
  EXPECT_EQ(*device->allocate(1000, stream(8)), *plain);
  EXPECT_NE(*device->allocate(1000, stream(8)), *captured);
  driver->endGraphs();
  driver->capture = 6;
  EXPECT_EQ(*device->allocate(1000, stream(8)), *captured);
  driver->endGraphs();
}

// Memory and code may be allocated during a capture in a mode that the thread then leaves.
TEST_F(CapturedDeviceTest, TheModeOfTheThreadIsRestored) {
  ASSERT_TRUE(device->allocate(1000, stream(8)).ok());
  ASSERT_TRUE(device->createStream().ok());
  EXPECT_EQ(driver->modeExchanges, 4u);
  EXPECT_EQ(driver->captureMode, 0);
  EXPECT_EQ(driver->allocationsInOtherModes, 0u);
}

TEST_F(CapturedDeviceTest, TheDefaultStreamIsNotAskedAbout) {
  driver->capture = 5;
  ASSERT_TRUE(device->allocate(1000, nullptr).ok());
  EXPECT_TRUE(driver->userObjects.empty());
}

TEST_F(CapturedDeviceTest, ErrorsAreTyped) {
  driver->failing = "cuStreamGetCaptureInfo";
  Expected<void *> memory = device->allocate(1000, stream(8));
  ASSERT_FALSE(memory.ok());
  EXPECT_EQ(memory.error().str(),
            "DriverError: asking whether a stream is captured: expected success, but the driver "
            "answered CUDA_ERROR_NULL_DRIVER (null driver)");
}

// Memory is never reused where the driver does not take the flag.
TEST_F(CapturedDeviceTest, GraphsThatAreNotWatchedKeepTheirMemory) {
  for (const char *failing : {"cuUserObjectCreate", "cuGraphRetainUserObject"}) {
    driver->failing = failing;
    driver->capture += 1;
    Expected<void *> first = device->allocate(1000, stream(8));
    ASSERT_TRUE(device->free(*first, stream(8)).ok());
    driver->capture += 1;
    EXPECT_NE(*device->allocate(1000, stream(8)), *first);
  }
  driver->endGraphs();
}

TEST_F(CapturedDeviceTest, AnOldDriverCapturesNothing) {
  open(FUSER_OLD_DRIVER);
  Expected<void *> memory = device->allocate(1000, stream(8));
  ASSERT_TRUE(memory.ok());
  EXPECT_TRUE(device->free(*memory, stream(8)).ok());
}

} // namespace
