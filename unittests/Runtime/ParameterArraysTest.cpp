//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/ParameterArrays.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace fuser::runtime;

namespace {

TEST(ParameterArrays, ArraysAreContiguousAndAligned) {
  uint32_t small[3] = {1, 2, 3}, single = 7;
  uint64_t large[4] = {10, 20, 30, 40};
  std::vector<KernelParameter> parameters;
  for (uint32_t &value : small)
    parameters.push_back({&value, 4});
  parameters.push_back({&single, 4});
  for (uint64_t &value : large)
    parameters.push_back({&value, 8});
  auto arrays = ParameterArrays::create({3, 1, 4}, {parameters.data(), parameters.size()}, "k");
  ASSERT_TRUE(arrays.ok()) << arrays.error().str();
  // The addresses are those of the object, wherever it was moved to.
  ParameterArrays moved = arrays.take();
  ASSERT_EQ(moved.size(), 3u);
  EXPECT_EQ(std::memcmp(moved.values()[0], small, sizeof(small)), 0);
  EXPECT_EQ(moved.values()[1], &single);
  EXPECT_EQ(std::memcmp(moved.values()[2], large, sizeof(large)), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(moved.values()[2]) % 8, 0u);
}

TEST(ParameterArrays, AnotherNumberOfParametersIsATypedError) {
  uint32_t value = 1;
  std::vector<KernelParameter> parameters(3, {&value, 4});
  for (std::vector<uint32_t> runs : {std::vector<uint32_t>{2}, {2, 2}, {4}}) {
    auto arrays = ParameterArrays::create(runs, {parameters.data(), parameters.size()}, "k");
    ASSERT_FALSE(arrays.ok());
    EXPECT_EQ(arrays.error().code, ErrorCode::InvalidLaunch);
  }
  auto arrays = ParameterArrays::create({4}, {parameters.data(), parameters.size()}, "k");
  EXPECT_EQ(arrays.error().message, "kernel 'k': expected 4 parameters, but got 3");
}

} // namespace
