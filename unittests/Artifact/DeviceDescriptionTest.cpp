//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Artifact/DType.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace fuser::artifact;

namespace {

TEST(DeviceDescription, EveryKnownDeviceSurvivesItsTextForm) {
  for (const char *name : knownDevices()) {
    Expected<DeviceDescription> device = lookupDevice(name);
    ASSERT_TRUE(device.ok()) << name;
    Expected<DeviceDescription> again = parseDevice(printDevice(*device));
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_TRUE(*again == *device) << name;
    EXPECT_GT(device->multiprocessors, 0);
    EXPECT_GT(device->sharedBytesPerMultiprocessor, device->sharedBytesPerBlockOptIn);
  }
}

TEST(DeviceDescription, KnownDevices) {
  // Each field with its values of all devices.
  std::vector<std::string> rows;
  for (const char *name : knownDevices()) {
    std::istringstream lines(printDevice(*lookupDevice(name)));
    std::string line;
    for (size_t row = 0; std::getline(lines, line); ++row)
      if (row < rows.size())
        rows[row] += " | " + line.substr(line.find(" = ") + 3);
      else
        rows.push_back(line);
  }
  std::string text;
  for (const std::string &row : rows)
    text += row + "\n";
  EXPECT_EQ(
      text,
      R"(name = NVIDIA A100 | NVIDIA H100 | NVIDIA H200 | NVIDIA B200 | NVIDIA GeForce RTX 5090
kind = cuda | cuda | cuda | cuda | cuda
chip = sm_80 | sm_90a | sm_90a | sm_100a | sm_120
compute_capability = 80 | 90 | 90 | 100 | 120
multiprocessors = 108 | 132 | 132 | 148 | 170
clock_hz = 1410000000 | 1980000000 | 1980000000 | 1965000000 | 2407000000
memory_bandwidth = 1815000000000 | 2980000000000 | 4280000000000 | 7120000000000 | 1595000000000
memory_latency_ns = 650 | 650 | 650 | 650 | 650
memory_bytes = 85899345920 | 85899345920 | 151397597184 | 193273528320 | 34359738368
l2_bytes = 41943040 | 52428800 | 62914560 | 132120576 | 100663296
warp_size = 32 | 32 | 32 | 32 | 32
max_threads_per_block = 1024 | 1024 | 1024 | 1024 | 1024
max_threads_per_multiprocessor = 2048 | 2048 | 2048 | 2048 | 1536
max_blocks_per_multiprocessor = 32 | 32 | 32 | 32 | 24
registers_per_multiprocessor = 65536 | 65536 | 65536 | 65536 | 65536
max_registers_per_thread = 255 | 255 | 255 | 255 | 255
shared_bytes_per_block = 49152 | 49152 | 49152 | 49152 | 49152
shared_bytes_per_block_opt_in = 166912 | 232448 | 232448 | 232448 | 101376
shared_bytes_per_multiprocessor = 167936 | 233472 | 233472 | 233472 | 102400
max_parameter_bytes = 32764 | 32764 | 32764 | 32764 | 32764
max_cluster_blocks = 1 | 8 | 8 | 8 | 8
max_cooperative_threads = 0 | 0 | 0 | 0 | 0
max_grid = 2147483647, 65535, 65535 | 2147483647, 65535, 65535 | 2147483647, 65535, 65535 | 2147483647, 65535, 65535 | 2147483647, 65535, 65535
max_block = 1024, 1024, 64 | 1024, 1024, 64 | 1024, 1024, 64 | 1024, 1024, 64 | 1024, 1024, 64
)");
}

TEST(DeviceDescription, EveryFieldIsInTheTextForm) {
  // A changed field that is not printed would be lost.
  Expected<DeviceDescription> device = lookupDevice("h200");
  DeviceDescription other = *device;
  other.maxBlock[2] = 7;
  EXPECT_TRUE(other != *device);
  EXPECT_NE(printDevice(other).find("max_block = 1024, 1024, 7\n"), std::string::npos);
}

TEST(DeviceDescription, ChipLookupKeepsTheChip) {
  for (const char *chip : {"sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"})
    EXPECT_EQ(lookupDevice(chip)->chip, chip);
  EXPECT_EQ(lookupDevice("sm_80")->multiprocessors, 108);
  Expected<DeviceDescription> unknown = lookupDevice("sm_35");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::DeviceUnavailable);
  EXPECT_NE(unknown.error().message.find("'sm_35'"), std::string::npos);
}

TEST(DeviceDescription, DefaultsCommentsAndBlankLines) {
  Expected<DeviceDescription> device =
      parseDevice("# mine\n\n  multiprocessors=4 \r\nname = x y\n");
  ASSERT_TRUE(device.ok()) << device.error().str();
  EXPECT_EQ(device->multiprocessors, 4);
  EXPECT_EQ(device->name, "x y");
  EXPECT_EQ(device->warpSize, 32);
}

TEST(DeviceDescription, BadTextNamesTheLine) {
  struct {
    const char *text, *message;
  } cases[] = {
      {"warp_size 32", "line 1: expected 'key = value', but got 'warp_size 32'"},
      {"\nfoo = 1", "line 2: expected a field of a device description, but got 'foo'"},
      {"warp_size = -1", "line 1: expected a non-negative integer for 'warp_size', but got '-1'"},
      {"warp_size = 99999999999999999999",
       "line 1: expected a non-negative integer for 'warp_size', but got '99999999999999999999'"},
      {"max_grid = 1, 2",
       "line 1: expected three non-negative integers for 'max_grid', but got '1, 2'"},
      {"chip = a\nchip = b", "line 2: expected each key once, but got 'chip' again"},
      {"kind = tpu", "line 1: expected 'cuda' or 'host' for 'kind', but got 'tpu'"},
  };
  for (const auto &c : cases) {
    Expected<DeviceDescription> device = parseDevice(c.text);
    ASSERT_FALSE(device.ok()) << c.text;
    EXPECT_EQ(device.error().code, ErrorCode::ParseError);
    EXPECT_EQ(device.error().message, c.message);
  }
}

TEST(DType, NamesAndSizes) {
  for (unsigned i = 0; i < kNumDTypes; ++i) {
    DType type = static_cast<DType>(i);
    EXPECT_EQ(parseDType(toString(type)), type);
    EXPECT_GE(byteSize(type), 1u);
  }
  EXPECT_EQ(byteSize(DType::BF16), 2u);
  EXPECT_EQ(byteSize(DType::Complex128), 16u);
  EXPECT_EQ(byteSize(DType::F8E4M3), 1u);
  EXPECT_FALSE(parseDType("int").has_value());
}

} // namespace
