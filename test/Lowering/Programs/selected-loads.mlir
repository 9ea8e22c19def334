// Next to the last column is the first one: one load at a selected index, not one of each, of which one is selected.
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h200' | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --program=columns --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=rows --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=unknown_rows --sizes=37x33 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=two_arguments --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=other_borders --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --program=corners --check | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: check {{.*}} ok

// Both guards hold where their column is.
// CHECK-LABEL: gpu.func @columns_0(
// CHECK: %[[PLACE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK-NEXT: memref.load %{{.*}}[%[[PLACE]]]
// CHECK-NOT: arith.select {{.*}} : f32
// CHECK: gpu.return
fuser.fusion @columns(%x: tensor<37x33xf32>) -> tensor<37x33xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %last = arith.constant 32 : i64
  %0 = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %1 = fuser.pad %x low [0, 32] high [0, -32] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %2 = fuser.iota %c0, %c1 : i64, i64 -> tensor<33xi32>
  %3 = fuser.eq %2, %last : (tensor<33xi32>, i64) -> tensor<33xi1>
  %4 = fuser.broadcast %3 dims [0] : tensor<33xi1> -> tensor<1x33xi1>
  %5 = fuser.where %4, %1, %0 : (tensor<1x33xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  %6 = fuser.sub %5, %x : tensor<37x33xf32>
  fuser.return %6 : tensor<37x33xf32>
}

// CHECK-LABEL: gpu.func @rows_0(
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK-NOT: arith.select {{.*}} : f32
// CHECK: gpu.return
fuser.fusion @rows(%x: tensor<37x33xf32>) -> tensor<37x33xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = fuser.pad %x low [1, 0] high [-1, 0] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %1 = fuser.pad %x low [-36, 0] high [36, 0] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %2 = fuser.iota %c0, %c1 : i64, i64 -> tensor<37xi32>
  %3 = fuser.eq %2, %c0 : (tensor<37xi32>, i64) -> tensor<37xi1>
  %4 = fuser.broadcast %3 dims [1] : tensor<37xi1> -> tensor<37x1xi1>
  %5 = fuser.where %4, %1, %0 : (tensor<37x1xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  %6 = fuser.sub %5, %x : tensor<37x33xf32>
  fuser.return %6 : tensor<37x33xf32>
}

// The number of rows is not known, and neither is whether the guards hold: one of them is selected.
// CHECK-LABEL: gpu.func @unknown_rows_0(
// CHECK: %[[PLACE:.*]] = arith.select %[[IS_FIRST:.*]], %{{.*}}, %{{.*}} : index
// CHECK: %[[GUARD:.*]] = arith.select %[[IS_FIRST]], %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[GUARD]] -> (f32)
// CHECK-NEXT: memref.load %{{.*}}[%[[PLACE]]]
// CHECK: gpu.return
fuser.fusion @unknown_rows(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %d0 = arith.constant 0 : index
  %m = tensor.dim %x, %d0 : tensor<?x33xf32>
  %0 = fuser.pad %x low [3, 0] high [-3, 0] value %zero : tensor<?x33xf32>, f32 -> tensor<?x33xf32>
  %1 = fuser.pad %x low [-5, 0] high [5, 0] value %zero : tensor<?x33xf32>, f32 -> tensor<?x33xf32>
  %2 = fuser.iota %c0, %c1 length(%m) : i64, i64 -> tensor<?xi32>
  %3 = fuser.eq %2, %c1 : (tensor<?xi32>, i64) -> tensor<?xi1>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xi1> -> tensor<?x1xi1>
  %5 = fuser.where %4, %1, %0 : (tensor<?x1xi1>, tensor<?x33xf32>, tensor<?x33xf32>) -> tensor<?x33xf32>
  %6 = fuser.sub %5, %x : tensor<?x33xf32>
  fuser.return %6 : tensor<?x33xf32>
}

// Not of two arguments.
// CHECK-LABEL: gpu.func @two_arguments_0(
// CHECK-NOT: arith.select {{.*}} : index
// CHECK: arith.select
// CHECK: gpu.return
fuser.fusion @two_arguments(%x: tensor<37x33xf32>, %y: tensor<37x33xf32>, %c: tensor<37x33xi1>) -> tensor<37x33xf32> {
  %0 = fuser.where %c, %x, %y : (tensor<37x33xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  fuser.return %0 : tensor<37x33xf32>
}

// Not if what is outside is not one number.
// CHECK-LABEL: gpu.func @other_borders_0(
// CHECK-NOT: arith.select {{.*}} : index
// CHECK: gpu.return
fuser.fusion @other_borders(%x: tensor<37x33xf32>, %c: tensor<37x33xi1>) -> tensor<37x33xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %1 = fuser.pad %x low [0, 1] high [0, -1] value %one : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %2 = fuser.where %c, %0, %1 : (tensor<37x33xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  fuser.return %2 : tensor<37x33xf32>
}

// What is selected may be a selection.
// CHECK-LABEL: gpu.func @corners_0(
// CHECK-COUNT-2: arith.select {{.*}} : index
// CHECK-NOT: arith.select {{.*}} : f32
// CHECK: gpu.return
fuser.fusion @corners(%x: tensor<37x33xf32>, %c: tensor<37x33xi1>, %d: tensor<37x33xi1>) -> tensor<37x33xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, -1] high [0, 1] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %1 = fuser.pad %x low [0, 1] high [0, -1] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %2 = fuser.where %c, %0, %1 : (tensor<37x33xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  %3 = fuser.pad %x low [1, 0] high [-1, 0] value %zero : tensor<37x33xf32>, f32 -> tensor<37x33xf32>
  %4 = fuser.where %d, %2, %3 : (tensor<37x33xi1>, tensor<37x33xf32>, tensor<37x33xf32>) -> tensor<37x33xf32>
  fuser.return %4 : tensor<37x33xf32>
}
