// RUN: fuser-opt %s --fuser-join-insertions > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-join-insertions | diff %t.after.mlir -
// RUN: fuser-run %s --program=halves --device=reference --sizes=5x4,5x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=halves --device=reference --sizes=5x4,5x4 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=thirds --device=reference --sizes=6x4,3x4,2x4,1x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=thirds --device=reference --sizes=6x4,3x4,2x4,1x4 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=two_of_each_place --device=reference --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=two_of_each_place --device=reference --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=halves --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=thirds --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown_rows --device=host --sizes=7x3,7x2 --check | FileCheck %s --check-prefix=NUMBERS
// A sum of parts of a tensor, each among zeros, is their concatenation.
// NUMBERS: check {{.*}} ok

// A pad and an insertion, in any order. Adding 0 makes 0 of -0, as the sum does.
// CHECK-LABEL: fuser.fusion @halves
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<5x4xf32>, %[[B:[a-z0-9]+]]: tensor<5x4xf32>
// CHECK-NOT: fuser.pad
// CHECK: %[[NEG:.+]] = fuser.neg %[[A]]
// CHECK: %[[JOINED:.+]] = fuser.cat %[[B]], %[[NEG]] dim 1
// CHECK: %[[ZERO:.+]] = arith.constant 0.0
// CHECK: %[[SUM:.+]] = fuser.add %[[JOINED]], %[[ZERO]]
// CHECK: fuser.return %[[SUM]]
fuser.fusion @halves(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f64
  %neg = fuser.neg %a : tensor<5x4xf32>
  %full = fuser.full %zero : f64 -> tensor<5x8xf32>
  %0 = fuser.insert_slice %neg into %full [0, 4] : tensor<5x4xf32> into tensor<5x8xf32>
  %1 = fuser.pad %b low [0, 0] high [0, 4] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %2 = fuser.add %0, %1 : tensor<5x8xf32>
  fuser.return %2 : tensor<5x8xf32>
}

// Three parts, added to another value one by one.
// CHECK-LABEL: fuser.fusion @thirds
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<6x4xf32>, %[[A:[a-z0-9]+]]: tensor<3x4xf32>, %[[B:[a-z0-9]+]]: tensor<2x4xf32>, %[[C:[a-z0-9]+]]: tensor<1x4xf32>
// CHECK: %[[JOINED:.+]] = fuser.cat %[[C]], %[[A]], %[[B]] dim 0
// CHECK: %[[SUM:.+]] = fuser.add %[[X]], %[[JOINED]]
// CHECK: fuser.add %[[SUM]], %{{.+}} : (tensor<6x4xf32>, f32)
fuser.fusion @thirds(%x: tensor<6x4xf32>, %a: tensor<3x4xf32>, %b: tensor<2x4xf32>, %c: tensor<1x4xf32>) -> tensor<6x4xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.pad %a low [1, 0] high [2, 0] value %zero : tensor<3x4xf32>, f64 -> tensor<6x4xf32>
  %1 = fuser.pad %b low [4, 0] high [0, 0] value %zero : tensor<2x4xf32>, f64 -> tensor<6x4xf32>
  %2 = fuser.pad %c low [0, 0] high [5, 0] value %zero : tensor<1x4xf32>, f64 -> tensor<6x4xf32>
  %3 = fuser.add %x, %0 : tensor<6x4xf32>
  %4 = fuser.add %1, %3 : tensor<6x4xf32>
  %5 = fuser.add %4, %2 : tensor<6x4xf32>
  fuser.return %5 : tensor<6x4xf32>
}

// Integers have one zero.
// CHECK-LABEL: fuser.fusion @integers
// CHECK: %[[JOINED:.+]] = fuser.cat
// CHECK-NEXT: fuser.return %[[JOINED]]
fuser.fusion @integers(%a: tensor<3xi32>, %b: tensor<2xi32>) -> tensor<5xi32> {
  %zero = arith.constant 0 : i64
  %0 = fuser.pad %a low [0] high [2] value %zero : tensor<3xi32>, i64 -> tensor<5xi32>
  %1 = fuser.pad %b low [3] high [0] value %zero : tensor<2xi32>, i64 -> tensor<5xi32>
  %2 = fuser.add %0, %1 : tensor<5xi32>
  fuser.return %2 : tensor<5xi32>
}

// Does nothing where parts overlap, or leave elements out.
// CHECK-LABEL: fuser.fusion @overlap
// CHECK-NOT: fuser.cat
fuser.fusion @overlap(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<1xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.pad %a low [0] high [2] value %zero : tensor<3xf32>, f64 -> tensor<5xf32>
  %1 = fuser.pad %b low [2] high [0] value %zero : tensor<3xf32>, f64 -> tensor<5xf32>
  %2 = fuser.add %0, %1 : tensor<5xf32>
  %3 = fuser.pad %a low [0] high [2] value %zero : tensor<3xf32>, f64 -> tensor<5xf32>
  %4 = fuser.pad %c low [4] high [0] value %zero : tensor<1xf32>, f64 -> tensor<5xf32>
  %5 = fuser.add %3, %4 : tensor<5xf32>
  fuser.return %2, %5 : tensor<5xf32>, tensor<5xf32>
}

