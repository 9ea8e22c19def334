//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels whose threads do not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

using namespace fuser::test;

namespace {

class HostElementwise : public HostKernelTest {};

/// y = max(a * b + a, 0) in bf16: 8 elements per thread with one access, an odd tail one by one.
const char kScaleAddRelu[] = R"mlir(
gpu.module @m attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale_add_relu(%pa: memref<bf16>, %pb: memref<bf16>, %py: memref<bf16>, %n: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %zeros = arith.constant 0.0 : f32
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %a = memref.reinterpret_cast %pa to offset: [0], sizes: [%n], strides: [1]
        : memref<bf16> to memref<?xbf16, strided<[1]>>
    %b = memref.reinterpret_cast %pb to offset: [0], sizes: [%n], strides: [1]
        : memref<bf16> to memref<?xbf16, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<bf16> to memref<?xbf16, strided<[1]>>
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %first = arith.muli %block, %dim : index
    %thread = arith.addi %first, %t : index
    %i = arith.muli %thread, %c8 : index
    %end = arith.addi %i, %c8 : index
    %whole = arith.cmpi sle, %end, %n : index
    scf.if %whole {
      %va = vector.load %a[%i] {alignment = 16 : i64} : memref<?xbf16, strided<[1]>>, vector<8xbf16>
      %vb = vector.load %b[%i] {alignment = 16 : i64} : memref<?xbf16, strided<[1]>>, vector<8xbf16>
      %fa = arith.extf %va : vector<8xbf16> to vector<8xf32>
      %fb = arith.extf %vb : vector<8xbf16> to vector<8xf32>
      %p = arith.mulf %fa, %fb : vector<8xf32>
      %s = arith.addf %p, %fa : vector<8xf32>
      %r = arith.maximumf %s, %zero : vector<8xf32>
      %h = arith.truncf %r : vector<8xf32> to vector<8xbf16>
      vector.store %h, %y[%i] {alignment = 16 : i64} : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    } else {
      scf.for %j = %i to %n step %c1 {
        %va = memref.load %a[%j] : memref<?xbf16, strided<[1]>>
        %vb = memref.load %b[%j] : memref<?xbf16, strided<[1]>>
        %fa = arith.extf %va : bf16 to f32
        %fb = arith.extf %vb : bf16 to f32
        %p = arith.mulf %fa, %fb : f32
        %s = arith.addf %p, %fa : f32
        %r = arith.maximumf %s, %zeros : f32
        %h = arith.truncf %r : f32 to bf16
        memref.store %h, %y[%j] : memref<?xbf16, strided<[1]>>
      }
    }
    gpu.return
  }
})mlir";

TEST_F(HostElementwise, ComputesVectorsAndTheTail) {
  auto kernel = load(kScaleAddRelu);
  ASSERT_TRUE(kernel);
  for (int32_t n : {1, 7, 8, 9, 1023, 1024, 5002, 100003}) {
    // One element more than the kernel may touch, to see that it does not.
    const size_t bytes = (n + 1) * sizeof(uint16_t);
    std::vector<uint16_t> a = randomBF16(n, 1), b = randomBF16(n, 2), y(n + 1);
    void *da = *device->allocate(bytes, nullptr), *db = *device->allocate(bytes, nullptr);
    void *dy = *device->allocate(bytes, nullptr);
    ASSERT_TRUE(device->copyToDevice(da, a.data(), n * 2, nullptr).ok());
    ASSERT_TRUE(device->copyToDevice(db, b.data(), n * 2, nullptr).ok());
    fuser::runtime::Status status =
        launch(*kernel, shape((n + 1023) / 1024, 128), Parameters(da, db, dy, n));
    ASSERT_TRUE(status.ok()) << status.error().str();
    ASSERT_TRUE(device->copyToHost(y.data(), dy, bytes, nullptr).ok());
    for (int32_t i = 0; i < n; ++i) {
      const double x = fromBF16(a[i]), w = fromBF16(b[i]);
      const double product = static_cast<float>(x * w); // the kernel rounds the product to f32
      ASSERT_EQ(y[i], toBF16(std::max(product + x, 0.0))) << "at " << i << " of " << n;
    }
    EXPECT_EQ(y[n], 0xFFFF) << "memory behind the tensor was written";
    for (void *memory : {da, db, dy})
      ASSERT_TRUE(device->free(memory, nullptr).ok());
  }
}

