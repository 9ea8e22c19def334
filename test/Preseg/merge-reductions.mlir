// RUN: fuser-opt %s --fuser-merge-reductions > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-merge-reductions | diff %t.after.mlir -
// RUN: fuser-run %s --program=gray --device=host --check | FileCheck %s --check-prefix=SINGLE
// Reductions of reductions become one.

// SINGLE: kernels {{ *}}gray_0: grid
// SINGLE-NEXT: compile
// SINGLE: check {{.*}} ok

// A mean of sums, with a dimension that is added and kept.
// CHECK-LABEL: fuser.fusion @gray
// CHECK-SAME: (%[[X:.*]]: tensor<8x3x20x30xf32>, %[[W:.*]]: tensor<1x3x1x1xf32>)
// CHECK: %[[P:.*]] = fuser.mul %[[X]], %[[W]]
// CHECK: %[[S:.*]] = fuser.sum %[[P]] dims [1, 2, 3] : tensor<8x3x20x30xf32> -> tensor<8xf32>
// CHECK: %[[N:.*]] = arith.constant 6.000000e+02 : f64
// CHECK: %[[M:.*]] = fuser.div %[[S]], %[[N]]
// CHECK: %[[R:.*]] = fuser.broadcast %[[M]] dims [1] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK: fuser.return %[[R]]
fuser.fusion @gray(%x: tensor<8x3x20x30xf32>, %w: tensor<1x3x1x1xf32>) -> tensor<8x1xf32> {
  %0 = fuser.mul %x, %w : (tensor<8x3x20x30xf32>, tensor<1x3x1x1xf32>) -> tensor<8x3x20x30xf32>
  %1 = fuser.sum %0 dims [1] : tensor<8x3x20x30xf32> -> tensor<8x20x30xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<8x20x30xf32> -> tensor<8x1x20x30xf32>
  %3 = fuser.mean %2 dims [2, 3] : tensor<8x1x20x30xf32> -> tensor<8x1xf32>
  fuser.return %3 : tensor<8x1xf32>
}

// Three maxima, of dimensions in any order; sums of unknown sizes.
// CHECK-LABEL: fuser.fusion @all
// CHECK-SAME: (%[[X:.*]]: tensor<4x5x6xf32>, %[[Y:.*]]: tensor<?x?x?xi64>)
// CHECK-DAG: %[[M:.*]] = fuser.max %[[X]] dims [0, 1, 2]
// CHECK-DAG: %[[S:.*]] = fuser.sum %[[Y]] dims [0, 2]
// CHECK: fuser.return %[[M]], %[[S]]
fuser.fusion @all(%x: tensor<4x5x6xf32>, %y: tensor<?x?x?xi64>) -> (tensor<f32>, tensor<?xi64>) {
  %0 = fuser.max %x dims [1] : tensor<4x5x6xf32> -> tensor<4x6xf32>
  %1 = fuser.max %0 dims [1] : tensor<4x6xf32> -> tensor<4xf32>
  %2 = fuser.max %1 dims [0] : tensor<4xf32> -> tensor<f32>
  %3 = fuser.sum %y dims [0] : tensor<?x?x?xi64> -> tensor<?x?xi64>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xi64> -> tensor<?xi64>
  fuser.return %2, %4 : tensor<f32>, tensor<?xi64>
}

// Not results with other readers, other functions, half types, elements that depend on a reduction, and elements that
// another one reduces.
// CHECK-LABEL: fuser.fusion @others
// CHECK-COUNT-11: dims [
fuser.fusion @others(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %h: tensor<64x32xbf16>, %z: tensor<64x32xf32>, %w: tensor<64x32xf32>)
    -> (tensor<64xf32>, tensor<f32>, tensor<f32>, tensor<bf16>, tensor<f32>, tensor<f32>, tensor<64xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %1 = fuser.sum %0 dims [0] : tensor<64xf32> -> tensor<f32>
  %2 = fuser.max %y dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %3 = fuser.sum %2 dims [0] : tensor<64xf32> -> tensor<f32>
  %4 = fuser.sum %h dims [1] : tensor<64x32xbf16> -> tensor<64xbf16>
  %5 = fuser.sum %4 dims [0] : tensor<64xbf16> -> tensor<bf16>
  %6 = fuser.max %z dims [0] : tensor<64x32xf32> -> tensor<32xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<32xf32> -> tensor<1x32xf32>
  %8 = fuser.sub %z, %7 : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  %9 = fuser.sum %8 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %10 = fuser.sum %9 dims [0] : tensor<64xf32> -> tensor<f32>
  %11 = fuser.exp %w : tensor<64x32xf32>
  %12 = fuser.sum %11 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %13 = fuser.sum %12 dims [0] : tensor<64xf32> -> tensor<f32>
  %14 = fuser.max %w dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  fuser.return %0, %1, %3, %5, %10, %13, %14 : tensor<64xf32>, tensor<f32>, tensor<f32>, tensor<bf16>, tensor<f32>, tensor<f32>, tensor<64xf32>
}
