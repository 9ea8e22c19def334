// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions --fuser-outline-kernels | FileCheck %s
// A reshape whose two sides have no loops in common ends a kernel; the value that it reshapes crosses the boundary as a view.

// The whole of two dynamic parts cannot be split, and one of the parts is reduced.
// CHECK-LABEL: fuser.kernel @merged_0(
// CHECK: fuser.exp
// CHECK: fuser.sum
// CHECK-NOT: fuser.reshape
// CHECK-LABEL: fuser.kernel @merged_1(
// CHECK-NOT: fuser.reshape
// CHECK: fuser.neg
// CHECK-LABEL: fuser.host @merged(
// CHECK: fuser.reshape_view
fuser.fusion @merged(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = fuser.add %x, %y : tensor<?x?xf32>
  %b = fuser.add %a, %z : tensor<?x?xf32>
  %0 = fuser.exp %b : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Parts of two factorizations of one dimension are reduced.
// CHECK-LABEL: fuser.kernel @factors_0(
// CHECK: fuser.sum
// CHECK-NOT: fuser.reshape
// CHECK-LABEL: fuser.kernel @factors_1(
// CHECK: fuser.sum
// CHECK-LABEL: fuser.host @factors(
// CHECK: fuser.reshape_view
fuser.fusion @factors(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %0 = fuser.sum %x dims [1] : tensor<6x4xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %3 = fuser.reshape %2 : tensor<6x4xf32> -> tensor<4x6xf32>
  %4 = fuser.sum %3 dims [1] : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %4 : tensor<4xf32>
}

// -----

// Does not cut where one part is static: what has the whole splits it.
// CHECK-LABEL: fuser.kernel @static_0(
// CHECK: fuser.sum
// CHECK: fuser.reshape
// CHECK: fuser.neg
// CHECK-NOT: fuser.kernel
fuser.fusion @static(%x: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x4xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Each kernel computes what it needs of one argument: that takes less time than to write and read the result.
// CHECK-LABEL: fuser.kernel @again_0(
// CHECK: fuser.exp
// CHECK-NEXT: fuser.sum
// CHECK-LABEL: fuser.kernel @again_1(
// CHECK: fuser.exp
// CHECK-NEXT: fuser.reshape
// CHECK-LABEL: fuser.host @again(
// CHECK-NOT: fuser.reshape_view
fuser.fusion @again(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.neg %2 : tensor<?xf32>
  fuser.return %1, %3 : tensor<?xf32>, tensor<?xf32>
}
