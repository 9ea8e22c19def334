//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory that holds no earlier results, and devices that leave their work to another one.
//
//===----------------------------------------------------------------------===//

#include "PoisonedMemory.h"
#include "../Runtime/FakeDevice.h"
#include "DeviceRun.h"
#include "gtest/gtest.h"

using namespace fuser;
using runtime::test::FakeDevice;

namespace {

/// Notes the maps that it makes; may fail to fill.
class NotingDevice : public FakeDevice {
public:
  std::vector<std::string> maps;
  bool fillFails = false;

  artifact::Status makeTensorMap(const runtime::TensorMapSpec &, const char *name,
                                 runtime::TensorMap &) override {
    maps.push_back(name);
    return {};
  }
  artifact::Status fill(void *memory, uint8_t value, size_t bytes,
                        runtime::Stream stream) override {
    if (fillFails)
      return artifact::makeError(artifact::ErrorCode::DriverError, "no fill");
    return FakeDevice::fill(memory, value, bytes, stream);
  }
};

/// The bytes of new memory.
std::vector<uint8_t> allocate(runtime::Device &device, size_t bytes) {
  auto memory = device.allocate(bytes, nullptr);
  EXPECT_TRUE(memory.ok());
  std::vector<uint8_t> content(bytes);
  EXPECT_TRUE(device.copyToHost(content.data(), *memory, bytes, nullptr).ok());
  EXPECT_TRUE(device.free(*memory, nullptr).ok());
  return content;
}

TEST(PoisonedMemoryTest, HoldsNoNumberUntilItStops) {
  driver::PoisonedMemory device(std::make_shared<NotingDevice>());
  EXPECT_EQ(allocate(device, 5), std::vector<uint8_t>(5, 0xff));
  device.stop();
  EXPECT_EQ(allocate(device, 5), std::vector<uint8_t>(5, 0xcd));
}

TEST(PoisonedMemoryTest, FreesWhatItCannotFill) {
  auto inner = std::make_shared<NotingDevice>();
  inner->fillFails = true;
  driver::PoisonedMemory device(inner);
  auto memory = device.allocate(5, nullptr);
  ASSERT_FALSE(memory.ok());
  EXPECT_EQ(memory.error().message, "no fill");
  EXPECT_TRUE(inner->live.empty());
}

TEST(PoisonedMemoryTest, IsThatOfCheckedRunsOnGpus) {
  auto gpu = std::make_shared<NotingDevice>();
  EXPECT_EQ(driver::RunDevice(gpu, /*areChecked=*/false).device, gpu);
  driver::RunDevice checked(gpu, /*areChecked=*/true);
  EXPECT_EQ(checked.device, checked.memory);
  // The host device tells by itself which elements were written.
  auto host = std::make_shared<NotingDevice>();
  host->device.kind = artifact::DeviceKind::Host;
  EXPECT_EQ(driver::RunDevice(host, /*areChecked=*/true).memory, nullptr);
}

TEST(ForwardingDeviceTest, MakesMapsOfTensors) {
  auto inner = std::make_shared<NotingDevice>();
  driver::PoisonedMemory device(inner);
  runtime::TensorMap map;
  EXPECT_TRUE(device.makeTensorMap({}, "x", map).ok());
  EXPECT_EQ(inner->maps, std::vector<std::string>{"x"});
}

} // namespace
