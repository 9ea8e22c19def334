//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Devices of a driver that fails while it is asked for them.
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

class CudaCreationTest : public testing::Test {
protected:
  void SetUp() override {
    options.driverLibrary = FUSER_NULL_DRIVER;
    void *library = dlopen(FUSER_NULL_DRIVER, RTLD_NOW);
    ASSERT_NE(library, nullptr);
    driver = reinterpret_cast<NullDriverStateFunction>(dlsym(library, kNullDriverState))();
    *driver = NullDriverState();
  }
  void TearDown() override { *driver = NullDriverState(); }

  /// The error of the device, or its description.
  std::string create(const std::string &failing) {
    driver->failing = failing;
    auto device = createCudaDevice(options);
    return device ? printDevice((*device)->description()) : device.error().str();
  }

  CudaDeviceOptions options;
  NullDriverState *driver = nullptr;
};

TEST_F(CudaCreationTest, EachFailureIsReported) {
  EXPECT_EQ(create("cuDeviceGetCount"), "DeviceUnavailable: counting GPUs: expected success, but "
                                        "the driver answered CUDA_ERROR_NULL_DRIVER (null driver)");
  EXPECT_EQ(create("cuDeviceGet"),
            "DeviceUnavailable: taking the GPU's primary context: expected success, but the driver "
            "answered CUDA_ERROR_NULL_DRIVER (null driver)");
  EXPECT_EQ(create("cuDevicePrimaryCtxRetain"),
            "DeviceUnavailable: taking the GPU's primary context: expected success, but the driver "
            "answered CUDA_ERROR_NULL_DRIVER (null driver)");
  EXPECT_EQ(create("cuDriverGetVersion"),
            "DeviceUnavailable: asking for the driver's version: expected success, but the driver "
            "answered CUDA_ERROR_NULL_DRIVER (null driver)");
  const std::string properties = "DeviceUnavailable: asking for the GPU's properties: expected "
                                 "success, but the driver answered "
                                 "CUDA_ERROR_NULL_DRIVER (null driver)";
  EXPECT_EQ(create("cuDeviceGetName"), properties);
  EXPECT_EQ(create("cuDeviceTotalMem_v2"), properties);
  // Compute capability, multiprocessors, caches, limits of threads, blocks, registers and memory.
  for (int attribute : {1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 38, 39, 75, 76, 81, 82, 97, 106})
    EXPECT_EQ(create("cuDeviceGetAttribute " + std::to_string(attribute)), properties) << attribute;
}

/// Drivers retire attributes, and old ones lack some: what is known of the model takes their place.
TEST_F(CudaCreationTest, OtherAttributesMayBeMissing) {
  const std::string all = create("");
  auto differences = [&](int attribute) {
    std::string text = create("cuDeviceGetAttribute " + std::to_string(attribute)), lines;
    size_t at = 0;
    for (size_t begin = 0; begin < all.size();) {
      const size_t end = all.find('\n', begin), newEnd = text.find('\n', at);
      if (all.substr(begin, end - begin) != text.substr(at, newEnd - at))
        lines += text.substr(at, newEnd - at) + "; ";
      begin = end + 1;
      at = newEnd + 1;
    }
    return lines;
  };
  EXPECT_EQ(differences(13), "clock_hz = 1980000000; ");
  EXPECT_EQ(differences(36), "");
  EXPECT_EQ(differences(37), "");
  EXPECT_EQ(differences(120), "max_cluster_blocks = 1; ");
}

/// Of a model that is not known, all is as the driver says, or as on most models.
TEST_F(CudaCreationTest, AnUnknownModel) {
  driver->name = "NVIDIA H1000";
  EXPECT_EQ(create(""), R"(name = NVIDIA H1000
kind = cuda
chip = sm_90a
compute_capability = 90
multiprocessors = 132
clock_hz = 1000
memory_bandwidth = 0
memory_latency_ns = 650
)" + std::string(kNullDriverLimits));
}

TEST_F(CudaCreationTest, Devices) {
  auto count = countCudaDevices(options);
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 1);
  driver->failing = "cuDeviceGetCount";
  count = countCudaDevices(options);
  ASSERT_FALSE(count.ok());
  EXPECT_EQ(count.error().str(), "DeviceUnavailable: counting GPUs: expected success, but the "
                                 "driver answered CUDA_ERROR_NULL_DRIVER (null driver)");
}

} // namespace
