// Loads are before the first division or square root of their branch, which is a branch on a GPU: the assembler moves none over it.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s

// CHECK-LABEL: gpu.func @means_of_neighbors
// CHECK-COUNT-3: memref.load %reinterpret_cast
// CHECK: arith.divf
// CHECK-NOT: memref.load %reinterpret_cast
// CHECK: memref.store
fuser.kernel @means_of_neighbors(%x: tensor<1001x1003xf32>) -> tensor<1001x1001xf32> {
  %0 = fuser.slice %x [0, 0] [1001, 1001] : tensor<1001x1003xf32> -> tensor<1001x1001xf32>
  %1 = fuser.slice %x [0, 1] [1001, 1001] : tensor<1001x1003xf32> -> tensor<1001x1001xf32>
  %2 = fuser.slice %x [0, 2] [1001, 1001] : tensor<1001x1003xf32> -> tensor<1001x1001xf32>
  %3 = fuser.div %0, %1 : (tensor<1001x1001xf32>, tensor<1001x1001xf32>) -> tensor<1001x1001xf32>
  %4 = fuser.div %2, %3 : (tensor<1001x1001xf32>, tensor<1001x1001xf32>) -> tensor<1001x1001xf32>
  fuser.return %4 : tensor<1001x1001xf32>
}

// -----

// Not what is read at an index that the division is needed for.
// CHECK-LABEL: gpu.func @index_of_a_quotient
// CHECK: arith.divf
// CHECK: memref.load %reinterpret_cast
// CHECK: gpu.return
fuser.kernel @index_of_a_quotient(%x: tensor<1001x1003xf32>, %y: tensor<1001x1003xf32>, %z: tensor<1001x77xf32>) -> tensor<1001x1003xf32> {
  %0 = fuser.div %x, %y : (tensor<1001x1003xf32>, tensor<1001x1003xf32>) -> tensor<1001x1003xf32>
  %1 = fuser.cast %0 : tensor<1001x1003xf32> to tensor<1001x1003xi64>
  %4 = fuser.take_along_axis %z, %1 dim 1 : tensor<1001x77xf32>, tensor<1001x1003xi64> -> tensor<1001x1003xf32>
  fuser.return %4 : tensor<1001x1003xf32>
}
