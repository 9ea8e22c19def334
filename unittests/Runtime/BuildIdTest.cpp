//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/BuildId.h"

#include <gtest/gtest.h>

#include <algorithm>

using fuser::runtime::getBuildIds;

namespace {

void here() {}

TEST(BuildId, IsThatOfTheCode) {
  const auto *address = reinterpret_cast<const void *>(&here);
  const std::string own = getBuildIds(address, {});
  ASSERT_GE(own.size(), 16u);
  EXPECT_EQ(own.find_first_not_of("0123456789abcdef"), std::string::npos) << own;
  EXPECT_EQ(own, getBuildIds(address, {}));
  EXPECT_EQ(getBuildIds(nullptr, {}), "");
  // The C library is loaded in every process.
  const std::string both = getBuildIds(address, {"libc.so.", "nothing"});
  EXPECT_NE(both.find(own), std::string::npos);
  EXPECT_EQ(std::count(both.begin(), both.end(), ' '), 1) << both;
}

} // namespace
