// RUN: fuser-opt %s --fuser-share-reductions > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-share-reductions | diff %t.after.mlir -
// RUN: fuser-run %s --program=penalty --device=host --check | FileCheck %s --check-prefix=KERNELS
// Reductions of all elements go by the rows, or columns, that others reduce.

// One kernel reads the tensor, and one its few results.
// KERNELS: kernels
// KERNELS-SAME: penalty_0
// KERNELS: penalty_1
// KERNELS-NOT: penalty_2
// KERNELS: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @penalty
// CHECK-SAME: (%[[X:.*]]: tensor<8192x64xf32>, %[[Y:.*]]: tensor<8192x64xf32>)
// CHECK: %[[D:.*]] = fuser.sum %{{.*}} dims [1]
// CHECK: %[[Q:.*]] = fuser.mul %[[X]], %[[X]]
// CHECK: %[[R:.*]] = fuser.sum %[[Q]] dims [1] : tensor<8192x64xf32> -> tensor<8192xf32>
// CHECK: %[[A:.*]] = fuser.sum %[[R]] dims [0] : tensor<8192xf32> -> tensor<f32>
// CHECK: fuser.return %[[D]], %[[A]]
fuser.fusion @penalty(%x: tensor<8192x64xf32>, %y: tensor<8192x64xf32>) -> (tensor<8192xf32>, tensor<f32>) {
  %0 = fuser.mul %x, %y : tensor<8192x64xf32>
  %1 = fuser.sum %0 dims [1] : tensor<8192x64xf32> -> tensor<8192xf32>
  %2 = fuser.mul %x, %x : tensor<8192x64xf32>
  %3 = fuser.sum %2 dims [0, 1] : tensor<8192x64xf32> -> tensor<f32>
  fuser.return %1, %3 : tensor<8192xf32>, tensor<f32>
}

// By the reduction of most elements, and by a part of a part.
// CHECK-LABEL: fuser.fusion @volumes
// CHECK-SAME: (%[[X:.*]]: tensor<64x100x400xf32>)
// CHECK-DAG: fuser.max %[[X]] dims [2] : tensor<64x100x400xf32>
// CHECK-DAG: %[[I:.*]] = fuser.mean %[[X]] dims [2] : tensor<64x100x400xf32>
// CHECK-DAG: fuser.mean %[[I]] dims [1] : tensor<64x100xf32>
// CHECK-DAG: %[[J:.*]] = fuser.min %[[X]] dims [2] : tensor<64x100x400xf32>
// CHECK-DAG: %[[K:.*]] = fuser.min %[[J]] dims [1] : tensor<64x100xf32>
// CHECK-DAG: fuser.min %[[K]] dims [0] : tensor<64xf32>
fuser.fusion @volumes(%x: tensor<64x100x400xf32>) -> (tensor<64x100xf32>, tensor<64xf32>, tensor<f32>) {
  %0 = fuser.max %x dims [2] : tensor<64x100x400xf32> -> tensor<64x100xf32>
  %1 = fuser.mean %x dims [1, 2] : tensor<64x100x400xf32> -> tensor<64xf32>
  %2 = fuser.min %x dims [0, 1, 2] : tensor<64x100x400xf32> -> tensor<f32>
  fuser.return %0, %1, %2 : tensor<64x100xf32>, tensor<64xf32>, tensor<f32>
}

// A reduction of the same elements is the first step.
// CHECK-LABEL: fuser.fusion @same
// CHECK: %[[R:.*]] = fuser.max %{{.*}} dims [1]
// CHECK-NEXT: %[[A:.*]] = fuser.max %[[R]] dims [0]
// CHECK-NEXT: fuser.return %[[R]], %[[A]]
fuser.fusion @same(%x: tensor<8192x64xf32>) -> (tensor<8192xf32>, tensor<f32>) {
  %0 = fuser.max %x dims [1] : tensor<8192x64xf32> -> tensor<8192xf32>
  %1 = fuser.max %x dims [0, 1] : tensor<8192x64xf32> -> tensor<f32>
  fuser.return %0, %1 : tensor<8192xf32>, tensor<f32>
}

// Not of half types, of few elements, of short rows, of other tensors, if the rows depend on the result, or if the elements
// depend on columns.
// CHECK-LABEL: fuser.fusion @others
// CHECK: fuser.sum %{{.*}} dims [0, 1] : tensor<8192x64xbf16>
// CHECK: fuser.sum %{{.*}} dims [0, 1] : tensor<64x64xf32>
// CHECK: fuser.sum %{{.*}} dims [0, 1] : tensor<100000x8xf32>
// CHECK: fuser.sum %{{.*}} dims [0, 1] : tensor<8192x64xf32>
// CHECK: fuser.max %{{.*}} dims [0, 1] : tensor<8192x64xf32>
// CHECK: fuser.sum %{{.*}} dims [0, 1] : tensor<8192x64xf32>
fuser.fusion @others(%h: tensor<8192x64xbf16>, %s: tensor<64x64xf32>, %n: tensor<100000x8xf32>, %x: tensor<8192x64xf32>, %y: tensor<8192x64xf32>, %z: tensor<8192x64xf32>, %w: tensor<8192x64xf32>)
    -> (tensor<8192xbf16>, tensor<bf16>, tensor<64xf32>, tensor<f32>, tensor<100000xf32>, tensor<f32>, tensor<f32>, tensor<8192xf32>, tensor<f32>, tensor<8192xf32>) {
  %0 = fuser.sum %h dims [1] : tensor<8192x64xbf16> -> tensor<8192xbf16>
  %1 = fuser.sum %h dims [0, 1] : tensor<8192x64xbf16> -> tensor<bf16>
  %2 = fuser.sum %s dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %3 = fuser.sum %s dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %4 = fuser.sum %n dims [1] : tensor<100000x8xf32> -> tensor<100000xf32>
  %5 = fuser.sum %n dims [0, 1] : tensor<100000x8xf32> -> tensor<f32>
  %6 = fuser.sum %x dims [0, 1] : tensor<8192x64xf32> -> tensor<f32>
  %7 = fuser.max %y dims [0, 1] : tensor<8192x64xf32> -> tensor<f32>
  %8 = fuser.broadcast %7 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %9 = fuser.sub %y, %8 : (tensor<8192x64xf32>, tensor<1x1xf32>) -> tensor<8192x64xf32>
  %10 = fuser.sum %9 dims [1] : tensor<8192x64xf32> -> tensor<8192xf32>
  %11 = fuser.max %w dims [0] : tensor<8192x64xf32> -> tensor<64xf32>
  %12 = fuser.broadcast %11 dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %13 = fuser.mul %z, %12 : (tensor<8192x64xf32>, tensor<1x64xf32>) -> tensor<8192x64xf32>
  %14 = fuser.sum %13 dims [0, 1] : tensor<8192x64xf32> -> tensor<f32>
  %15 = fuser.sum %z dims [1] : tensor<8192x64xf32> -> tensor<8192xf32>
  fuser.return %0, %1, %2, %3, %4, %5, %6, %10, %14, %15 : tensor<8192xbf16>, tensor<bf16>, tensor<64xf32>, tensor<f32>, tensor<100000xf32>, tensor<f32>, tensor<f32>, tensor<8192xf32>, tensor<f32>, tensor<8192xf32>
}
