// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | FileCheck %s
// RUN: fuser-run %s --no-run --target=h200 --program=rotated --dump-after=choose | FileCheck %s --check-prefix=CHOSEN
// RUN: fuser-run %s --no-run --target=h200 --program=rotated --dump-after=lowering | FileCheck %s --check-prefix=LANES
// RUN: fuser-run %s --device=host --check --program=rotated | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=computed | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=12x32 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=12x1 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --no-run --program=dynamic --sizes=12x2 --dump-after=segmentation | FileCheck %s --check-prefix=SHORT
// CHECKED: check {{.*}} ok
// SHORT-LABEL: fuser.kernel @dynamic_0
// SHORT-NOT: fuser.slice
// SHORT: fuser.pad %{{.*}} low [0, -1] high [0, 1]
// Pads of an argument that crop it: parts of the argument at a distance from each element.

// One that crops a few elements is a pad of a slice, whose lanes have one guard. What is far away is read where it is.
// CHECK-LABEL: fuser.kernel @rotated_0
// CHECK: %[[NEAR:.*]] = fuser.slice %[[X:.*]] [1, 1] [63, 63]
// CHECK-NEXT: fuser.pad %[[NEAR]] low [0, 0] high [1, 1]
// CHECK: fuser.pad %[[X]] low [63, -1] high [-63, 1]
// CHECK: fuser.pad %[[X]] low [-1, 63] high [1, -63]
// CHECK: fuser.pad %[[X]] low [63, 63] high [-63, -63]

// Rows are not merged with columns, so that their indices need no division.
// CHOSEN-LABEL: fuser.kernel @rotated_0
// CHOSEN-SAME: schedule = #fuser_sched.pointwise<{{.*}}vector = 4{{.*}}inner_dims = 1

// The last lane alone may be the last column. Branches on the row have all lanes, and the lane has one in them. The
// first row is read in branches that the last row alone takes.
// LANES-LABEL: gpu.func @rotated_0
// LANES: scf.if {{.*}} -> (f32)
// LANES: scf.if %{{[0-9]+}} {
// LANES-COUNT-3: memref.load
// LANES-NEXT: scf.if {{.*}} -> (f32)
// LANES-NEXT: memref.load
// LANES: scf.if %[[LAST:[0-9]+]] -> (f32, f32, f32, f32)
// LANES: scf.if {{.*}} -> (f32, f32, f32, f32)
// LANES-COUNT-3: memref.load
// LANES-NEXT: scf.if {{.*}} -> (f32)
// LANES-NEXT: memref.load
// LANES: scf.if %[[LAST]] -> (f32, f32, f32, f32)
// LANES: scf.if {{.*}} -> (f32)
// LANES-NEXT: memref.load
// LANES-NOT: scf.if
// LANES: vector.store
fuser.fusion @rotated(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c63 = arith.constant 63 : i64
  %zero = arith.constant 0.0 : f64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<64xi32>
  %1 = fuser.eq %0, %c63 : (tensor<64xi32>, i64) -> tensor<64xi1>
  %2 = fuser.broadcast %1 dims [0] : tensor<64xi1> -> tensor<1x64xi1>
  %3 = fuser.broadcast %1 dims [1] : tensor<64xi1> -> tensor<64x1xi1>
  %4 = fuser.pad %x low [-1, -1] high [1, 1] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %5 = fuser.pad %x low [63, -1] high [-63, 1] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %6 = fuser.pad %x low [-1, 63] high [1, -63] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %7 = fuser.pad %x low [63, 63] high [-63, -63] value %zero : tensor<64x64xf32>, f64 -> tensor<64x64xf32>
  %8 = fuser.where %3, %5, %4 : (tensor<64x1xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %9 = fuser.where %3, %7, %6 : (tensor<64x1xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %10 = fuser.where %2, %9, %8 : (tensor<1x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %11 = fuser.add %x, %10 : tensor<64x64xf32>
  fuser.return %11 : tensor<64x64xf32>
}

// -----

// Not of a value that the kernel computes.
// CHECK-LABEL: fuser.kernel @computed_0
// CHECK-NOT: fuser.slice
fuser.fusion @computed(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.exp %x : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = fuser.pad %0 low [0, -1] high [0, 1] value %zero : tensor<8x32xf32>, f64 -> tensor<8x32xf32>
  fuser.return %1 : tensor<8x32xf32>
}

// -----

// Of unknown sizes too, where what it crops is expected to exist. A fact states that it does.
// CHECK-LABEL: fuser.kernel @dynamic_0
// CHECK-SAME: facts = [#fuser.fact<at_least 0[1], 1>]
// CHECK: %[[DIM:.*]] = tensor.dim %[[X:.*]], %c1
// CHECK: %[[SIZE:.*]] = arith.subi %[[DIM]], %c1
// CHECK: %[[PART:.*]] = fuser.slice %[[X]] [0, 1] [%{{.*}}, %[[SIZE]]]
// CHECK-NEXT: fuser.pad %[[PART]] low [0, 0] high [0, 1]
fuser.fusion @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<?x?xf32>, f64 -> tensor<?x?xf32>
  %1 = fuser.add %x, %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
