//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the CUDA device asks a driver for, with a driver that has no GPU. Runs everywhere.
//
//===----------------------------------------------------------------------===//

#include "NullDriver.h"

#include "fuser/Runtime/CudaDevice.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::NullDriverState;

namespace {

class CudaLaunchTest : public ::testing::Test {
protected:
  void SetUp() override {
    CudaDeviceOptions options;
    options.driverLibrary = FUSER_NULL_DRIVER;
    auto created = createCudaDevice(options);
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    void *library = dlopen(FUSER_NULL_DRIVER, RTLD_NOW);
    ASSERT_NE(library, nullptr);
    driver = reinterpret_cast<NullDriverStateFunction>(dlsym(library, kNullDriverState))();
    *driver = NullDriverState();
    Kernel code;
    code.name = code.entry = "k";
    code.format = KernelFormat::PTX;
    code.chip = "sm_90a";
    auto loaded = device->loadKernel(code);
    ASSERT_TRUE(loaded.ok()) << loaded.error().str();
    kernel = loaded.take();
  }

  std::unique_ptr<Device> device;
  std::shared_ptr<LoadedKernel> kernel;
  NullDriverState *driver = nullptr;
};

TEST_F(CudaLaunchTest, PassesTheLaunchOn) {
  const uint64_t values[2] = {11, 22};
  const KernelParameter parameters[2] = {{&values[0], 8}, {&values[1], 8}};
  LaunchConfig config;
  config.grid[0] = 5;
  config.grid[2] = 3;
  config.block[0] = 128;
  config.dynamicSharedBytes = 512;
  int stream = 0;
  config.stream = &stream;
  driver->numParameters = 2;
  ASSERT_TRUE(device->launch(*kernel, config, {parameters, 2}).ok());
  EXPECT_EQ(driver->launches, 1u);
  EXPECT_EQ(driver->grid[0], 5u);
  EXPECT_EQ(driver->grid[1], 1u);
  EXPECT_EQ(driver->grid[2], 3u);
  EXPECT_EQ(driver->block[0], 128u);
  EXPECT_EQ(driver->sharedBytes, 512u);
  EXPECT_EQ(driver->stream, &stream);
  EXPECT_EQ(driver->numAttributes, 0u);
  EXPECT_EQ(driver->parameters[0], 11u);
  EXPECT_EQ(driver->parameters[1], 22u);
  EXPECT_EQ(driver->occupancyQueries, 0u);

  driver->launchResult = 700;
  Status status = device->launch(*kernel, config, {parameters, 2});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "DriverError: k: expected success, but the driver answered "
                                  "CUDA_ERROR_NULL_DRIVER (null driver)");
}

TEST_F(CudaLaunchTest, CooperativeLaunchesAskOnceHowManyBlocksFit) {
  LaunchConfig config;
  config.cooperative = true;
  config.grid[0] = 264;
  config.block[0] = 256;
  auto launch = [&] { return device->launch(*kernel, config, {}); };
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_TRUE(launch().ok());
  EXPECT_EQ(driver->launches, 3u);
  EXPECT_EQ(driver->numAttributes, 1u);
  EXPECT_EQ(driver->occupancyQueries, 1u);
  // The number of blocks is compared in every launch.
  config.grid[0] = 265;
  Status status = launch();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "CooperativeTooLarge: kernel 'k': expected at most 264 blocks "
                                  "that are resident at once, but got 265");
  EXPECT_EQ(driver->occupancyQueries, 1u);

  // What the answer depends on asks again.
  driver->residentBlocks = 1;
  config.grid[0] = 132;
  unsigned queries = 1;
  auto expectQuery = [&](uint64_t resident) {
    EXPECT_TRUE(launch().ok());
    EXPECT_EQ(driver->occupancyQueries, ++queries);
    auto blocks = device->maxResidentBlocks(*kernel, config);
    ASSERT_TRUE(blocks.ok());
    EXPECT_EQ(*blocks, resident);
    EXPECT_EQ(driver->occupancyQueries, queries);
  };
  config.block[0] = 512;
  expectQuery(132);
  config.dynamicSharedBytes = 100 << 10;
  expectQuery(132);
  config.grid[0] = 64;
  config.cluster[0] = 4;
  expectQuery(64);
  config.cluster[0] = 1;
  config.cluster[1] = 4;
  config.grid[1] = 1;
  expectQuery(64);
  // 16 blocks per cluster are not kept, and asked for in every launch.
  config.cluster[0] = config.cluster[1] = 1;
  config.cluster[2] = 16;
  EXPECT_TRUE(launch().ok());
  EXPECT_TRUE(launch().ok());
  EXPECT_EQ(driver->occupancyQueries, queries + 2);
}

TEST_F(CudaLaunchTest, MemoryIsReusedWithoutTheDriver) {
  for (unsigned i = 0; i < 5; ++i) {
    auto memory = device->allocate(1000, nullptr);
    ASSERT_TRUE(memory.ok());
    EXPECT_TRUE(device->free(*memory, nullptr).ok());
  }
  EXPECT_EQ(driver->allocations, 1u);
}

} // namespace