TEST_F(HostElementwise, OneThreadInOneBlock) {
  float value = 3.5f;
  run(R"mlir(
gpu.module @m {
  gpu.func @square(%x: memref<f32>) kernel {
    %v = memref.load %x[] : memref<f32>
    %s = arith.mulf %v, %v : f32
    memref.store %s, %x[] : memref<f32>
    gpu.return
  }
})mlir",
      shape(1, 1), Parameters(&value));
  EXPECT_EQ(value, 12.25f);
}

/// Every thread writes its linear id at the place that its three-dimensional ids name.
TEST_F(HostElementwise, IdsInThreeDimensions) {
  fuser::runtime::LaunchConfig config;
  const uint32_t grid[3] = {3, 2, 4}, block[3] = {5, 3, 2};
  std::copy(grid, grid + 3, config.grid);
  std::copy(block, block + 3, config.block);
  const size_t threads = 3 * 2 * 4 * 5 * 3 * 2;
  std::vector<int64_t> ids(threads, -1);
  run(R"mlir(
gpu.module @m {
  gpu.func @ids(%p: memref<i64>, %n: index) kernel {
    %out = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1]
        : memref<i64> to memref<?xi64, strided<[1]>>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %gz = gpu.grid_dim z
    // ((((bz * gy + by) * gx + bx) * dz + tz) * dy + ty) * dx + tx
    %a0 = arith.muli %bz, %gy : index
    %a1 = arith.addi %a0, %by : index
    %a2 = arith.muli %a1, %gx : index
    %a3 = arith.addi %a2, %bx : index
    %a4 = arith.muli %a3, %dz : index
    %a5 = arith.addi %a4, %tz : index
    %a6 = arith.muli %a5, %dy : index
    %a7 = arith.addi %a6, %ty : index
    %a8 = arith.muli %a7, %dx : index
    %a9 = arith.addi %a8, %tx : index
    %id = arith.index_cast %a9 : index to i64
    %depth = arith.index_cast %gz : index to i64
    %c1000 = arith.constant 1000 : i64
    %high = arith.muli %depth, %c1000 : i64
    %value = arith.addi %high, %id : i64
    memref.store %value, %out[%a9] : memref<?xi64, strided<[1]>>
    gpu.return
  }
})mlir",
      config, Parameters(ids.data(), int64_t(threads)));
  for (size_t i = 0; i < threads; ++i)
    ASSERT_EQ(ids[i], int64_t(4000 + i));
}

/// The ids that follow from others.
TEST_F(HostElementwise, DerivedIds) {
  fuser::runtime::LaunchConfig config = shape(3, 20);
  config.block[1] = 5;
  std::vector<int64_t> ids(300, -1);
  run(R"mlir(
gpu.module @m {
  gpu.func @derived(%p: memref<i64>) kernel {
    %n = arith.constant 300 : index
    %out = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1]
        : memref<i64> to memref<?xi64, strided<[1]>>
    %x = gpu.global_id x
    %y = gpu.thread_id y
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %size = gpu.subgroup_size : index
    %width = arith.constant 60 : index
    %r = arith.muli %y, %width : index
    %i = arith.addi %r, %x : index
    %w = arith.muli %warp, %size : index
    %linear = arith.addi %w, %lane : index
    %v = arith.index_cast %linear : index to i64
    memref.store %v, %out[%i] : memref<?xi64, strided<[1]>>
    gpu.return
  }
})mlir",
      config, Parameters(ids.data()));
  for (int64_t y = 0; y < 5; ++y)
    for (int64_t x = 0; x < 60; ++x)
      ASSERT_EQ(ids[y * 60 + x], y * 20 + x % 20) << x << ", " << y;
}

} // namespace
