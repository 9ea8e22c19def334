//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Errors that would hang or fault on a GPU, and launches that do not fit the kernel.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

#include <array>

using namespace fuser::test;

namespace {

class HostDiagnosis : public HostKernelTest {
protected:
  /// Loads and launches a kernel that must fail.
  fuser::runtime::Error failureOf(const std::string &text,
                                  const fuser::runtime::LaunchConfig &config,
                                  const Parameters &parameters) {
    auto kernel = load(text);
    if (!kernel)
      return {ErrorCode::IoError, "no kernel"};
    fuser::runtime::Status status = launch(*kernel, config, parameters);
    EXPECT_FALSE(status.ok());
    return status.ok() ? fuser::runtime::Error{ErrorCode::IoError, "no error"} : status.takeError();
  }
};

/// Even threads wait at one barrier, odd ones at another.
TEST_F(HostDiagnosis, BarriersAtDifferentPlaces) {
  fuser::runtime::Error error = failureOf(R"mlir(
gpu.module @m {
  gpu.func @diverge() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %r = arith.remui %t, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    scf.if %even {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.return
  }
})mlir",
                                          shape(2, 64), Parameters());
  EXPECT_EQ(error.code, ErrorCode::BarrierDivergence);
  EXPECT_EQ(error.message,
            "kernel 'diverge', block (0, 0, 0), thread (1, 0, 0): expected all threads of the "
            "block at one barrier, but got gpu.barrier at kernel.mlir:12:7 while thread (0, 0, 0) "
            "waits at gpu.barrier at kernel.mlir:10:7");
}

/// Half of each warp waits at a barrier while the other half waits for it in a shuffle.
TEST_F(HostDiagnosis, Deadlock) {
  fuser::runtime::Error error = failureOf(R"mlir(
gpu.module @m {
  gpu.func @deadlock(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : index
    %v = memref.load %x[] : memref<f32>
    %low = arith.cmpi ult, %t, %c16 : index
    scf.if %low {
      %s = fuser_gpu.shuffle xor %v, %c1 width 32 : f32
      memref.store %s, %x[] : memref<f32>
    }
    gpu.barrier
    gpu.return
  }
})mlir",
                                          shape(1, 40), [] {
                                            static float x = 1;
                                            return Parameters(&x);
                                          }());
  EXPECT_EQ(error.code, ErrorCode::Deadlock);
  EXPECT_EQ(error.message,
            "kernel 'deadlock', block (0, 0, 0): expected a thread that can go on, but of 40 "
            "threads 0 returned, 16 wait at fuser_gpu.shuffle at kernel.mlir:10:12, 24 wait at "
            "gpu.barrier at kernel.mlir:13:5");
}

/// Some blocks wait for the grid, one waits for itself: the latter is named.
TEST_F(HostDiagnosis, DeadlockOfOneBlockInAGrid) {
  fuser::runtime::LaunchConfig config = shape(3, 2);
  config.cooperative = true;
  int32_t counter = 0;
  fuser::runtime::Error error = failureOf(R"mlir(
gpu.module @m {
  gpu.func @grid(%counter: memref<i32>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c1 = arith.constant 1 : index
    %second = arith.cmpi eq, %b, %c1 : index
    %odd = arith.cmpi eq, %t, %c1 : index
    %alone = arith.andi %second, %odd : i1
    scf.if %alone {
      gpu.barrier
    } else {
      fuser_gpu.grid_sync %counter[] : memref<i32>
    }
    gpu.return
  }
})mlir",
                                          config, Parameters(&counter));
  EXPECT_EQ(error.code, ErrorCode::Deadlock);
  EXPECT_EQ(error.message, "kernel 'grid', block (1, 0, 0): expected a thread that can go on, but "
                           "of 2 threads 0 returned, 1 waits at gpu.barrier at kernel.mlir:11:7, "
                           "1 waits at fuser_gpu.grid_sync at kernel.mlir:13:7");
}

