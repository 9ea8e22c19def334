//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/ExecutionPlan.h"
#include "FakeDevice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace fuser::runtime;
using fuser::runtime::test::FakeDevice;

namespace {

/// Strides that store `sizes` densely in the given order, with a gap after each row.
std::vector<int64_t> stridesFor(const std::vector<int64_t> &sizes, const std::vector<size_t> &order,
                                int64_t gap) {
  std::vector<int64_t> strides(sizes.size(), 1);
  int64_t next = 1;
  for (size_t i = order.size(); i > 0; --i) {
    strides[order[i - 1]] = next;
    next = next * sizes[order[i - 1]] + gap;
  }
  return strides;
}

TEST(StridedCopy, AgreesWithElementByElement) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 200; ++round) {
    size_t rank = random() % 5;
    std::vector<int64_t> sizes(rank);
    for (int64_t &size : sizes)
      size = random() % 5 == 0 ? 1 : 1 + random() % 6;
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<int64_t> from = stridesFor(sizes, order, random() % 2);
    if (random() % 2)
      std::shuffle(order.begin(), order.end(), random);
    std::vector<int64_t> to = stridesFor(sizes, order, random() % 2);
    std::vector<int32_t> source(1 << 14), target(1 << 14, -1), expected(1 << 14, -1);
    std::iota(source.begin(), source.end(), 1);

    std::vector<int64_t> index(rank, 0);
    for (bool more = true; more;) {
      int64_t a = 0, b = 0;
      for (size_t d = 0; d < rank; ++d) {
        a += index[d] * from[d];
        b += index[d] * to[d];
      }
      expected[b] = source[a];
      more = false;
      for (size_t d = rank; d > 0 && !more; --d) {
        more = ++index[d - 1] < sizes[d - 1];
        if (!more)
          index[d - 1] = 0;
      }
    }
    FakeDevice device;
    auto view = [&](std::vector<int32_t> &data, const std::vector<int64_t> &strides) {
      return TensorView{data.data(),  DType::I32,     static_cast<uint32_t>(rank),
                        sizes.data(), strides.data(), idOf(device)};
    };
    ASSERT_TRUE(copyStrided(device, view(source, from), view(target, to), nullptr).ok());
    EXPECT_EQ(target, expected) << "round " << round;
  }
}

TEST(StridedCopy, DenseTensorsAreOneCopy) {
  FakeDevice device;
  std::vector<int32_t> source(24, 5), target(24);
  std::vector<int64_t> sizes = {2, 3, 4}, strides = {12, 4, 1};
  TensorView a{source.data(), DType::I32, 3, sizes.data(), strides.data(), idOf(device)};
  TensorView b = a;
  b.data = target.data();
  ASSERT_TRUE(copyStrided(device, a, b, nullptr).ok());
  EXPECT_EQ(device.journal, std::vector<std::string>{"copy 96 @0"});
  EXPECT_EQ(target, source);
}

TEST(StridedCopy, OtherSizesAreRefused) {
  FakeDevice device;
  std::vector<int32_t> source(24, 5), target(24);
  std::vector<int64_t> sizes = {2, 3}, wanted = {2, 4}, strides = {4, 1};
  TensorView a{source.data(), DType::I32, 2, sizes.data(), strides.data(), idOf(device)};
  TensorView b{target.data(), DType::I32, 2, wanted.data(), strides.data(), idOf(device)};
  Status status = copyStrided(device, a, b, nullptr);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "SizeMismatch: copy: expected size 4 in dimension 1, but got 3");
  EXPECT_TRUE(device.journal.empty());
}

TEST(Tensor, AllocationAndStrides) {
  auto device = std::make_shared<FakeDevice>();
  EXPECT_EQ(rowMajorStrides(std::vector<int64_t>{2, 0, 4}), (std::vector<int64_t>{4, 4, 1}));
  {
    Expected<Tensor> tensor = allocateTensor(device, DType::BF16, std::vector<int64_t>{3, 5});
    ASSERT_TRUE(tensor.ok());
    EXPECT_EQ(device->live.begin()->second, 30u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data) % 256, 0u);
  }
  EXPECT_TRUE(device->live.empty());
  EXPECT_EQ(allocateTensor(device, DType::F32, std::vector<int64_t>{0, 5})->data, nullptr);
  EXPECT_EQ(allocateTensor(device, DType::F32, std::vector<int64_t>{-1}).error().code,
            ErrorCode::SizeMismatch);
  EXPECT_EQ(allocateTensor(device, DType::F32, std::vector<int64_t>{INT64_MAX, 2}).error().code,
            ErrorCode::IntegerOverflow);
}

TEST(Tensor, ScalarsKeepTheirSign) {
  EXPECT_EQ(ScalarValue::of(DType::I32, int32_t(-5)).asInteger(), -5);
  EXPECT_EQ(ScalarValue::of(DType::U16, uint16_t(65535)).asInteger(), 65535);
  EXPECT_EQ(ScalarValue::of(DType::I8, int8_t(-1)).asInteger(), -1);
  EXPECT_EQ(ScalarValue::boolean(true).asInteger(), 1);
}

} // namespace