// Does nothing to parts among other numbers, parts of two dimensions, what others read, and unknown sizes.
// CHECK-LABEL: fuser.fusion @others
// CHECK-NOT: fuser.cat
fuser.fusion @others(%a: tensor<3xf32>, %b: tensor<2xf32>, %m: tensor<2x3xf32>, %n: tensor<3x2xf32>, %d: tensor<?xf32>) -> (tensor<5xf32>, tensor<4x4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %0 = fuser.pad %a low [0] high [2] value %one : tensor<3xf32>, f64 -> tensor<5xf32>
  %1 = fuser.pad %b low [3] high [0] value %zero : tensor<2xf32>, f64 -> tensor<5xf32>
  %2 = fuser.add %0, %1 : tensor<5xf32>
  %3 = fuser.pad %m low [0, 0] high [2, 1] value %zero : tensor<2x3xf32>, f64 -> tensor<4x4xf32>
  %4 = fuser.pad %n low [1, 2] high [0, 0] value %zero : tensor<3x2xf32>, f64 -> tensor<4x4xf32>
  %5 = fuser.add %3, %4 : tensor<4x4xf32>
  %6 = fuser.pad %a low [0] high [2] value %zero : tensor<3xf32>, f64 -> tensor<5xf32>
  %7 = fuser.pad %b low [3] high [0] value %zero : tensor<2xf32>, f64 -> tensor<5xf32>
  %8 = fuser.add %6, %7 : tensor<5xf32>
  %9 = fuser.pad %d low [0] high [3] value %zero : tensor<?xf32>, f64 -> tensor<?xf32>
  %10 = fuser.pad %d low [3] high [0] value %zero : tensor<?xf32>, f64 -> tensor<?xf32>
  %11 = fuser.add %9, %10 : tensor<?xf32>
  fuser.return %2, %5, %8, %7, %11 : tensor<5xf32>, tensor<4x4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<?xf32>
}

// Unknown sizes of dimensions that parts have whole.
// CHECK-LABEL: fuser.fusion @unknown_rows
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x3xf32>, %[[B:[a-z0-9]+]]: tensor<?x2xf32>
// CHECK: %[[JOINED:.+]] = fuser.cat %[[A]], %[[B]] dim 1 : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x5xf32>
// CHECK: fuser.add %[[JOINED]], %{{.+}} : (tensor<?x5xf32>, f32)
fuser.fusion @unknown_rows(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>) -> tensor<?x5xf32>
    attributes {facts = [#fuser.fact<equal 1[0], 0[0]>]} {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?x2xf32>
  %0 = fuser.full %zero sizes(%n) : f64 -> tensor<?x5xf32>
  %1 = fuser.insert_slice %a into %0 [0, 0] : tensor<?x3xf32> into tensor<?x5xf32>
  %2 = fuser.pad %b low [0, 3] high [0, 0] value %zero : tensor<?x2xf32>, f64 -> tensor<?x5xf32>
  %3 = fuser.add %1, %2 : tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}

// Does nothing where a part may have fewer rows.
// CHECK-LABEL: fuser.fusion @fewer_rows
// CHECK-NOT: fuser.cat
fuser.fusion @fewer_rows(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>, %n: index) -> tensor<?x5xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.full %zero sizes(%n) : f64 -> tensor<?x5xf32>
  %1 = fuser.insert_slice %a into %0 [0, 0] : tensor<?x3xf32> into tensor<?x5xf32>
  %2 = fuser.pad %b low [0, 3] high [0, 0] value %zero : tensor<?x2xf32>, f64 -> tensor<?x5xf32>
  %3 = fuser.add %1, %2 : tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}

// Parts of one place are added in the order in which the program adds them.
// CHECK-LABEL: fuser.fusion @two_of_each_place
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<5x4xf32>, %[[B:[a-z0-9]+]]: tensor<5x4xf32>, %[[C:[a-z0-9]+]]: tensor<5x4xf32>, %[[D:[a-z0-9]+]]: tensor<5x4xf32>
// CHECK-DAG: %[[FIRST:.+]] = fuser.add %[[B]], %[[D]]
// CHECK-DAG: %[[SECOND:.+]] = fuser.add %[[A]], %[[C]]
// CHECK: %[[JOINED:.+]] = fuser.cat %[[FIRST]], %[[SECOND]] dim 1
// CHECK: fuser.add %[[JOINED]], %{{.+}} : (tensor<5x8xf32>, f32)
fuser.fusion @two_of_each_place(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>, %c: tensor<5x4xf32>, %d: tensor<5x4xf32>) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.pad %a low [0, 4] high [0, 0] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %1 = fuser.pad %b low [0, 0] high [0, 4] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %2 = fuser.add %0, %1 : tensor<5x8xf32>
  %3 = fuser.pad %c low [0, 4] high [0, 0] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %4 = fuser.add %2, %3 : tensor<5x8xf32>
  %5 = fuser.pad %d low [0, 0] high [0, 4] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %6 = fuser.add %4, %5 : tensor<5x8xf32>
  fuser.return %6 : tensor<5x8xf32>
}

// Not where they are added to something else, of which the sum with the first would be rounded in another way.
// CHECK-LABEL: fuser.fusion @added_to_more
// CHECK-NOT: fuser.cat
fuser.fusion @added_to_more(%x: tensor<5x8xf32>, %a: tensor<5x4xf32>, %b: tensor<5x4xf32>, %c: tensor<5x4xf32>) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f64
  %0 = fuser.pad %a low [0, 4] high [0, 0] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %1 = fuser.pad %b low [0, 0] high [0, 4] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %2 = fuser.add %x, %0 : tensor<5x8xf32>
  %3 = fuser.add %2, %1 : tensor<5x8xf32>
  %4 = fuser.pad %c low [0, 4] high [0, 0] value %zero : tensor<5x4xf32>, f64 -> tensor<5x8xf32>
  %5 = fuser.add %3, %4 : tensor<5x8xf32>
  fuser.return %5 : tensor<5x8xf32>
}
