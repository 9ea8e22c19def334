//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/WrittenRanges.h"

#include <gtest/gtest.h>
#include <random>

using namespace fuser::runtime;

namespace {

struct Bytes {
  uintptr_t begin;
  int64_t size;
  bool isWritten;
};

bool areApart(WrittenRanges &ranges, const std::vector<Bytes> &all) {
  const int64_t one = 1;
  ranges.clear();
  for (const Bytes &bytes : all) {
    TensorView view{reinterpret_cast<void *>(bytes.begin), DType::U8, 1, &bytes.size, &one, {}};
    EXPECT_TRUE(ranges.add(view, bytes.isWritten));
  }
  return ranges.areApart();
}

bool areApartByPairs(const std::vector<Bytes> &all) {
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j)
      if (i != j && all[i].isWritten && all[i].size > 0 && all[j].size > 0 &&
          all[i].begin < all[j].begin + uintptr_t(all[j].size) &&
          all[j].begin < all[i].begin + uintptr_t(all[i].size))
        return false;
  return true;
}

TEST(WrittenRanges, AgreesWithAComparisonOfAllPairs) {
  std::mt19937 random(3);
  // One object for all: the order that it keeps is that of other ranges.
  WrittenRanges ranges;
  unsigned apart = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<Bytes> all(random() % 7);
    for (Bytes &bytes : all)
      bytes = {4096 + random() % 64, int64_t(random() % 9), random() % 3 == 0};
    bool expected = areApartByPairs(all);
    ASSERT_EQ(areApart(ranges, all), expected) << "round " << round;
    apart += expected;
  }
  EXPECT_GT(apart, 300u);
  EXPECT_LT(apart, 2700u);
}

TEST(WrittenRanges, KeepsTheOrderOfLists) {
  WrittenRanges ranges;
  std::vector<Bytes> all;
  for (uintptr_t i = 0; i < 500; ++i)
    all.push_back({(1 << 20) - 100 * i, 100, i % 2 == 0});
  EXPECT_TRUE(areApart(ranges, all));
  EXPECT_TRUE(areApart(ranges, all));
  std::swap(all[3].begin, all[400].begin);
  EXPECT_TRUE(areApart(ranges, all));
  all[7].size = 101;
  EXPECT_FALSE(areApart(ranges, all));
  all[7].size = 100;
  EXPECT_TRUE(areApart(ranges, all));
}

TEST(WrittenRanges, RefusesTensorsBeyondTheAddressSpace) {
  WrittenRanges ranges;
  int64_t sizes[] = {INT64_MAX, 2}, strides[] = {4, 1};
  EXPECT_FALSE(
      ranges.add({reinterpret_cast<void *>(4096), DType::F32, 2, sizes, strides, {}}, true));
}

} // namespace
