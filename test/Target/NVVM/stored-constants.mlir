// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// ptxas may place a predicated store of two equal constants between the moves into its two registers: the constants are
// one word.
// CHECK-LABEL: .entry pair(
// CHECK: st.global.b64 [%{{.*}}], 4593671620987453440;
gpu.module @pair {
  gpu.func @pair(%y: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1]>>
    %v = arith.constant dense<1.5> : vector<2xf32>
    vector.store %v, %b[%c0] {alignment = 8} : memref<8xf32, strided<[1]>>, vector<2xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry four(
// CHECK: st.global.v2.b64 [%{{.*}}], {4611686019492741120, 4647714816524288000};
gpu.module @four {
  gpu.func @four(%y: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1]>>
    %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
    vector.store %v, %b[%c0] {alignment = 16} : memref<8xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}

// -----

// What fits a register stays as it is.
// CHECK-LABEL: .entry halves(
// CHECK: st.global.b32
gpu.module @halves {
  gpu.func @halves(%y: memref<bf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<bf16> to memref<8xbf16, strided<[1]>>
    %v = arith.constant dense<1.5> : vector<2xbf16>
    vector.store %v, %b[%c0] {alignment = 4} : memref<8xbf16, strided<[1]>>, vector<2xbf16>
    gpu.return
  }
}
