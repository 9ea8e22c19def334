// RUN: fuser-opt %s --fuser-convert-host-to-gpu --canonicalize | FileCheck %s
// Both sides of each limit: of facts of static sizes and strides those that hold are folded, and the others assert false.
// The first block of each part of a batch is the number of blocks of the parts before it.

// CHECK-LABEL: func.func @facts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1000x8xf32, strided<[8, 1]>>
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<equal 0[0], 0[1]> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<divisible 0[0], 16> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<at_most 0[0], 999> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<at_least 0[0], 1001> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<stride_divisible 0[0], 16> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<stride_is 0[0], 9> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: cf.assert %false, "expected #fuser.fact<elements_at_most 0, 7998> (schedule of kernel 'k')"
// CHECK-NOT: cf.assert
// CHECK: gpu.launch_func @k::@k
gpu.module @k attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @k(%x: memref<f32> {fuser_gpu.align = 4 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>}) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>,
                  fuser.facts = [#fuser.fact<equal 0[0], 0[0]>, #fuser.fact<equal 0[0], 0[1]>,
                                 #fuser.fact<divisible 0[0], 8>, #fuser.fact<divisible 0[0], 16>,
                                 #fuser.fact<at_most 0[0], 1000>, #fuser.fact<at_most 0[0], 999>,
                                 #fuser.fact<at_least 0[0], 1000>, #fuser.fact<at_least 0[0], 1001>,
                                 #fuser.fact<stride_divisible 0[0], 8>, #fuser.fact<stride_divisible 0[0], 16>,
                                 #fuser.fact<stride_is 0[0], 8>, #fuser.fact<stride_is 0[0], 9>,
                                 #fuser.fact<elements_at_most 0, 7999>, #fuser.fact<elements_at_most 0, 7998>],
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @facts(%x: tensor<1000x8xf32>) -> tensor<1000x8xf32> {
  %0 = fuser.alloc() : tensor<1000x8xf32>
  %1 = fuser.launch @k::@k outs(%0 : tensor<1000x8xf32>) -> tensor<1000x8xf32>
  fuser.return %1 : tensor<1000x8xf32>
}

// 8 and 3 blocks: the kernel has 11, and the second part begins with number 8, the third with 11.
// CHECK-LABEL: func.func @parts(
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[GRID:.*]] = arith.constant 12 : index
// CHECK-DAG: %[[F0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[F1:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[F2:.*]] = arith.constant 11 : i32
// CHECK: gpu.launch_func @p::@p blocks in (%[[GRID]], %[[ONE]], %[[ONE]])
// CHECK-SAME: args(%[[F0]] : i32, %[[F1]] : i32, %[[F2]] : i32)
gpu.module @p attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @p(%f0: index {fuser_gpu.bind = #fuser_gpu.first_block<0>}, %f1: index {fuser_gpu.bind = #fuser_gpu.first_block<1>},
              %f2: index {fuser_gpu.bind = #fuser_gpu.first_block<2>}) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (12, 1, 1)>, parts = affine_map<() -> (2, 4, 1, 3, 1, 1, 1, 1, 1)>>} {
    gpu.return
  }
}
fuser.host @parts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  %1 = fuser.launch @p::@p outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}