/// Two threads store to one place: both are named by their positions in blocks and grids of three
/// dimensions.
TEST_F(HostDiagnosis, RacesNameBothThreads) {
  fuser::HostTargetOptions checked;
  checked.checkAccesses = true;
  auto kernel = load(R"mlir(
gpu.module @m {
  gpu.func @race(%x: memref<f32>, %a: index, %b: index) kernel
      attributes {known_block_size = array<i32: 4, 3, 2>} {
    %value = arith.constant 1.0 : f32
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c24 = arith.constant 24 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %0 = arith.muli %bz, %c3 : index
    %1 = arith.addi %0, %by : index
    %2 = arith.muli %1, %c2 : index
    %block = arith.addi %2, %bx : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %3 = arith.muli %tz, %c3 : index
    %4 = arith.addi %3, %ty : index
    %5 = arith.muli %4, %c4 : index
    %thread = arith.addi %5, %tx : index
    %6 = arith.muli %block, %c24 : index
    %number = arith.addi %6, %thread : index
    %isA = arith.cmpi eq, %number, %a : index
    %isB = arith.cmpi eq, %number, %b : index
    %isOne = arith.ori %isA, %isB : i1
    scf.if %isOne {
      memref.store %value, %x[] : memref<f32>
    }
    gpu.return
  }
})mlir",
                     checked);
  ASSERT_TRUE(kernel);
  fuser::runtime::LaunchConfig config;
  llvm::copy(std::array<uint32_t, 3>{2, 3, 2}, config.grid);
  llvm::copy(std::array<uint32_t, 3>{4, 3, 2}, config.block);
  float x = 0;
  auto race = [&](int64_t a, int64_t b) {
    fuser::runtime::Status status = launch(*kernel, config, Parameters(&x, a, b));
    EXPECT_FALSE(status.ok());
    return status.ok() ? std::string() : status.error().message;
  };
  // Threads 21 and 23 of block 11, and of blocks 4 and 11.
  EXPECT_EQ(race(11 * 24 + 21, 11 * 24 + 23),
            "kernel 'race', block (1, 2, 1), thread (3, 2, 1): expected memref.store at "
            "kernel.mlir:30:7 to be ordered with memref.store at kernel.mlir:30:7 of thread "
            "(1, 2, 1), but no barrier is between them and both touch byte 0 of parameter 0");
  const std::string between = race(4 * 24 + 21, 11 * 24 + 23);
  for (const char *part : {"block (0, 2, 0)", "thread (1, 2, 1)", "block (1, 2, 1)",
                           "thread (3, 2, 1)", "no synchronisation of the grid"})
    EXPECT_NE(between.find(part), std::string::npos) << part << " in: " << between;
  EXPECT_TRUE(launch(*kernel, config, Parameters(&x, int64_t(5), int64_t(5))).ok());
}

/// Of several blocks that fail on several CPU threads, the first one is reported; the device goes
/// on working.
TEST_F(HostDiagnosis, ReportsTheFirstBlock) {
  const char text[] = R"mlir(
gpu.module @m {
  gpu.func @some(%from: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %t, %c0 : index
    %late = arith.cmpi uge, %b, %from : index
    %one = arith.andi %first, %late : i1
    scf.if %one {
      gpu.barrier
    }
    gpu.barrier
    gpu.return
  }
})mlir";
  for (int i = 0; i < 20; ++i) {
    fuser::runtime::Error error = failureOf(text, shape(1000, 2), Parameters(int64_t(17)));
    ASSERT_EQ(error.code, ErrorCode::BarrierDivergence);
    ASSERT_EQ(error.message.find("kernel 'some', block (17, 0, 0)"), 0u) << error.message;
  }
  run(text, shape(1000, 2), Parameters(int64_t(1000)));
}

TEST_F(HostDiagnosis, MisalignedAccess) {
  const char text[] = R"mlir(
gpu.module @m {
  gpu.func @aligned(%px: memref<f32>, %at: index) kernel {
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = vector.load %x[%at] {alignment = 16 : i64} : memref<?xf32, strided<[1]>>, vector<4xf32>
    vector.store %v, %x[%at] : memref<?xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
})mlir";
  alignas(16) float x[8] = {};
  run(text, shape(1, 1), Parameters(&x[0], int64_t(4)));
  fuser::runtime::Error error = failureOf(text, shape(1, 1), Parameters(&x[0], int64_t(1)));
  EXPECT_EQ(error.code, ErrorCode::AlignmentMismatch);
  EXPECT_EQ(error.message.find("kernel 'aligned', block (0, 0, 0), thread (0, 0, 0): expected an "
                               "address that is a multiple of 16 bytes at vector.load at "
                               "kernel.mlir:7:10, but got 0x"),
            0u)
      << error.message;

  fuser::HostTargetOptions unchecked;
  unchecked.checkAlignment = false;
  auto kernel = load(text, unchecked);
  EXPECT_TRUE(launch(*kernel, shape(1, 1), Parameters(&x[0], int64_t(1))).ok());
}

