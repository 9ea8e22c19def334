// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// Which lane of a vector is the first column is known for all but the first lane: one comparison and one selection.
// CHECK-LABEL: .entry first_column(
// CHECK: setp.{{eq|ne}}
// CHECK-NOT: setp
// CHECK: selp
// CHECK-NOT: selp
// CHECK: st.global.v4
gpu.module @first_column {
  gpu.func @first_column(%x: memref<f32>, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [128], strides: [1] : memref<f32> to memref<128xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [128], strides: [1] : memref<f32> to memref<128xf32, strided<[1]>>
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0> : vector<4xi32>
    %half = arith.constant dense<0.5> : vector<4xf32>
    %lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %i = arith.muli %t, %c4 overflow<nsw, nuw> : index
    %a = vector.load %from[%i] {alignment = 16 : i64} : memref<128xf32, strided<[1]>>, vector<4xf32>
    %b = vector.broadcast %i : index to vector<4xindex>
    %c = arith.addi %b, %lanes : vector<4xindex>
    %d = arith.index_cast %c : vector<4xindex> to vector<4xi32>
    %e = arith.cmpi eq, %d, %zero : vector<4xi32>
    %f = arith.select %e, %half, %a : vector<4xi1>, vector<4xf32>
    vector.store %f, %to[%i] {alignment = 16 : i64} : memref<128xf32, strided<[1]>>, vector<4xf32>
    gpu.return
  }
}
