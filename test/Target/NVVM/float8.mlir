// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null -split-input-file | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_89 output=-" -o /dev/null -split-input-file | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null -split-input-file | FileCheck %s --check-prefix=OLD
// RUN: fuser-opt %s --pass-pipeline="builtin.module(gpu.module(fuser-lower-to-nvvm))" -split-input-file | FileCheck %s --check-prefix=ANY
// RUN: fuser-opt %s --pass-pipeline="builtin.module(gpu.module(fuser-lower-to-nvvm{chip=sm_90}))" -split-input-file | FileCheck %s --check-prefix=CHIP
// Conversions of 8-bit floats are instructions on pairs from sm_89 on. What saturates there overflows in kernel IR, unless
// constants bound the value, whose instructions are not needed then.

// OLD-NOT: cvt.{{.*}}e4m3
// OLD-NOT: cvt.{{.*}}e5m2
// ANY-NOT: llvm.nvvm.ff.to
// CHIP: llvm.nvvm.ff.to.e4m3x2.rn

// CHECK-LABEL: .entry clamped(
// CHECK-NOT: {{setp|min|max\.}}
// CHECK-COUNT-2: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: setp
// CHECK: ret;
gpu.module @clamped {
  gpu.func @clamped(%x_base: memref<f32>, %y_base: memref<f8E4M3FN>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [4], strides: [1] : memref<f8E4M3FN> to memref<4xf8E4M3FN>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<-448.0> : vector<4xf32>
    %high = arith.constant dense<448.0> : vector<4xf32>
    %0 = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %1 = arith.maximumf %0, %low : vector<4xf32>
    %2 = arith.minimumf %1, %high : vector<4xf32>
    %3 = arith.truncf %2 : vector<4xf32> to vector<4xf8E4M3FN>
    vector.store %3, %y[%c0] : memref<4xf8E4M3FN>, vector<4xf8E4M3FN>
    gpu.return
  }
}

// -----

// A bound on one side only, and one that is too large.
// CHECK-LABEL: .entry overflows(
// CHECK-COUNT-4: setp
// CHECK-COUNT-2: cvt.rn.satfinite.e4m3x2.f32
// CHECK: ret;
gpu.module @overflows {
  gpu.func @overflows(%x_base: memref<f32>, %y_base: memref<f8E4M3FN>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [4], strides: [1] : memref<f8E4M3FN> to memref<4xf8E4M3FN>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<-480.0> : vector<4xf32>
    %high = arith.constant dense<448.0> : vector<4xf32>
    %0 = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %1 = arith.maximumf %0, %low : vector<4xf32>
    %2 = arith.minimumf %1, %high : vector<4xf32>
    %3 = arith.truncf %2 : vector<4xf32> to vector<4xf8E4M3FN>
    vector.store %3, %y[%c0] : memref<4xf8E4M3FN>, vector<4xf8E4M3FN>
    gpu.return
  }
}

// -----

// Three elements, and from f16.
// CHECK-LABEL: .entry five_two(
// CHECK-COUNT-2: cvt.rn.satfinite.e5m2x2.f32
// CHECK: ret;
gpu.module @five_two {
  gpu.func @five_two(%x_base: memref<f16>, %y_base: memref<f8E5M2>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [3], strides: [1] : memref<f16> to memref<3xf16>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [3], strides: [1] : memref<f8E5M2> to memref<3xf8E5M2>
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<3xf16>, vector<3xf16>
    %1 = arith.truncf %0 : vector<3xf16> to vector<3xf8E5M2>
    vector.store %1, %y[%c0] : memref<3xf8E5M2>, vector<3xf8E5M2>
    gpu.return
  }
}

// -----

// To wider types: f16 holds every 8-bit float.
// CHECK-LABEL: .entry extensions(
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK: cvt.rn.f16x2.e5m2x2
// CHECK: ret;
gpu.module @extensions {
  gpu.func @extensions(%x_base: memref<f8E4M3FN>, %y_base: memref<f32>, %z: memref<f8E5M2>, %w: memref<bf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f8E4M3FN> to memref<2xf8E4M3FN>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<2xf8E4M3FN>, vector<2xf8E4M3FN>
    %1 = arith.extf %0 : vector<2xf8E4M3FN> to vector<2xf32>
    vector.store %1, %y[%c0] : memref<2xf32>, vector<2xf32>
    %2 = memref.load %z[] : memref<f8E5M2>
    %3 = arith.extf %2 : f8E5M2 to bf16
    memref.store %3, %w[] : memref<bf16>
    gpu.return
  }
}

