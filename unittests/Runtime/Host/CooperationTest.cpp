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

/// Sum over a block of 1024: a tree in shared memory with a barrier per level.
TEST_F(HostCooperation, BlockReductionOf1024Threads) {
  const int64_t n = 3 * 1024;
  std::vector<float> x = randomFloats(n, 11), sums(3);
  run(R"mlir(
gpu.module @m {
  gpu.func @block_sum(%px: memref<f32>, %py: memref<f32>, %n: index)
      workgroup(%tree: memref<1024xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %half = arith.constant 512 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %v = memref.load %x[%i] : memref<?xf32, strided<[1]>>
    memref.store %v, %tree[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.while (%s = %half) : (index) -> index {
      %more = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi ult, %t, %s : index
      scf.if %in {
        %o = arith.addi %t, %s : index
        %p = memref.load %tree[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
        %q = memref.load %tree[%o] : memref<1024xf32, #gpu.address_space<workgroup>>
        %r = arith.addf %p, %q : f32
        memref.store %r, %tree[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %r = memref.load %tree[%c0] : memref<1024xf32, #gpu.address_space<workgroup>>
      memref.store %r, %y[%b] : memref<?xf32, strided<[1]>>
    }
    gpu.return
  }
})mlir",
      shape(3, 1024), Parameters(x.data(), sums.data(), n));
  for (int b = 0; b < 3; ++b) {
    double expected = 0;
    for (int i = 0; i < 1024; ++i)
      expected += x[b * 1024 + i];
    EXPECT_NEAR(sums[b], expected, 1e-3) << "block " << b;
  }
}

/// A tile of 32 x 32 in dynamic shared memory, blocks of 32 x 8, extents that no tile divides.
TEST_F(HostCooperation, TransposeThroughDynamicSharedMemory) {
  const int64_t rows = 70, cols = 45;
  std::vector<float> x = randomFloats(rows * cols, 12), y(rows * cols);
  fuser::runtime::LaunchConfig config;
  config.grid[0] = (cols + 31) / 32;
  config.grid[1] = (rows + 31) / 32;
  config.block[0] = 32;
  config.block[1] = 8;
  config.dynamicSharedBytes = 32 * 33 * sizeof(float);
  run(R"mlir(
gpu.module @m {
  gpu.func @transpose(%px: memref<f32>, %py: memref<f32>, %rows: index, %cols: index) kernel
      attributes {known_block_size = array<i32: 32, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
        to memref<32x33xf32, #gpu.address_space<workgroup>>
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%rows, %cols], strides: [%cols, 1]
        : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%cols, %rows], strides: [%rows, 1]
        : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %col0 = arith.muli %bx, %c32 : index
    %row0 = arith.muli %by, %c32 : index
    scf.for %k = %ty to %c32 step %c8 {
      %r = arith.addi %row0, %k : index
      %c = arith.addi %col0, %tx : index
      %rin = arith.cmpi slt, %r, %rows : index
      %cin = arith.cmpi slt, %c, %cols : index
      %in = arith.andi %rin, %cin : i1
      scf.if %in {
        %v = memref.load %x[%r, %c] : memref<?x?xf32, strided<[?, 1]>>
        memref.store %v, %tile[%k, %tx] : memref<32x33xf32, #gpu.address_space<workgroup>>
      }
    }
    gpu.barrier
    scf.for %k = %ty to %c32 step %c8 {
      %r = arith.addi %col0, %k : index
      %c = arith.addi %row0, %tx : index
      %rin = arith.cmpi slt, %r, %cols : index
      %cin = arith.cmpi slt, %c, %rows : index
      %in = arith.andi %rin, %cin : i1
      scf.if %in {
        %v = memref.load %tile[%tx, %k] : memref<32x33xf32, #gpu.address_space<workgroup>>
        memref.store %v, %y[%r, %c] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
})mlir",
      config, Parameters(x.data(), y.data(), rows, cols));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      ASSERT_EQ(y[c * rows + r], x[r * cols + c]) << r << ", " << c;
}

/// One lane's view of a shuffle; the source lane per mode, within groups of `width`.
int sourceOf(int mode, int lane, int offset, int width) {
  const int group = lane / width * width, local = lane % width;
  const int sources[] = {local ^ offset, local - offset, local + offset, offset};
  const int source = sources[mode];
  return source >= 0 && source < width ? group + source : lane;
}

/// All modes, widths and a set of offsets; 80 threads, so that the last warp is half there.
TEST_F(HostCooperation, ShufflesInEveryModeAndWidth) {
  const char *const modes[] = {"xor", "up", "down", "idx"};
  for (int mode = 0; mode < 4; ++mode)
    for (int width : {2, 8, 32}) {
      auto kernel = load(std::string(R"mlir(
gpu.module @m {
  gpu.func @shuffle(%px: memref<i32>, %py: memref<i32>, %offset: i32) kernel {
    %n = arith.constant 80 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<?xi32, strided<[1]>>
    %r = fuser_gpu.shuffle )mlir") +
                         modes[mode] + " %v, %offset width " + std::to_string(width) + R"mlir( : i32
    memref.store %r, %y[%t] : memref<?xi32, strided<[1]>>
    gpu.return
  }
})mlir");
      ASSERT_TRUE(kernel);
      for (int32_t offset : {0, 1, 3, 7, 16, 31}) {
        std::vector<int32_t> x(80), y(80);
        for (int i = 0; i < 80; ++i)
          x[i] = 1000 + i * i;
        ASSERT_TRUE(launch(*kernel, shape(1, 80), Parameters(x.data(), y.data(), offset)).ok());
        for (int t = 0; t < 80; ++t) {
          const int source = t / 32 * 32 + sourceOf(mode, t % 32, offset, width);
          // A lane that does not exist: all ones.
          ASSERT_EQ(y[t], source < 80 ? x[source] : -1)
              << modes[mode] << " width " << width << " offset " << offset << " thread " << t;
        }
      }
    }
}

/// Some segments of a warp are at the wide shuffle while others still are at the second narrow one.
TEST_F(HostCooperation, NarrowSegmentsMeetBeforeTheWarp) {
  auto kernel = load(R"mlir(
gpu.module @m {
  gpu.func @shuffles(%px: memref<i32>, %py: memref<i32>) kernel {
    %n = arith.constant 64 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %v = memref.load %x[%t] : memref<?xi32, strided<[1]>>
    %c2 = arith.constant 2 : i32
    %first = fuser_gpu.shuffle xor %v, %c1 width 8 : i32
    %second = fuser_gpu.shuffle xor %first, %c2 width 8 : i32
    %wide = fuser_gpu.shuffle xor %second, %c16 width 32 : i32
    memref.store %wide, %y[%t] : memref<?xi32, strided<[1]>>
    gpu.return
  }
})mlir");
  ASSERT_TRUE(kernel);
  std::vector<int32_t> x(64), y(64);
  for (int i = 0; i < 64; ++i)
    x[i] = i;
  ASSERT_TRUE(launch(*kernel, shape(1, 64), Parameters(x.data(), y.data())).ok());
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(y[t], t ^ 19);
}

/// Payloads narrower and wider than what the scheduler moves at a time.
TEST_F(HostCooperation, ShufflesOfEveryPayload) {
  struct Case {
    const char *type;
    size_t bytes;
  };
  for (Case payload :
       {Case{"i8", 1}, Case{"bf16", 2}, Case{"f32", 4}, Case{"f64", 8}, Case{"vector<2xf32>", 8},
        Case{"vector<3xf32>", 12}, Case{"vector<8xbf16>", 16}, Case{"vector<4xf64>", 32}}) {
    const std::string type = payload.type;
    const size_t x = type.find('x'), lt = type.find('<');
    const std::string element =
        lt == std::string::npos ? type : type.substr(x + 1, type.size() - x - 2);
    const size_t lanes = lt == std::string::npos ? 1 : std::stoul(type.substr(lt + 1));
    const std::string buffer = "memref<?x" + element + ", strided<[1]>>";
    const std::string n = std::to_string(lanes);
    const std::string text =
        R"mlir(
gpu.module @m {
  gpu.func @payload(%px: memref<)mlir" +
        element + ">, %py: memref<" + element + R"mlir(>) kernel {
    %n = arith.constant )mlir" +
        std::to_string(32 * lanes) + R"mlir( : index
    %per = arith.constant )mlir" +
        n + R"mlir( : index
    %offset = arith.constant 5 : i32
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%n], strides: [1] : memref<)mlir" +
        element + "> to " + buffer + R"mlir(
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1] : memref<)mlir" +
        element + "> to " + buffer + R"mlir(
    %t = gpu.thread_id x
    %i = arith.muli %t, %per : index
)mlir" +
        (lanes == 1 ? "    %v = memref.load %x[%i] : " + buffer + "\n"
                    : "    %v = vector.load %x[%i] : " + buffer + ", " + type + "\n") +
        "    %r = fuser_gpu.shuffle xor %v, %offset width 32 : " + type + "\n" +
        (lanes == 1 ? "    memref.store %r, %y[%i] : " + buffer + "\n"
                    : "    vector.store %r, %y[%i] : " + buffer + ", " + type + "\n") +
        R"mlir(
    gpu.return
  }
})mlir";
    std::mt19937 generator(5);
    std::vector<unsigned char> from(32 * payload.bytes), to(32 * payload.bytes);
    for (unsigned char &byte : from)
      byte = static_cast<unsigned char>(generator());
    run(text, shape(1, 32), Parameters(from.data(), to.data()));
    for (size_t t = 0; t < 32; ++t)
      ASSERT_EQ(std::memcmp(&to[t * payload.bytes], &from[(t ^ 5) * payload.bytes], payload.bytes),
                0)
          << type << " in lane " << t;
  }
}

