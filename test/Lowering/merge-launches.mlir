// RUN: fuser-opt %s --split-input-file --fuser-merge-launches | FileCheck %s
// Launches of one batch become one: a block finds its part, and reads the arguments of the part.

// S3.8: code that parts have in common is in the kernel once, with a table for each argument; the scalar is one of all
// parts. The launch of another batch number stays.
// CHECK-LABEL: gpu.module @equal_batch
// CHECK: gpu.func @equal_batch(
// CHECK-SAME: %[[F0:.*]]: index {fuser_gpu.bind = #fuser_gpu.first_block<0>}, %[[F1:.*]]: index {fuser_gpu.bind = #fuser_gpu.first_block<1>}
// CHECK-SAME: %[[X0:.*]]: memref<f32> {fuser_gpu.align = 4 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly}
// CHECK-SAME: %[[X1:.*]]: memref<f32> {fuser_gpu.align = 4 : i64, fuser_gpu.bind = #fuser_gpu.pointer<2>, fuser_gpu.noalias, fuser_gpu.readonly}
// CHECK-SAME: %[[S:.*]]: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>}
// CHECK-SAME: %[[Y0:.*]]: memref<f32> {{{.*}}#fuser_gpu.pointer<4>
// CHECK-SAME: %[[Y1:.*]]: memref<f32> {{{.*}}#fuser_gpu.pointer<5>
// CHECK-SAME: #fuser_gpu.size<0, 0>
// CHECK-SAME: #fuser_gpu.size<2, 0>
// CHECK-SAME: kernel attributes {
// CHECK-SAME: fuser.facts = [#fuser.fact<at_most 0[0], 1000>, #fuser.fact<at_most 2[0], 1000>]
// CHECK-SAME: symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<2, 0>]
// CHECK-SAME: parts =
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[PART:.*]]:2 = scf.for
// CHECK: %[[FIRST:.*]] = fuser_gpu.part_argument %[[PART]]#0 of %[[F0]], %[[F1]] : index
// CHECK: %[[BLOCK:.*]] = arith.subi %[[B]], %[[FIRST]]
// CHECK: %[[X:.*]] = fuser_gpu.part_argument %[[PART]]#0 of %[[X0]], %[[X1]] : memref<f32>
// CHECK: arith.muli %[[BLOCK]],
// CHECK: memref.load
// CHECK: arith.mulf %{{.*}}, %[[S]]
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.return
// CHECK-LABEL: fuser.host @equal
// CHECK: fuser.launch @scale::@scale ins(%x, %s
// CHECK: [[R:%[0-9]+]]:2 = fuser.launch @equal_batch::@equal_batch ins(%x, %s, %y, %s : {{.*}}) outs(%{{.*}}, %{{.*}} : {{.*}})
// CHECK: fuser.return [[R]]#0, [[R]]#1
gpu.module @scale attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale(%x: memref<f32> {fuser_gpu.align = 4 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly},
                  %s: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>},
                  %y: memref<f32> {fuser_gpu.align = 4 : i64, fuser_gpu.bind = #fuser_gpu.pointer<2>, fuser_gpu.noalias},
                  %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, fuser.facts = [#fuser.fact<at_most 0[0], 1000>],
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0] -> (s0 ceildiv 128, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>]>} {
    %c128 = arith.constant 128 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %first = arith.muli %b, %c128 : index
    %i = arith.addi %first, %t : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %from = memref.reinterpret_cast %x to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
      %to = memref.reinterpret_cast %y to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
      %v = memref.load %from[%i] : memref<1000xf32>
      %w = arith.mulf %v, %s : f32
      memref.store %w, %to[%i] : memref<1000xf32>
    }
    gpu.return
  }
}
fuser.host @equal(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: f32) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = fuser.alloc(%n) : tensor<?xf32>
  %1 = fuser.launch @scale::@scale ins(%x, %s : tensor<?xf32>, f32) outs(%0 : tensor<?xf32>) {fuser_sched.batch = 0 : i64} -> tensor<?xf32>
  %2 = fuser.alloc(%n) : tensor<?xf32>
  %3 = fuser.launch @scale::@scale ins(%x, %s : tensor<?xf32>, f32) outs(%2 : tensor<?xf32>) {fuser_sched.batch = 1 : i64} -> tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %4 = fuser.alloc(%m) : tensor<?xf32>
  %5 = fuser.launch @scale::@scale ins(%y, %s : tensor<?xf32>, f32) outs(%4 : tensor<?xf32>) {fuser_sched.batch = 0 : i64} -> tensor<?xf32>
  fuser.return %1, %5, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// A hint may be wrong: the second launch reads what the first one writes, and no element is lost.
// CHECK-LABEL: fuser.host @dependent
// CHECK: [[R:%[0-9]+]] = fuser.launch @scale::@scale
// CHECK: fuser.launch @scale::@scale ins([[R]] :
gpu.module @scale attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @dependent(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @scale::@scale ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser_sched.batch = 0 : i64} -> tensor<8xf32>
  %2 = fuser.alloc() : tensor<8xf32>
  %3 = fuser.launch @scale::@scale ins(%1 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {fuser_sched.batch = 0 : i64} -> tensor<8xf32>
  fuser.free %1 : tensor<8xf32>
  fuser.return %3 : tensor<8xf32>
}

// -----

// Parts of one buffer at different offsets are independent; a launch that reads the buffer comes after both, and the two
// kernels of different code, with blocks of another shape, share the launch.
// CHECK-LABEL: gpu.module @parts_batch
// CHECK: gpu.func @parts_batch(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: scf.if
// CHECK: } else {
// CHECK-LABEL: fuser.host @parts
// CHECK: fuser.launch @parts_batch::@parts_batch
// CHECK: fuser.place
// CHECK: fuser.place
// CHECK: fuser.launch @wide::@wide
gpu.module @wide attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @wide(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    %t = gpu.thread_id x
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    %v = memref.load %from[%t] : memref<8xf32>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    memref.store %v, %to[%t] : memref<8xf32>
    gpu.return
  }
}
gpu.module @high attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @high(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 16, 8, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    %t = gpu.thread_id y
    %from = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    %v = memref.load %from[%t] : memref<8xf32>
    %to = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    memref.store %v, %to[%t] : memref<8xf32>
    gpu.return
  }
}
fuser.host @parts(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<16xf32> {
  %0 = fuser.alloc() : tensor<16xf32>
  %1 = fuser.view %0 [0] [8] : tensor<16xf32> -> tensor<8xf32>
  %2 = fuser.launch @wide::@wide ins(%x : tensor<8xf32>) outs(%1 : tensor<8xf32>) {fuser_sched.batch = 0 : i64} -> tensor<8xf32>
  %3 = fuser.place %2 into %0 [0] : tensor<8xf32> into tensor<16xf32>
  %4 = fuser.view %0 [8] [8] : tensor<16xf32> -> tensor<8xf32>
  %5 = fuser.launch @high::@high ins(%y : tensor<8xf32>) outs(%4 : tensor<8xf32>) {fuser_sched.batch = 0 : i64} -> tensor<8xf32>
  %6 = fuser.place %5 into %3 [8] : tensor<8xf32> into tensor<16xf32>
  %7 = fuser.alloc() : tensor<16xf32>
  %8 = fuser.launch @wide::@wide ins(%6 : tensor<16xf32>) outs(%7 : tensor<16xf32>) {fuser_sched.batch = 0 : i64} -> tensor<16xf32>
  fuser.return %8 : tensor<16xf32>
}
