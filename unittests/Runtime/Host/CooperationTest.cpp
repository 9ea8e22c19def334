//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels whose threads wait for each other within a block.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

using namespace fuser::test;

namespace {

class HostCooperation : public HostKernelTest {};

/// One row per block: maximum, sum of exponentials and result, each reduced by shuffles within a
/// warp and through shared memory between warps.
const char kSoftmax[] = R"mlir(
gpu.module @m {
  gpu.func @softmax(%px: memref<f32>, %py: memref<f32>, %rows: index, %cols: index)
      workgroup(%partial: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %width = arith.constant 32 : i32
    %s1 = arith.constant 1 : i32
    %s2 = arith.constant 2 : i32
    %s4 = arith.constant 4 : i32
    %s8 = arith.constant 8 : i32
    %s16 = arith.constant 16 : i32
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %size = arith.muli %rows, %cols : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%size], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%size], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    %row = gpu.block_id x
    %dim = gpu.block_dim x
    %base = arith.muli %row, %cols : index
    %warp = arith.divui %t, %c32 : index
    %lane = gpu.lane_id
    %warps = arith.divui %dim, %c32 : index

    %m0 = scf.for %j = %t to %cols step %dim iter_args(%m = %least) -> f32 {
      %i = arith.addi %base, %j : index
      %v = memref.load %x[%i] : memref<?xf32, strided<[1]>>
      %n = arith.maximumf %m, %v : f32
      scf.yield %n : f32
    }
    %o1, %ok1 = gpu.shuffle xor %m0, %s16, %width : f32
    %m1 = arith.maximumf %m0, %o1 : f32
    %o2, %ok2 = gpu.shuffle xor %m1, %s8, %width : f32
    %m2 = arith.maximumf %m1, %o2 : f32
    %o3, %ok3 = gpu.shuffle xor %m2, %s4, %width : f32
    %m3 = arith.maximumf %m2, %o3 : f32
    %o4, %ok4 = gpu.shuffle xor %m3, %s2, %width : f32
    %m4 = arith.maximumf %m3, %o4 : f32
    %o5, %ok5 = gpu.shuffle xor %m4, %s1, %width : f32
    %m5 = arith.maximumf %m4, %o5 : f32
    memref.store %m5, %partial[%warp] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %max = scf.for %w = %c0 to %warps step %c1 iter_args(%m = %least) -> f32 {
      %v = memref.load %partial[%w] : memref<32xf32, #gpu.address_space<workgroup>>
      %n = arith.maximumf %m, %v : f32
      scf.yield %n : f32
    }
    gpu.barrier

    %e0 = scf.for %j = %t to %cols step %dim iter_args(%s = %zero) -> f32 {
      %i = arith.addi %base, %j : index
      %v = memref.load %x[%i] : memref<?xf32, strided<[1]>>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      %n = arith.addf %s, %e : f32
      scf.yield %n : f32
    }
    %q1, %in1 = gpu.shuffle xor %e0, %s16, %width : f32
    %e1 = arith.addf %e0, %q1 : f32
    %q2, %in2 = gpu.shuffle xor %e1, %s8, %width : f32
    %e2 = arith.addf %e1, %q2 : f32
    %q3, %in3 = gpu.shuffle xor %e2, %s4, %width : f32
    %e3 = arith.addf %e2, %q3 : f32
    %q4, %in4 = gpu.shuffle xor %e3, %s2, %width : f32
    %e4 = arith.addf %e3, %q4 : f32
    %q5, %in5 = gpu.shuffle xor %e4, %s1, %width : f32
    %e5 = arith.addf %e4, %q5 : f32
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %e5, %partial[%warp] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %sum = scf.for %w = %c0 to %warps step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %partial[%w] : memref<32xf32, #gpu.address_space<workgroup>>
      %n = arith.addf %s, %v : f32
      scf.yield %n : f32
    }

    scf.for %j = %t to %cols step %dim {
      %i = arith.addi %base, %j : index
      %v = memref.load %x[%i] : memref<?xf32, strided<[1]>>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      %r = arith.divf %e, %sum : f32
      memref.store %r, %y[%i] : memref<?xf32, strided<[1]>>
    }
    gpu.return
  }
})mlir";

TEST_F(HostCooperation, Softmax) {
  auto kernel = load(kSoftmax);
  ASSERT_TRUE(kernel);
  for (int64_t cols : {1, 31, 256, 1000, 4096}) {
    const int64_t rows = 5;
    std::vector<float> x = randomFloats(rows * cols, 7, -8, 8), y(rows * cols);
    fuser::runtime::Status status =
        launch(*kernel, shape(rows, 256), Parameters(x.data(), y.data(), rows, cols));
    ASSERT_TRUE(status.ok()) << status.error().str();
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t c = 0; c < cols; ++c)
        sum += std::exp(double(x[r * cols + c]));
      for (int64_t c = 0; c < cols; ++c) {
        const double expected = std::exp(double(x[r * cols + c])) / sum;
        ASSERT_NEAR(y[r * cols + c], expected, expected * 2e-6) << r << ", " << c;
      }
    }
  }
}

} // namespace