/// Threads of one warp loop a different number of times, then meet; warp 1 shuffles alone.
TEST_F(HostCooperation, DivergentWarps) {
  std::vector<int64_t> y(64);
  run(R"mlir(
gpu.module @m {
  gpu.func @divergent(%py: memref<i64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n = arith.constant 64 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<i64> to memref<?xi64, strided<[1]>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %sum = scf.for %j = %c0 to %t step %c1 iter_args(%s = %zero) -> i64 {
      %k = arith.index_cast %j : index to i64
      %r = arith.addi %s, %k : i64
      scf.yield %r : i64
    }
    %second = arith.cmpi uge, %t, %c32 : index
    %result = scf.if %second -> i64 {
      %o = fuser_gpu.shuffle xor %sum, %one width 32 : i64
      scf.yield %o : i64
    } else {
      scf.yield %sum : i64
    }
    gpu.barrier
    memref.store %result, %y[%t] : memref<?xi64, strided<[1]>>
    gpu.return
  }
})mlir",
      shape(1, 64), Parameters(y.data()));
  for (int64_t t = 0; t < 64; ++t) {
    const int64_t from = t < 32 ? t : t ^ 1;
    ASSERT_EQ(y[t], from * (from - 1) / 2) << "thread " << t;
  }
}

/// Threads that returned are not waited for.
TEST_F(HostCooperation, BarrierAfterSomeReturned) {
  std::vector<int32_t> y(48, -1);
  run(R"mlir(
gpu.module @m {
  gpu.func @early(%py: memref<i32>, %limit: index)
      workgroup(%tile: memref<48xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 48, 1, 1>} {
    %n = arith.constant 48 : index
    %c1 = arith.constant 1 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<i32> to memref<?xi32, strided<[1]>>
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %limit : index
    cf.cond_br %in, ^work, ^done
  ^work:
    %v = arith.index_cast %t : index to i32
    memref.store %v, %tile[%t] : memref<48xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %limit, %c1 : index
    %r = arith.subi %last, %t : index
    %w = memref.load %tile[%r] : memref<48xi32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%t] : memref<?xi32, strided<[1]>>
    cf.br ^done
  ^done:
    gpu.return
  }
})mlir",
      shape(1, 48), Parameters(y.data(), int64_t(37)));
  for (int t = 0; t < 48; ++t)
    ASSERT_EQ(y[t], t < 37 ? 36 - t : -1) << "thread " << t;
}