/// The same through the ops of fuser_gpu, with a hint.
TEST_F(HostDiagnosis, MisalignedHintedAccess) {
  alignas(16) float x[8] = {};
  fuser::runtime::Error error = failureOf(R"mlir(
gpu.module @m {
  gpu.func @hinted(%px: memref<f32>, %at: index) kernel {
    %c8 = arith.constant 8 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%c8], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = fuser_gpu.load %x[%at] cache cs : memref<?xf32, strided<[1]>>, f32
    %w = vector.broadcast %v : f32 to vector<4xf32>
    fuser_gpu.store %w, %x[%at] cache cs align 16 : vector<4xf32>, memref<?xf32, strided<[1]>>
    gpu.return
  }
})mlir",
                                          shape(1, 1), Parameters(&x[0], int64_t(2)));
  EXPECT_EQ(error.code, ErrorCode::AlignmentMismatch);
  EXPECT_NE(error.message.find("fuser_gpu.store at kernel.mlir:9:5"), std::string::npos)
      << error.message;
}

TEST_F(HostDiagnosis, LaunchesThatDoNotFit) {
  auto kernel = load(R"mlir(
gpu.module @m attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @fixed(%x: memref<f32>, %n: index)
      workgroup(%s: memref<50000xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>} {
    gpu.return
  }
})mlir");
  ASSERT_TRUE(kernel);
  float x = 0;
  fuser::runtime::LaunchConfig good = shape(1, 32);
  good.block[1] = 2;
  auto expectError = [&](const fuser::runtime::LaunchConfig &config, const Parameters &parameters,
                         ErrorCode code, const char *message) {
    fuser::runtime::Status status = launch(*kernel, config, parameters);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().message, message);
  };
  EXPECT_TRUE(launch(*kernel, good, Parameters(&x, int32_t(1))).ok());
  expectError(good, Parameters(&x), ErrorCode::ArgumentCount,
              "kernel 'fixed': expected 2 parameters, but got 1");
  expectError(good, Parameters(&x, int64_t(1)), ErrorCode::ArgumentKind,
              "kernel 'fixed': expected parameter 1 to have 4 bytes, but got 8");
  fuser::runtime::LaunchConfig block = good;
  block.block[1] = 4;
  expectError(block, Parameters(&x, int32_t(1)), ErrorCode::InvalidLaunch,
              "kernel 'fixed': expected block.y = 2, which it was compiled for, but got 4");
  fuser::runtime::LaunchConfig shared = good;
  shared.dynamicSharedBytes = 40000;
  expectError(shared, Parameters(&x, int32_t(1)), ErrorCode::InvalidLaunch,
              "kernel 'fixed': expected at most 232448 bytes of shared memory, but got 200000 "
              "static and 40000 dynamic");
  fuser::runtime::LaunchConfig none = good;
  none.grid[2] = 0;
  expectError(none, Parameters(&x, int32_t(1)), ErrorCode::InvalidLaunch,
              "kernel 'fixed': expected grid.z from 1 to 65535, but got 0");
}

TEST_F(HostDiagnosis, KernelsThatDoNotLoad) {
  fuser::artifact::Kernel kernel;
  kernel.name = kernel.entry = "k";
  kernel.format = fuser::artifact::KernelFormat::PTX;
  auto loaded = device->loadKernel(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(loaded.error().message,
            "kernel 'k': the host device expects the format host_object, but got ptx");

  kernel.format = fuser::artifact::KernelFormat::HostObject;
  kernel.code = "this is no object file";
  loaded = device->loadKernel(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::KernelLoadFailed);

  kernel.chip = "riscv64-unknown-linux";
  loaded = device->loadKernel(kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
}

/// An object that is damaged anywhere is refused or loads; it never brings the process down.
TEST_F(HostDiagnosis, TruncatedObjects) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(
      "gpu.module @m { gpu.func @k() kernel { gpu.barrier gpu.return } }", &context);
  auto object = fuser::emitHostObject(*module->getOps<mlir::gpu::GPUModuleOp>().begin());
  ASSERT_TRUE(mlir::succeeded(object));
  fuser::artifact::Kernel kernel = toKernel(*object);
  const std::string whole = kernel.code;
  for (size_t size : {size_t(0), size_t(10), size_t(64), whole.size() / 2, whole.size() - 100}) {
    kernel.code = whole.substr(0, size);
    auto loaded = device->loadKernel(kernel);
    ASSERT_FALSE(loaded.ok()) << size << " of " << whole.size() << " bytes";
    EXPECT_EQ(loaded.error().code, ErrorCode::KernelLoadFailed);
  }
}

} // namespace