// -----

// Narrower bounds stay.
// CHECK-LABEL: .entry narrow(
// CHECK-NOT: max.
// CHECK: min.NaN.f32
// CHECK-NOT: max.
// CHECK: cvt.rn.satfinite.e4m3x2.f32
// CHECK: ret;
gpu.module @narrow {
  gpu.func @narrow(%x_base: memref<f32>, %y_base: memref<f8E4M3FN>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f8E4M3FN> to memref<2xf8E4M3FN>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<-448.0> : vector<2xf32>
    %high = arith.constant dense<447.0> : vector<2xf32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.minimumf %0, %high : vector<2xf32>
    %2 = arith.maximumf %1, %low : vector<2xf32>
    %3 = arith.truncf %2 : vector<2xf32> to vector<2xf8E4M3FN>
    vector.store %3, %y[%c0] : memref<2xf8E4M3FN>, vector<2xf8E4M3FN>
    gpu.return
  }
}

// -----

// The greatest bounds that round to finite numbers, on either side of the value, and the next ones.
// CHECK-LABEL: .entry largest_four_three(
// CHECK-NOT: setp
// CHECK: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: setp
// CHECK: ret;
gpu.module @largest_four_three {
  gpu.func @largest_four_three(%x_base: memref<f32>, %y_base: memref<f8E4M3FN>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f8E4M3FN> to memref<2xf8E4M3FN>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<-464.0> : vector<2xf32>
    %high = arith.constant dense<464.0> : vector<2xf32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.maximumf %0, %low : vector<2xf32>
    %2 = arith.minimumf %1, %high : vector<2xf32>
    %3 = arith.truncf %2 : vector<2xf32> to vector<2xf8E4M3FN>
    vector.store %3, %y[%c0] : memref<2xf8E4M3FN>, vector<2xf8E4M3FN>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry too_large_four_three(
// CHECK: setp
// CHECK: ret;
gpu.module @too_large_four_three {
  gpu.func @too_large_four_three(%x_base: memref<f32>, %y_base: memref<f8E4M3FN>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f8E4M3FN> to memref<2xf8E4M3FN>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<-464.0> : vector<2xf32>
    %high = arith.constant dense<0x43E80001> : vector<2xf32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.maximumf %0, %low : vector<2xf32>
    %2 = arith.minimumf %1, %high : vector<2xf32>
    %3 = arith.truncf %2 : vector<2xf32> to vector<2xf8E4M3FN>
    vector.store %3, %y[%c0] : memref<2xf8E4M3FN>, vector<2xf8E4M3FN>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry largest_five_two(
// CHECK-NOT: setp
// CHECK: cvt.rn.satfinite.e5m2x2.f32
// CHECK-NOT: setp
// CHECK: ret;
gpu.module @largest_five_two {
  gpu.func @largest_five_two(%x_base: memref<f32>, %y_base: memref<f8E5M2>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f8E5M2> to memref<2xf8E5M2>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<0xC76FFFFF> : vector<2xf32>
    %high = arith.constant dense<0x476FFFFF> : vector<2xf32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.maximumf %low, %0 : vector<2xf32>
    %2 = arith.minimumf %high, %1 : vector<2xf32>
    %3 = arith.truncf %2 : vector<2xf32> to vector<2xf8E5M2>
    vector.store %3, %y[%c0] : memref<2xf8E5M2>, vector<2xf8E5M2>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry too_large_five_two(
// CHECK: setp
// CHECK: ret;
gpu.module @too_large_five_two {
  gpu.func @too_large_five_two(%x_base: memref<f32>, %y_base: memref<f8E5M2>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f8E5M2> to memref<2xf8E5M2>
    %c0 = arith.constant 0 : index
    %low = arith.constant dense<0xC7700000> : vector<2xf32>
    %high = arith.constant dense<0x476FFFFF> : vector<2xf32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.maximumf %low, %0 : vector<2xf32>
    %2 = arith.minimumf %high, %1 : vector<2xf32>
    %3 = arith.truncf %2 : vector<2xf32> to vector<2xf8E5M2>
    vector.store %3, %y[%c0] : memref<2xf8E5M2>, vector<2xf8E5M2>
    gpu.return
  }
}
