// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// What is added to a count if a condition holds is selected, so that the assembler predicates the addition. A sum of two
// conditions is none.
// CHECK-LABEL: .entry counts(
// CHECK: setp
// CHECK: setp
// CHECK: setp
// CHECK: add.s32 %[[TWO:r[0-9]+]], %{{r[0-9]+}}, %{{r[0-9]+}};
// CHECK: add.s32 %[[THREE:r[0-9]+]], %[[TWO]], 1;
// CHECK: selp.b32 %{{r[0-9]+}}, %[[THREE]], %[[TWO]], %p
// CHECK: st.global
gpu.module @counts {
  gpu.func @counts(%x: memref<f32>, %y: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [128], strides: [1] : memref<f32> to memref<128xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [128], strides: [1] : memref<i32> to memref<128xi32, strided<[1]>>
    %a = memref.load %from[%t] : memref<128xf32, strided<[1]>>
    %one = arith.constant 1.0 : f32
    %three = arith.constant 3.0 : f32
    %nine = arith.constant 9.0 : f32
    %0 = arith.cmpf ole, %a, %one : f32
    %1 = arith.extui %0 : i1 to i32
    %b = arith.mulf %a, %three : f32
    %2 = arith.cmpf ole, %b, %nine : f32
    %3 = arith.extui %2 : i1 to i32
    %c = arith.mulf %b, %a : f32
    %4 = arith.cmpf ole, %c, %nine : f32
    %5 = arith.extui %4 : i1 to i32
    %6 = arith.addi %1, %3 : i32
    %7 = arith.addi %6, %5 : i32
    memref.store %7, %to[%t] : memref<128xi32, strided<[1]>>
    gpu.return
  }
}
