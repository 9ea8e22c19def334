// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// Elements above and below, and the one of the result, have the address of the first load and a constant: one address for
// each argument.
// CHECK-LABEL: .entry rows(
// CHECK: mul.wide.u32 %[[OFFSET:rd[0-9]+]], %{{r[0-9]+}}, 4;
// CHECK-NEXT: add.s64 %[[X:rd[0-9]+]], %{{rd[0-9]+}}, %[[OFFSET]];
// CHECK-NEXT: ld.global{{.*}} [%[[X]]];
// CHECK-NOT: %rd
// CHECK: ld.global{{.*}} [%[[X]]+4000];
// CHECK-NOT: %rd
// CHECK: ld.global{{.*}} [%[[X]]+8000];
// CHECK-NOT: %rd
// CHECK: ld.global{{.*}} [%[[X]]+8004];
// CHECK: add.s64 %[[Y:rd[0-9]+]], %{{rd[0-9]+}}, %[[OFFSET]];
// CHECK-NOT: %rd
// CHECK: st.global{{.*}} [%[[Y]]+4000]
gpu.module @rows attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @rows(%x: memref<f32>, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c1000 = arith.constant 1000 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %row = arith.muli %b, %c1000 overflow<nsw, nuw> : index
    %at = arith.addi %row, %t overflow<nsw, nuw> : index
    %above_row = arith.subi %b, %c1 : index
    %above_begin = arith.muli %above_row, %c1000 overflow<nsw> : index
    %above_at = arith.addi %above_begin, %t overflow<nsw> : index
    %below_row = arith.addi %b, %c1 overflow<nsw, nuw> : index
    %below_begin = arith.muli %below_row, %c1000 overflow<nsw, nuw> : index
    %below_at = arith.addi %below_begin, %t overflow<nsw, nuw> : index
    %above = memref.load %from[%above_at] : memref<2147483647xf32, strided<[1]>>
    %own = memref.load %from[%at] : memref<2147483647xf32, strided<[1]>>
    %below = memref.load %from[%below_at] : memref<2147483647xf32, strided<[1]>>
    %next_at = arith.addi %below_at, %c1 overflow<nsw, nuw> : index
    %next = memref.load %from[%next_at] : memref<2147483647xf32, strided<[1]>>
    %sum = arith.addf %below, %next : f32
    %0 = arith.subf %sum, %above : f32
    %1 = arith.mulf %0, %own : f32
    memref.store %1, %to[%at] : memref<2147483647xf32, strided<[1]>>
    gpu.return
  }
}

// -----

// What a branch accesses has the address of an access before it. Those of two branches have none in common: the first one
// may not be executed, and its index wrap.
// CHECK-LABEL: .entry branches(
// CHECK: ld.global{{.*}} [%[[X:rd[0-9]+]]];
// CHECK: bra
// CHECK: ld.global{{.*}} [%[[X]]+-4];
// CHECK-NEXT: st.global
// CHECK: bra
// CHECK: mul.wide.u32 %[[OFFSET:rd[0-9]+]]
// CHECK-NEXT: add.s64 %[[Y:rd[0-9]+]], %{{rd[0-9]+}}, %[[OFFSET]];
// CHECK-NEXT: st.global{{.*}} [%[[Y]]],
gpu.module @branches attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @branches(%x: memref<f32>, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c9 = arith.constant 9 : index
    %c1000 = arith.constant 1000 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %row = arith.muli %b, %c1000 : index
    %own = memref.load %from[%t] : memref<2147483647xf32, strided<[1]>>
    %has_before = arith.cmpf ogt, %own, %zero : f32
    %before_at = arith.subi %t, %c1 : index
    scf.if %has_before {
      %before = memref.load %from[%before_at] : memref<2147483647xf32, strided<[1]>>
      %at = arith.subi %row, %c5 : index
      memref.store %before, %to[%at] : memref<2147483647xf32, strided<[1]>>
    }
    %is_less = arith.cmpf olt, %own, %zero : f32
    scf.if %is_less {
      %at = arith.subi %row, %c9 : index
      memref.store %own, %to[%at] : memref<2147483647xf32, strided<[1]>>
    }
    gpu.return
  }
}

// -----

// In a loop, each access has its address.
// CHECK-LABEL: .entry loop(
// CHECK: ld.global{{.*}} [%[[X:rd[0-9]+]]];
// CHECK-NOT: [%[[X]]+
// CHECK: st.global
gpu.module @loop attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @loop(%x: memref<f32>, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c50 = arith.constant 50 : index
    %c1000 = arith.constant 1000 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %sum = scf.for %i = %c0 to %c50 step %c1 iter_args(%all = %zero) -> (f32) {
      %step = arith.muli %i, %b : index
      %at = arith.addi %step, %t : index
      %above_at = arith.subi %at, %c1000 : index
      %above = memref.load %from[%above_at] : memref<2147483647xf32, strided<[1]>>
      %own = memref.load %from[%at] : memref<2147483647xf32, strided<[1]>>
      %product = arith.mulf %above, %own : f32
      %next = arith.addf %all, %product : f32
      scf.yield %next : f32
    }
    memref.store %sum, %to[%t] : memref<2147483647xf32, strided<[1]>>
    gpu.return
  }
}
