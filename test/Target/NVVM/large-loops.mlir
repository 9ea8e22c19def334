// RUN: fuser-opt %s --fuser-lower-to-nvvm | FileCheck %s
// LLVM is told not to try to unroll loops whose copies would be too many instructions: 150 operations on elements or more.

// CHECK-DAG: [[KEPT:#.*]] = #llvm.loop_annotation<disableNonforced = true>

// Ten operations on 16 lanes.
// CHECK-LABEL: llvm.func @large(
// CHECK: llvm.br {{.*}} {loop_annotation = [[KEPT]]}
gpu.module @large {
  gpu.func @large(%x: memref<f32>, %out: memref<f32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %in = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %to = memref.reinterpret_cast %out to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    scf.for %i = %c0 to %c4 step %c1 {
      %v0 = vector.load %in[%i] {alignment = 4 : i64} : memref<64xf32, strided<[1]>>, vector<16xf32>
      %v1 = arith.mulf %v0, %v0 : vector<16xf32>
      %v2 = arith.mulf %v1, %v0 : vector<16xf32>
      %v3 = arith.mulf %v2, %v0 : vector<16xf32>
      %v4 = arith.mulf %v3, %v0 : vector<16xf32>
      %v5 = arith.mulf %v4, %v0 : vector<16xf32>
      %v6 = arith.mulf %v5, %v0 : vector<16xf32>
      %v7 = arith.mulf %v6, %v0 : vector<16xf32>
      %v8 = arith.mulf %v7, %v0 : vector<16xf32>
      vector.store %v8, %to[%i] {alignment = 4 : i64} : memref<64xf32, strided<[1]>>, vector<16xf32>
    }
    gpu.return
  }
}

// CHECK-LABEL: llvm.func @small(
// CHECK-NOT: loop_annotation
gpu.module @small {
  gpu.func @small(%x: memref<f32>, %out: memref<f32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %in = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %to = memref.reinterpret_cast %out to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    scf.for %i = %c0 to %c4 step %c1 {
      %v0 = vector.load %in[%i] {alignment = 4 : i64} : memref<64xf32, strided<[1]>>, vector<16xf32>
      %v1 = arith.mulf %v0, %v0 : vector<16xf32>
      vector.store %v1, %to[%i] {alignment = 4 : i64} : memref<64xf32, strided<[1]>>, vector<16xf32>
    }
    gpu.return
  }
}
