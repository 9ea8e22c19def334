//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// S2.8: an access of a kernel outside of the boxes of its launch is an error that names it.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

namespace {

using namespace fuser::test;
using fuser::runtime::ErrorCode;
using fuser::runtime::MemoryRange;

/// Each thread copies element `at` of x to element `to` of y.
const char *const kCopy = R"mlir(
gpu.module @m {
  gpu.func @copy(%px: memref<f32>, %py: memref<f32>, %at: index, %to: index) kernel {
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = memref.load %x[%at] : memref<?xf32, strided<[1]>>
    memref.store %v, %y[%to] : memref<?xf32, strided<[1]>>
    gpu.return
  }
})mlir";

class BoxCheck : public HostKernelTest {
protected:
  BoxCheck() {
    for (size_t i = 0; i < 32; ++i)
      x[i] = static_cast<float>(i);
  }

  fuser::HostTargetOptions checked() const {
    fuser::HostTargetOptions options;
    options.checkAccesses = true;
    return options;
  }

  /// A box of the first `bytes` bytes from `origin`, with a shape.
  MemoryRange range(uint32_t parameter, float *origin, uint64_t bytes, const char *name,
                    const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides,
                    bool writes) const {
    MemoryRange result;
    result.parameter = parameter;
    result.reads = !writes;
    result.writes = writes;
    result.begin = reinterpret_cast<const char *>(origin);
    result.bytes = bytes;
    result.origin = result.begin;
    result.sizes = sizes.data();
    result.strides = strides.data();
    result.rank = static_cast<uint32_t>(sizes.size());
    result.elementBytes = 4;
    result.name = name;
    return result;
  }

  /// Copies x[at] to y[to] where the boxes are 2 x 3 elements with a pitch of 8.
  fuser::runtime::Status copy(int64_t at, int64_t to, const char *text = kCopy) {
    auto kernel = load(text, checked());
    if (!kernel)
      return {};
    const std::vector<int64_t> sizes = {2, 3}, strides = {8, 1};
    std::vector<MemoryRange> ranges = {range(0, x + 8, 44, "x", sizes, strides, false),
                                       range(1, y + 8, 44, "", sizes, strides, true)};
    fuser::runtime::LaunchConfig config = shape(1, 1);
    config.ranges = ranges;
    return launch(*kernel, config, Parameters(x + 8, y + 8, at, to));
  }

  float x[32] = {}, y[32] = {};
};

TEST_F(BoxCheck, S2_8_InsideIsFine) {
  ASSERT_TRUE(copy(10, 2).ok());
  EXPECT_EQ(y[10], 18.0f);
  ASSERT_TRUE(copy(0, 8).ok());
  EXPECT_EQ(y[16], 8.0f);
}

TEST_F(BoxCheck, S2_8_OnePastTheBox) {
  fuser::runtime::Status status = copy(11, 0);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::BoxViolation);
  EXPECT_EQ(status.error().message,
            "kernel 'copy', block (0, 0, 0), thread (0, 0, 0): expected memref.load at "
            "kernel.mlir:9:10 inside of the box of parameter 0 ('x', sizes [2, 3], strides [8, 1], "
            "44 bytes), but got 4 bytes at offset 44");
  status = copy(-1, 0);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("at offset -4"), std::string::npos);
}

/// The byte interval holds the elements between the rows of the box; the box does not.
TEST_F(BoxCheck, S2_8_BetweenTheRows) {
  fuser::runtime::Status status = copy(0, 3);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::BoxViolation);
  EXPECT_NE(status.error().message.find("memref.store at kernel.mlir:10:5 inside of the box of "
                                        "parameter 1 (sizes [2, 3], strides [8, 1], 44 bytes), but "
                                        "got 4 bytes at offset 12"),
            std::string::npos)
      << status.error().message;
}

TEST_F(BoxCheck, S2_8_WritesWhatIsOnlyRead) {
  auto kernel = load(kCopy, checked());
  ASSERT_TRUE(kernel);
  const std::vector<int64_t> sizes = {32}, strides = {1};
  std::vector<MemoryRange> ranges = {range(0, x, 128, "x", sizes, strides, false),
                                     range(1, y, 128, "y", sizes, strides, false)};
  fuser::runtime::LaunchConfig config = shape(1, 1);
  config.ranges = ranges;
  fuser::runtime::Status status =
      launch(*kernel, config, Parameters(&x[0], &y[0], int64_t(0), int64_t(0)));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("but it is only read"), std::string::npos);
  // A pointer without a box may not be accessed.
  ranges.pop_back();
  config.ranges = ranges;
  status = launch(*kernel, config, Parameters(&x[0], &y[0], int64_t(0), int64_t(0)));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("the box of parameter 1, but it has none"),
            std::string::npos);
}

/// Vectors, and the ops of fuser_gpu: the last of four elements is outside.
TEST_F(BoxCheck, S2_8_Vectors) {
  const char *text = R"mlir(
gpu.module @m {
  gpu.func @copy(%px: memref<f32>, %py: memref<f32>, %at: index, %to: index) kernel {
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = vector.load %x[%at] : memref<?xf32, strided<[1]>>, vector<4xf32>
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    memref.store %e, %py[] : memref<f32>
    gpu.return
  }
})mlir";
  fuser::runtime::Status status = copy(0, 0, text);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("vector.load at"), std::string::npos);
  const char *hinted = R"mlir(
gpu.module @m {
  gpu.func @copy(%px: memref<f32>, %py: memref<f32>, %at: index, %to: index) kernel {
    %c8 = arith.constant 8 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = arith.constant 1.0 : f32
    %w = vector.broadcast %v : f32 to vector<2xf32>
    fuser_gpu.store %w, %y[%to] cache cs : vector<2xf32>, memref<?xf32, strided<[1]>>
    gpu.return
  }
})mlir";
  EXPECT_TRUE(copy(0, 1, hinted).ok());
  EXPECT_FALSE(copy(0, 2, hinted).ok());
}

/// Accesses are not checked if the caller states no boxes or the kernel was compiled without
/// checks.
TEST_F(BoxCheck, S2_8_OnlyWhereAsked) {
  auto kernel = load(kCopy, checked());
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(
      launch(*kernel, shape(1, 1), Parameters(&x[0], &y[0], int64_t(31), int64_t(31))).ok());
  EXPECT_EQ(y[31], 31.0f);
}

} // namespace
