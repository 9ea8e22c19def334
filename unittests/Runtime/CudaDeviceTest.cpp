//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Errors of the CUDA device without a driver. Runs everywhere; CudaSmokeTest.cpp needs a GPU.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/CudaDevice.h"

#include <gtest/gtest.h>

using namespace fuser::runtime;

namespace {

TEST(CudaDevice, NoDriverIsATypedError) {
  CudaDeviceOptions options;
  options.driverLibrary = "libno-such-driver.so.1";
  Expected<std::unique_ptr<Device>> device = createCudaDevice(options);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, ErrorCode::DeviceUnavailable);
  EXPECT_NE(device.error().message.find(
                "expected the CUDA driver library 'libno-such-driver.so.1', but got: "),
            std::string::npos);
  EXPECT_EQ(countCudaDevices(options).error().code, ErrorCode::DeviceUnavailable);
}

TEST(CudaDevice, AnotherLibraryIsATypedError) {
  CudaDeviceOptions options;
  options.driverLibrary = "libm.so.6";
  Expected<std::unique_ptr<Device>> device = createCudaDevice(options);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().message,
            "expected the CUDA driver library to have 'cuInit', but it does not");
}

} // namespace
