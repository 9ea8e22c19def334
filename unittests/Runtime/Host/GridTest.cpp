//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels whose blocks work together: tickets, the last block, synchronisation of the grid.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

#include <numeric>

using namespace fuser::test;

namespace {

class HostGrid : public HostKernelTest {
protected:
  static fuser::runtime::HostDeviceOptions options() {
    fuser::runtime::HostDeviceOptions options;
    // More than most test machines have, so that blocks do run at the same time.
    options.workers = 4;
    options.maxLiveThreads = 4096;
    return options;
  }
  HostGrid() : HostKernelTest(options()) {}
};

/// Each block sums a slice into a workspace; the block that arrives last adds up the workspace.
const char kGridSum[] = R"mlir(
gpu.module @m {
  gpu.func @grid_sum(%px: memref<f32>, %pp: memref<f32>, %counter: memref<i32>, %py: memref<f32>,
                     %n: index)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %blocks = gpu.grid_dim x
    %d = gpu.block_dim x
    %p = memref.reinterpret_cast %pp to offset: [0], sizes: [%blocks], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %base = arith.muli %b, %d : index
    %first = arith.addi %base, %t : index
    %all = arith.muli %blocks, %d : index
    %mine = scf.for %i = %first to %n step %all iter_args(%s = %zero) -> f32 {
      %v = memref.load %x[%i] : memref<?xf32, strided<[1]>>
      %r = arith.addf %s, %v : f32
      scf.yield %r : f32
    }
    memref.store %mine, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %leader = arith.cmpi eq, %t, %c0 : index
    scf.if %leader {
      %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
        %r = arith.addf %s, %v : f32
        scf.yield %r : f32
      }
      memref.store %sum, %p[%b] : memref<?xf32, strided<[1]>>
    }
    %count = arith.index_cast %blocks : index to i32
    %last = fuser_gpu.last_block %counter[], %count : memref<i32>
    scf.if %last {
      scf.if %leader {
        %sum = scf.for %i = %c0 to %blocks step %c1 iter_args(%s = %zero) -> f32 {
          %v = memref.load %p[%i] : memref<?xf32, strided<[1]>>
          %r = arith.addf %s, %v : f32
          scf.yield %r : f32
        }
        memref.store %sum, %py[] : memref<f32>
      }
    }
    gpu.return
  }
})mlir";

TEST_F(HostGrid, LastBlockAddsUpTheGrid) {
  auto kernel = load(kGridSum);
  ASSERT_TRUE(kernel);
  const int64_t n = 100003;
  std::vector<float> x = randomFloats(n, 21);
  const double expected = std::accumulate(x.begin(), x.end(), 0.0);
  int32_t counter = 0;
  // The counter is left as it was found, so the same one serves every launch.
  for (uint32_t blocks : {1u, 7u, 200u}) {
    std::vector<float> partial(blocks, -1);
    float y = 0;
    fuser::runtime::Status status =
        launch(*kernel, shape(blocks, 64), Parameters(x.data(), partial.data(), &counter, &y, n));
    ASSERT_TRUE(status.ok()) << status.error().str();
    EXPECT_NEAR(y, expected, 1e-2) << blocks << " blocks";
    EXPECT_EQ(counter, 0);
  }
}

TEST_F(HostGrid, TicketsAreDrawnOnce) {
  const uint32_t blocks = 300;
  std::vector<int32_t> drawn(blocks, 0);
  int32_t counter = 0;
  run(R"mlir(
gpu.module @m {
  gpu.func @tickets(%counter: memref<i32>, %py: memref<i32>) kernel {
    %blocks = gpu.grid_dim x
    %count = arith.index_cast %blocks : index to i32
    %one = arith.constant 1 : i32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%blocks], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %t = fuser_gpu.ticket %counter[], %count : memref<i32>
    fuser_gpu.fence device
    %i = arith.index_cast %t : i32 to index
    %old = memref.atomic_rmw addi %one, %y[%i] : (i32, memref<?xi32, strided<[1]>>) -> i32
    gpu.return
  }
})mlir",
      shape(blocks, 1), Parameters(&counter, drawn.data()));
  EXPECT_EQ(counter, 0);
  for (uint32_t i = 0; i < blocks; ++i)
    ASSERT_EQ(drawn[i], 1) << "ticket " << i;
}

