// RUN: fuser-opt %s --fuser-clone-indices > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-clone-indices | diff %t.after.mlir -
// RUN: fuser-run %s --program=causal --device=reference --sizes=3x9x9 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=causal --device=reference --sizes=3x9x9 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=causal --device=host --sizes=3x200x200 --check | FileCheck %s --check-prefix=SINGLE
// RUN: fuser-run %s --program=blocks --device=host --sizes=3x128x128 --check | FileCheck %s --check-prefix=SINGLE
// RUN: fuser-run %s --program=windows --device=host --check | FileCheck %s --check-prefix=SINGLE
// What is computed from iota alone is cloned for each dimension that it is read along.

// One kernel: the index of a row and that of a column are different values in it.
// SINGLE: kernels {{ *}}{{[a-z_]+}}_0: grid
// SINGLE-NEXT: compile
// SINGLE: check {{.*}} ok

// CHECK-LABEL: fuser.fusion @causal
// CHECK-DAG: %[[ROWS:.*]] = fuser.iota
// CHECK-DAG: %[[COLUMNS:.*]] = fuser.iota
// CHECK-NOT: fuser.iota
// CHECK-DAG: fuser.broadcast %[[ROWS]] dims [1]
// CHECK-DAG: fuser.broadcast %[[COLUMNS]] dims [0]
// CHECK: fuser.return
fuser.fusion @causal(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %cinf = arith.constant 0xFF800000 : f32
  %d2 = arith.constant 2 : index
  %n = tensor.dim %x, %d2 : tensor<?x?x?xf32>
  %0 = fuser.iota %c0, %c1 length(%n) : i64, i64 -> tensor<?xi64>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xi64> -> tensor<?x1xi64>
  %2 = fuser.broadcast %0 dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %3 = fuser.gt %2, %1 : (tensor<1x?xi64>, tensor<?x1xi64>) -> tensor<?x?xi1>
  %4 = fuser.broadcast %3 dims [0] : tensor<?x?xi1> -> tensor<1x?x?xi1>
  %5 = fuser.where %4, %cinf, %x : (tensor<1x?x?xi1>, f32, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %6 = fuser.max %5 dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %7 = fuser.broadcast %6 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %8 = fuser.sub %5, %7 : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  fuser.return %8 : tensor<?x?x?xf32>
}

// The ops that compute an index are cloned with it; equal readers share a clone.
// CHECK-LABEL: fuser.fusion @blocks
// CHECK-COUNT-2: fuser.shift_right
// CHECK-NOT: fuser.shift_right
// CHECK: fuser.return
fuser.fusion @blocks(%x: tensor<?x128x128xf32>) -> tensor<?x128x128xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %zero = arith.constant 0.0 : f32
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<128xi64>
  %1 = fuser.shift_right %0, %c5 : (tensor<128xi64>, i64) -> tensor<128xi64>
  %2 = fuser.broadcast %1 dims [1] : tensor<128xi64> -> tensor<128x1xi64>
  %3 = fuser.broadcast %1 dims [0] : tensor<128xi64> -> tensor<1x128xi64>
  %4 = fuser.broadcast %1 dims [0] : tensor<128xi64> -> tensor<1x128xi64>
  %5 = fuser.eq %2, %3 : (tensor<128x1xi64>, tensor<1x128xi64>) -> tensor<128x128xi1>
  %6 = fuser.ge %2, %4 : (tensor<128x1xi64>, tensor<1x128xi64>) -> tensor<128x128xi1>
  %7 = fuser.bitwise_and %5, %6 : tensor<128x128xi1>
  %8 = fuser.broadcast %7 dims [0] : tensor<128x128xi1> -> tensor<1x128x128xi1>
  %9 = fuser.where %8, %x, %zero : (tensor<1x128x128xi1>, tensor<?x128x128xf32>, f32) -> tensor<?x128x128xf32>
  fuser.return %9 : tensor<?x128x128xf32>
}

// One reader, or readers that give the index the same dimensions, need no clone.
// CHECK-LABEL: fuser.fusion @alike
// CHECK-COUNT-1: fuser.iota
// CHECK-NOT: fuser.iota
// CHECK: fuser.return
fuser.fusion @alike(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %0 = fuser.iota %c0, %c1 : f32, f32 -> tensor<8xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %2 = fuser.broadcast %0 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %3 = fuser.mul %x, %1 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  %4 = fuser.add %x, %2 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  fuser.return %3, %4 : tensor<?x8xf32>, tensor<?x8xf32>
}

// What depends on a tensor, or is expensive, is computed once.
// CHECK-LABEL: fuser.fusion @of_tensors
// CHECK-COUNT-2: fuser.iota
// CHECK-NOT: fuser.iota
// CHECK: fuser.return
fuser.fusion @of_tensors(%x: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %0 = fuser.iota %c0, %c1 : f32, f32 -> tensor<8xf32>
  %1 = fuser.add %0, %x : tensor<8xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %3 = fuser.broadcast %1 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %4 = fuser.add %2, %3 : (tensor<1x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  %5 = fuser.iota %c1, %c1 : f32, f32 -> tensor<8xf32>
  %6 = fuser.exp %5 : tensor<8xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  %8 = fuser.broadcast %6 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
  %9 = fuser.mul %7, %8 : (tensor<1x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  fuser.return %4, %9 : tensor<8x8xf32>, tensor<8x8xf32>
}

// An element of windows is read again for each pad that moves it. What only computes reads one of them.
// CHECK-LABEL: fuser.fusion @windows(
// CHECK: %[[FIRST:.*]] = fuser.slice %{{.*}} [0, 1] [6, 4] strides [1, 2]
// CHECK-NEXT: %[[LAST:.*]] = fuser.slice %{{.*}} [0, 1] [6, 4] strides [1, 2]
// CHECK-NOT: fuser.slice %{{.*}} [0, 1]
// CHECK: fuser.pad %[[FIRST]] low [0, 1] high [0, 0]
// CHECK: fuser.pad %[[LAST]] low [0, 0] high [0, 1]
fuser.fusion @windows(%x: tensor<6x9xf32>) -> tensor<6x5xf32> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 1] [6, 4] strides [1, 2] : tensor<6x9xf32> -> tensor<6x4xf32>
  %1 = fuser.slice %x [0, 0] [6, 5] strides [1, 2] : tensor<6x9xf32> -> tensor<6x5xf32>
  %2 = fuser.pad %0 low [0, 1] high [0, 0] value %z : tensor<6x4xf32>, f32 -> tensor<6x5xf32>
  %3 = fuser.pad %0 low [0, 0] high [0, 1] value %z : tensor<6x4xf32>, f32 -> tensor<6x5xf32>
  %4 = fuser.maximum %2, %1 : tensor<6x5xf32>
  %5 = fuser.maximum %4, %3 : tensor<6x5xf32>
  fuser.return %5 : tensor<6x5xf32>
}
