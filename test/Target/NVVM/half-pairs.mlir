// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_75 output=-" -o /dev/null -split-input-file | FileCheck %s --check-prefix=OLD
// Vectors that are rounded to 16 bits and extended again are converted in pairs, from sm_80 on: single conversions are slow.

// OLD-NOT: x2.f32

// CHECK-LABEL: .entry rounded(
// CHECK-NOT: cvt.rn.bf16.f32
// CHECK-COUNT-2: cvt.rn.bf16x2.f32
// CHECK-NOT: cvt.rn.bf16
// CHECK: ret;
gpu.module @rounded {
  gpu.func @rounded(%x_base: memref<f32>, %y_base: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
    %1 = arith.truncf %0 : vector<4xf32> to vector<4xbf16>
    %2 = arith.extf %1 : vector<4xbf16> to vector<4xf32>
    %3 = arith.mulf %2, %2 : vector<4xf32>
    vector.store %3, %y[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// The first element is the lower half. An odd number of elements has no pairs.
// CHECK-LABEL: .entry halves(
// CHECK: ld.global.b32 %[[A:r[0-9]+]], [%[[X:rd[0-9]+]]];
// CHECK: ld.global.b32 %[[B:r[0-9]+]], [%[[X]]+4];
// CHECK: cvt.rn.f16x2.f32 %{{.*}}, %[[B]], %[[A]];
// CHECK: cvt.rn.f16.f32
// CHECK: ret;
gpu.module @halves {
  gpu.func @halves(%x_base: memref<f32>, %y_base: memref<f32>, %z: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.truncf %0 : vector<2xf32> to vector<2xf16>
    %2 = arith.extf %1 : vector<2xf16> to vector<2xf32>
    %3 = arith.mulf %2, %2 : vector<2xf32>
    vector.store %3, %y[%c0] : memref<2xf32>, vector<2xf32>
    %4 = memref.load %z[] : memref<f32>
    %5 = arith.truncf %4 : f32 to f16
    %6 = arith.extf %5 : f16 to f32
    memref.store %6, %z[] : memref<f32>
    gpu.return
  }
}
