// RUN: fuser-opt %s --fuser-fold-reshapes > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-fold-reshapes | diff %t.after.mlir -
// RUN: fuser-run %s --program=groups --device=reference --sizes=8x5,4x5 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=groups --device=reference --sizes=8x5,4x5 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=groups --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown_groups --device=host --sizes=12x2x5 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions | FileCheck %s --check-prefix=KERNELS
// Dimensions that a program merges, and splits at other places, are reshaped at once.
// NUMBERS: check {{.*}} ok

// Rows that are two each, in groups with a scale: one kernel.
// CHECK-LABEL: fuser.fusion @groups
// CHECK: %[[W:.*]] = fuser.where
// CHECK-NEXT: fuser.reshape %[[W]] : tensor<8x2x5xf32> -> tensor<4x4x5xf32>
// CHECK-NOT: fuser.reshape
// KERNELS-COUNT-1: fuser.kernel @groups
// KERNELS-NOT: fuser.kernel
// KERNELS: fuser.host @groups
fuser.fusion @groups(%x: tensor<8x5xf32>, %s: tensor<4x5xf32>) -> tensor<4x4x5xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = fuser.broadcast %x dims [1] : tensor<8x5xf32> -> tensor<8x1x5xf32>
  %1 = fuser.neg %0 : tensor<8x1x5xf32>
  %2 = fuser.iota %c0, %c1 : i64, i64 -> tensor<2xi64>
  %3 = fuser.broadcast %2 dims [0, 2] : tensor<2xi64> -> tensor<1x2x1xi64>
  %4 = fuser.eq %3, %c0 : (tensor<1x2x1xi64>, i64) -> tensor<1x2x1xi1>
  %5 = fuser.where %4, %0, %1 : (tensor<1x2x1xi1>, tensor<8x1x5xf32>, tensor<8x1x5xf32>) -> tensor<8x2x5xf32>
  %6 = fuser.reshape %5 : tensor<8x2x5xf32> -> tensor<16x5xf32>
  %7 = fuser.reshape %6 : tensor<16x5xf32> -> tensor<4x4x5xf32>
  %8 = fuser.broadcast %s dims [1] : tensor<4x5xf32> -> tensor<4x1x5xf32>
  %9 = fuser.mul %7, %8 : (tensor<4x4x5xf32>, tensor<4x1x5xf32>) -> tensor<4x4x5xf32>
  fuser.return %9 : tensor<4x4x5xf32>
}

// Inner dimensions, next to an unknown size.
// CHECK-LABEL: fuser.fusion @inner
// CHECK: %[[E:.*]] = fuser.exp
// CHECK-NEXT: fuser.reshape %[[E]] : tensor<?x2x8xf32> -> tensor<?x4x4xf32>
fuser.fusion @inner(%x: tensor<?x2x8xf32>) -> tensor<?x4x4xf32> {
  %0 = fuser.exp %x : tensor<?x2x8xf32>
  %1 = fuser.reshape %0 : tensor<?x2x8xf32> -> tensor<?x16xf32>
  %2 = fuser.reshape %1 : tensor<?x16xf32> -> tensor<?x4x4xf32>
  fuser.return %2 : tensor<?x4x4xf32>
}

// An unknown number of rows is split before the parts are merged.
// CHECK-LABEL: fuser.fusion @unknown_groups
// CHECK: %[[E:.*]] = fuser.exp
// CHECK-NEXT: %[[SPLIT:.*]] = fuser.reshape %[[E]] : tensor<?x2x5xf32> -> tensor<?x4x2x5xf32>
// CHECK-NEXT: fuser.reshape %[[SPLIT]] : tensor<?x4x2x5xf32> -> tensor<?x8x5xf32>
fuser.fusion @unknown_groups(%x: tensor<?x2x5xf32>) -> tensor<?x8x5xf32> {
  %0 = fuser.exp %x : tensor<?x2x5xf32>
  %1 = fuser.reshape %0 : tensor<?x2x5xf32> -> tensor<?x5xf32>
  %2 = fuser.reshape %1 : tensor<?x5xf32> -> tensor<?x8x5xf32>
  fuser.return %2 : tensor<?x8x5xf32>
}

// Does nothing to splits of splits, to merges of merges, where places do not divide each other, and to views of arguments.
// CHECK-LABEL: fuser.fusion @others
// CHECK-COUNT-8: fuser.reshape
fuser.fusion @others(%x: tensor<6x4xf32>) -> (tensor<3x2x2x2xf32>, tensor<24xf32>, tensor<4x6xf32>, tensor<3x8xf32>) {
  %0 = fuser.exp %x : tensor<6x4xf32>
  %1 = fuser.reshape %0 : tensor<6x4xf32> -> tensor<3x2x4xf32>
  %2 = fuser.reshape %1 : tensor<3x2x4xf32> -> tensor<3x2x2x2xf32>
  %3 = fuser.reshape %1 : tensor<3x2x4xf32> -> tensor<3x8xf32>
  %4 = fuser.reshape %3 : tensor<3x8xf32> -> tensor<24xf32>
  %5 = fuser.reshape %0 : tensor<6x4xf32> -> tensor<24xf32>
  %6 = fuser.reshape %5 : tensor<24xf32> -> tensor<4x6xf32>
  %7 = fuser.reshape %x : tensor<6x4xf32> -> tensor<24xf32>
  %8 = fuser.reshape %7 : tensor<24xf32> -> tensor<3x8xf32>
  fuser.return %2, %4, %6, %8 : tensor<3x2x2x2xf32>, tensor<24xf32>, tensor<4x6xf32>, tensor<3x8xf32>
}