/// Every block finds its shared memory poisoned, not as the block before left it.
TEST_F(HostCooperation, SharedMemoryIsFreshForEveryBlock) {
  std::vector<float> y(64, 0);
  run(R"mlir(
gpu.module @m {
  gpu.func @fresh(%py: memref<f32>)
      workgroup(%s: memref<f32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %n = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %b = gpu.block_id x
    %v = memref.load %s[] : memref<f32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%b] : memref<?xf32, strided<[1]>>
    memref.store %one, %s[] : memref<f32, #gpu.address_space<workgroup>>
    gpu.return
  }
})mlir",
      shape(64, 1), Parameters(y.data()));
  for (float value : y)
    ASSERT_TRUE(std::isnan(value));
}

/// An array of a thread lives on its own stack, also across waits, and also a large one.
TEST_F(HostCooperation, ThreadArraysSurviveWaits) {
  std::vector<int64_t> y(64);
  run(R"mlir(
gpu.module @m {
  gpu.func @arrays(%py: memref<i64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n = arith.constant 64 : index
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%n], strides: [1]
        : memref<i64> to memref<?xi64, strided<[1]>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = arith.constant 20000 : index
    %zero = arith.constant 0 : i64
    %t = gpu.thread_id x
    %a = memref.alloca() : memref<20000xi64>
    scf.for %i = %c0 to %size step %c1 {
      %p = arith.muli %i, %t : index
      %v = arith.index_cast %p : index to i64
      memref.store %v, %a[%i] : memref<20000xi64>
    }
    gpu.barrier
    %sum = scf.for %i = %c0 to %size step %c1 iter_args(%s = %zero) -> i64 {
      %v = memref.load %a[%i] : memref<20000xi64>
      %r = arith.addi %s, %v : i64
      scf.yield %r : i64
    }
    memref.store %sum, %y[%t] : memref<?xi64, strided<[1]>>
    gpu.return
  }
})mlir",
      shape(1, 64), Parameters(y.data()));
  for (int64_t t = 0; t < 64; ++t)
    ASSERT_EQ(y[t], t * (20000 * 19999 / 2)) << "thread " << t;
}

} // namespace