TEST_F(HostGrid, AtomicsAreNotLost) {
  float sum = 0;
  int32_t most = -1;
  run(R"mlir(
gpu.module @m {
  gpu.func @atomics(%sum: memref<f32>, %most: memref<i32>) kernel {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %id = arith.index_cast %i : index to i32
    %a = memref.atomic_rmw addf %one, %sum[] : (f32, memref<f32>) -> f32
    %m = memref.atomic_rmw maxs %id, %most[] : (i32, memref<i32>) -> i32
    gpu.return
  }
})mlir",
      shape(500, 128), Parameters(&sum, &most));
  EXPECT_EQ(sum, 64000.0f);
  EXPECT_EQ(most, 63999);
}

/// Rounds of averaging with the neighbours around a ring, through two buffers.
const char kSmooth[] = R"mlir(
gpu.module @m {
  gpu.func @smooth(%pa: memref<f32>, %pb: memref<f32>, %counter: memref<i32>, %n: index,
                   %rounds: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %half = arith.constant 0.5 : f32
    %a = memref.reinterpret_cast %pa to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %b = memref.reinterpret_cast %pb to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %d = gpu.block_dim x
    %base = arith.muli %block, %d : index
    %i = arith.addi %base, %t : index
    %next0 = arith.addi %i, %c1 : index
    %next = arith.remui %next0, %n : index
    scf.for %r = %c0 to %rounds step %c1 {
      %v = memref.load %a[%i] : memref<?xf32, strided<[1]>>
      %w = memref.load %a[%next] : memref<?xf32, strided<[1]>>
      %s = arith.addf %v, %w : f32
      %h = arith.mulf %s, %half : f32
      memref.store %h, %b[%i] : memref<?xf32, strided<[1]>>
      fuser_gpu.grid_sync %counter[] : memref<i32>
      %u = memref.load %b[%i] : memref<?xf32, strided<[1]>>
      memref.store %u, %a[%i] : memref<?xf32, strided<[1]>>
      fuser_gpu.grid_sync %counter[] : memref<i32>
    }
    gpu.return
  }
})mlir";

TEST_F(HostGrid, GridSynchronisation) {
  const int64_t n = 32 * 50, rounds = 7;
  std::vector<float> a = randomFloats(n, 22), b(n);
  std::vector<double> expected(a.begin(), a.end());
  for (int64_t r = 0; r < rounds; ++r) {
    std::vector<double> before = expected;
    for (int64_t i = 0; i < n; ++i)
      expected[i] = (before[i] + before[(i + 1) % n]) / 2;
  }
  int32_t counter = 0;
  fuser::runtime::LaunchConfig config = shape(50, 32);
  config.cooperative = true;
  run(kSmooth, config, Parameters(a.data(), b.data(), &counter, n, rounds));
  for (int64_t i = 0; i < n; ++i)
    ASSERT_NEAR(a[i], expected[i], 1e-6) << "at " << i;
}

TEST_F(HostGrid, GridSynchronisationNeedsACooperativeLaunch) {
  auto kernel = load(kSmooth);
  std::vector<float> a(64), b(64);
  int32_t counter = 0;
  fuser::runtime::Status status = launch(
      *kernel, shape(2, 32), Parameters(a.data(), b.data(), &counter, int64_t(64), int64_t(1)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::InvalidLaunch);
  EXPECT_EQ(status.error().message, "kernel 'smooth': expected a cooperative launch, because it "
                                    "waits for the whole grid");
}

TEST_F(HostGrid, TooManyBlocksForOneScheduler) {
  auto kernel = load(kSmooth);
  fuser::runtime::LaunchConfig config = shape(129, 32);
  config.cooperative = true;
  int32_t counter = 0;
  fuser::runtime::Status status =
      launch(*kernel, config, Parameters(&counter, &counter, &counter, int64_t(1), int64_t(1)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::CooperativeTooLarge);
  EXPECT_EQ(status.error().message,
            "kernel 'smooth': expected at most 128 blocks of 32 threads to be resident at once, "
            "but got 129");
  EXPECT_EQ(*device->maxResidentBlocks(*kernel, config), 128u);
}

} // namespace
