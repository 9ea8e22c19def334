//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each limit of a launch, at both of its sides.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Device.h"

#include <gtest/gtest.h>

#include <functional>

using namespace fuser;
using namespace fuser::runtime;

namespace {

artifact::DeviceDescription makeDevice() {
  artifact::DeviceDescription device;
  for (int i = 0; i < 3; ++i) {
    device.maxGrid[i] = 100 + i;
    device.maxBlock[i] = 10 + i;
  }
  device.maxThreadsPerBlock = 60;
  device.maxClusterBlocks = 4;
  device.sharedBytesPerBlockOptIn = 1000;
  return device;
}

std::string check(const std::function<void(LaunchConfig &)> &change) {
  LaunchConfig config;
  change(config);
  Status status = checkLaunchLimits(makeDevice(), config, "k");
  return status ? "" : status.error().str();
}

TEST(LaunchLimits, EachAxisHasItsOwn) {
  for (unsigned i = 0; i < 3; ++i) {
    const std::string axis(1, "xyz"[i]);
    auto grid = [i](uint32_t value) {
      return [=](LaunchConfig &config) { config.grid[i] = value; };
    };
    auto block = [i](uint32_t value) {
      return [=](LaunchConfig &config) { config.block[i] = value; };
    };
    EXPECT_EQ(check(grid(1)), "");
    EXPECT_EQ(check(grid(100 + i)), "");
    EXPECT_EQ(check(grid(101 + i)), "InvalidLaunch: kernel 'k': expected grid." + axis +
                                        " from 1 to " + std::to_string(100 + i) + ", but got " +
                                        std::to_string(101 + i));
    EXPECT_EQ(check(grid(0)), "InvalidLaunch: kernel 'k': expected grid." + axis + " from 1 to " +
                                  std::to_string(100 + i) + ", but got 0");
    EXPECT_EQ(check(block(10 + i)), "");
    EXPECT_EQ(check(block(11 + i)), "InvalidLaunch: kernel 'k': expected block." + axis +
                                        " from 1 to " + std::to_string(10 + i) + ", but got " +
                                        std::to_string(11 + i));
    EXPECT_EQ(check(block(0)), "InvalidLaunch: kernel 'k': expected block." + axis + " from 1 to " +
                                   std::to_string(10 + i) + ", but got 0");
    auto cluster = [i](uint32_t value) {
      return [=](LaunchConfig &config) {
        config.grid[i] = 12;
        config.cluster[i] = value;
      };
    };
    EXPECT_EQ(check(cluster(6)), "");
    for (uint32_t value : {0, 5})
      EXPECT_EQ(check(cluster(value)), "InvalidLaunch: kernel 'k': expected cluster." + axis +
                                           " to divide grid." + axis + " = 12, but got " +
                                           std::to_string(value));
  }
}

TEST(LaunchLimits, ThreadsOfABlock) {
  auto block = [](uint32_t x, uint32_t y, uint32_t z) {
    return [=](LaunchConfig &config) {
      config.block[0] = x;
      config.block[1] = y;
      config.block[2] = z;
    };
  };
  EXPECT_EQ(check(block(5, 4, 3)), "");
  EXPECT_EQ(check(block(1, 11, 6)), "InvalidLaunch: kernel 'k': expected at most 60 threads per "
                                    "block, but got 66");
  EXPECT_EQ(check(block(4, 4, 4)), "InvalidLaunch: kernel 'k': expected at most 60 threads per "
                                   "block, but got 64");
}

// Twice the portable size.
TEST(LaunchLimits, BlocksOfACluster) {
  auto cluster = [](uint32_t x, uint32_t y, uint32_t z) {
    return [=](LaunchConfig &config) {
      config.grid[0] = config.cluster[0] = x;
      config.grid[1] = config.cluster[1] = y;
      config.grid[2] = config.cluster[2] = z;
    };
  };
  EXPECT_EQ(check(cluster(2, 2, 2)), "");
  EXPECT_EQ(check(cluster(3, 3, 1)), "InvalidLaunch: kernel 'k': expected at most 8 blocks per "
                                     "cluster, but got 9");
  // A device without clusters has kernels of one block each.
  artifact::DeviceDescription device = makeDevice();
  device.maxClusterBlocks = 0;
  LaunchConfig config;
  EXPECT_TRUE(checkLaunchLimits(device, config, "k").ok());
  config.grid[0] = config.cluster[0] = 2;
  EXPECT_FALSE(checkLaunchLimits(device, config, "k").ok());
}

TEST(LaunchLimits, SharedMemory) {
  auto shared = [](uint32_t bytes) {
    return [=](LaunchConfig &config) { config.dynamicSharedBytes = bytes; };
  };
  EXPECT_EQ(check(shared(1000)), "");
  EXPECT_EQ(check(shared(1001)), "InvalidLaunch: kernel 'k': expected at most 1000 bytes of "
                                 "dynamic shared memory, but got 1001");
}

} // namespace
