//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which accesses of launches that may overlap conflict, by streams and bytes.
//
//===----------------------------------------------------------------------===//

#include "EarlierLaunches.h"

#include <gtest/gtest.h>

using namespace fuser;
using namespace fuser::runtime;
using namespace fuser::runtime::host;

namespace {

char memory[64];

EarlierAccess makeAccess(const char *kernel, unsigned begin, unsigned bytes, bool writes) {
  return {kernel, memory + begin, bytes, writes, /*isAnywhere=*/false};
}

/// The kernel that an access of `bytes` bytes at `begin` conflicts with; empty: none.
std::string find(const EarlierAccesses &earlier, unsigned begin, uint32_t bytes, bool writes) {
  const EarlierAccess *found = findConflict(earlier, memory + begin, bytes, writes);
  return found ? found->kernel : "";
}

TEST(EarlierLaunches, ConflictsShareBytesOfWhichOneIsWritten) {
  const EarlierAccesses earlier = {makeAccess("reads", 8, 4, false),
                                   makeAccess("writes", 16, 8, true),
                                   makeAccess("later", 20, 8, true)};
  // Bytes before, of, and after each access.
  struct {
    unsigned begin;
    uint32_t bytes;
    const char *ofRead, *ofWrite;
  } cases[] = {
      {4, 4, "", ""},
      {4, 5, "", "reads"},
      {8, 4, "", "reads"},
      {11, 1, "", "reads"},
      {12, 4, "", ""},
      {12, 5, "writes", "writes"},
      {23, 1, "writes", "writes"},
      {24, 4, "later", "later"},
      {28, 4, "", ""},
      {0, 64, "writes", "reads"},
  };
  for (const auto &each : cases) {
    EXPECT_EQ(find(earlier, each.begin, each.bytes, false), each.ofRead) << each.begin;
    EXPECT_EQ(find(earlier, each.begin, each.bytes, true), each.ofWrite) << each.begin;
  }
  EXPECT_EQ(find({}, 0, 64, true), "");
  EXPECT_EQ(find({{"any", nullptr, 0, true, /*isAnywhere=*/true}}, 40, 1, false), "any");
}

TEST(EarlierLaunches, AreThoseOfAStreamSinceTheLastThatWaits) {
  EarlierLaunches launches;
  const MemoryRange ranges[] = {{0, false, /*writes=*/true, memory, 16},
                                {0, true, /*writes=*/false, memory + 32, 8}};
  int streams[2];
  auto add = [&](const char *kernel, bool dependent, int stream = 0, size_t count = 2) {
    LaunchConfig config;
    config.stream = &streams[stream];
    config.dependent = dependent;
    config.ranges = {ranges, count};
    std::string text;
    for (const EarlierAccess &access : launches.add(config, kernel))
      text += (text.empty() ? "" : ", ") + access.kernel +
              (access.isAnywhere ? " anywhere"
                                 : " " + std::to_string(access.begin - memory) + "+" +
                                       std::to_string(access.bytes)) +
              (access.writes ? " w" : "");
    return text;
  };
  EXPECT_EQ(add("a", false), "");
  EXPECT_EQ(add("b", true, 0, 1), "a 0+16 w, a 32+8");
  EXPECT_EQ(add("c", true, 1), "");
  EXPECT_EQ(add("d", true, 0, 0), "a 0+16 w, a 32+8, b 0+16 w");
  EXPECT_EQ(add("e", true, 0, 1), "a 0+16 w, a 32+8, b 0+16 w, d anywhere w");
  EXPECT_EQ(add("f", false), "");
  EXPECT_EQ(add("g", true), "f 0+16 w, f 32+8");
  launches.finish(&streams[0]);
  EXPECT_EQ(add("h", true), "");
  EXPECT_EQ(add("i", true, 1), "c 0+16 w, c 32+8");
}

} // namespace
