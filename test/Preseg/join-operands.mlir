// RUN: fuser-opt %s --fuser-join-operands > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-join-operands | diff %t.after.mlir -
// RUN: fuser-run %s --program=halves --device=host --check --sizes=6x64,64 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=halves --device=host --check --sizes=6x7,7 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=three --device=host --check --sizes=5x3,5x4,5x7,5x1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=three --device=host --check --sizes=5x0,5x4,5x1,5x1 | FileCheck %s --check-prefix=ONE
// Functions of parts at offsets that are known at run time only are computed after the concatenation, in its kernel.

// ONE: kernels {{ *}}{{halves|three}}{{(_0)?}}: grid
// ONE-NOT: _1: grid
// ONE: check {{.*}} ok
// ONE-NOT: WRONG

// The rotation of halves: the second half, negated, before the first one.
// CHECK-LABEL: fuser.fusion @halves
// CHECK-DAG: %[[SECOND:.*]] = fuser.slice %{{.*}} [0, %{{.*}}]
// CHECK-DAG: %[[FIRST:.*]] = fuser.slice %{{.*}} [0, 0]
// CHECK: %[[JOINED:.*]] = fuser.cat %[[SECOND]], %[[FIRST]] dim 1
// CHECK: %[[INDEX:.*]] = fuser.iota
// CHECK: %[[PLACE:.*]] = fuser.broadcast %[[INDEX]] dims [0]
// CHECK: %[[NEGATED:.*]] = fuser.neg %[[JOINED]]
// CHECK: %[[IS_SECOND:.*]] = fuser.lt %[[PLACE]]
// CHECK: %[[CHOSEN:.*]] = fuser.where %[[IS_SECOND]], %[[NEGATED]], %[[JOINED]]
// CHECK: fuser.mul %[[CHOSEN]]
fuser.fusion @halves(%x: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<equal 1[0], 0[1]>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %h = arith.floordivsi %n, %c2 : index
  %r = arith.subi %n, %h : index
  %0 = fuser.slice %x [0, %h] [%m, %r] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.neg %0 : tensor<?x?xf32>
  %2 = fuser.slice %x [0, 0] [%m, %h] : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.cat %1, %2 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = fuser.broadcast %s dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %5 = fuser.mul %3, %4 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

// Each part has a function, two of a number of each row, which is no part.
// CHECK-LABEL: fuser.fusion @three
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>, %[[Z:.*]]: tensor<?x?xf32>, %[[W:.*]]: tensor<?x1xf32>)
// CHECK: %[[JOINED:.*]] = fuser.cat %[[X]], %[[Y]], %[[Z]] dim 1
// CHECK-DAG: %[[B:.*]] = fuser.relu %[[JOINED]]
// CHECK-DAG: %[[SUM:.*]] = fuser.add %[[JOINED]], %[[W]]
// CHECK-DAG: %[[C:.*]] = fuser.neg %[[SUM]]
// CHECK: %[[LAST:.*]] = fuser.where %{{.*}}, %[[B]], %[[C]]
// CHECK: %[[A:.*]] = fuser.mul %[[JOINED]], %[[W]]
// CHECK: fuser.where %{{.*}}, %[[A]], %[[LAST]]
fuser.fusion @three(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>, %w: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %0 = fuser.mul %x, %w : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.relu %y : tensor<?x?xf32>
  %2 = fuser.add %z, %w : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.neg %2 : tensor<?x?xf32>
  %4 = fuser.cat %0, %1, %3 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = fuser.exp %4 : tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}

// A part at a constant offset that the result exceeds by a constant is computed where it is stored.
// CHECK-LABEL: fuser.fusion @constant
// CHECK: %[[N:.*]] = fuser.neg %
// CHECK: fuser.cat %{{.*}}, %[[N]] dim 0
// CHECK-NOT: fuser.where
fuser.fusion @constant(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.neg %y : tensor<?xf32>
  %1 = fuser.cat %x, %0 dim 0 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// Not of two tensors, of other types, where the function is used elsewhere or is expensive, what is computed from a sum, and a
// concatenation that nothing reads.
// CHECK-LABEL: fuser.fusion @others
// CHECK-NOT: fuser.where
fuser.fusion @others(%x: tensor<?xf32>, %y: tensor<?xf32>, %h: tensor<?xbf16>, %m: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) attributes {facts = [#fuser.fact<equal 1[0], 0[0]>]} {
  %0 = fuser.add %x, %y : tensor<?xf32>
  %1 = fuser.cat %0, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  %3 = fuser.cast %h : tensor<?xbf16> to tensor<?xf32>
  %4 = fuser.cat %3, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = fuser.exp %4 : tensor<?xf32>
  %6 = fuser.neg %x : tensor<?xf32>
  %7 = fuser.cat %6, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %8 = fuser.exp %7 : tensor<?xf32>
  %9 = fuser.sum %m dims [1] : tensor<?x8xf32> -> tensor<?xf32>
  %10 = fuser.neg %9 : tensor<?xf32>
  %11 = fuser.cat %10, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %12 = fuser.exp %11 : tensor<?xf32>
  %13 = fuser.sin %x : tensor<?xf32>
  %14 = fuser.cat %13, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %15 = fuser.exp %14 : tensor<?xf32>
  %16 = fuser.neg %x : tensor<?xf32>
  %17 = fuser.cat %16, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %2, %5, %6, %8, %12, %15, %17 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
