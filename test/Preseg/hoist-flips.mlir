// RUN: fuser-opt %s --fuser-hoist-flips > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-hoist-flips | diff %t.after.mlir -
// RUN: fuser-run %s --program=suffixes --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=suffixes --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=returns --device=reference --sizes=5x7,5x7,7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=returns --device=reference --sizes=5x7,5x7,7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=returns --device=host --sizes=5x7,5x7,7 --check
// RUN: fuser-run %s --program=columns --device=reference --sizes=4x5x6 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=columns --device=reference --sizes=4x5x6 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=at_argument --device=reference --sizes=5x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=at_argument --device=reference --sizes=5x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=both_orders --device=reference --sizes=5x9,5x1 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=both_orders --device=reference --sizes=5x9,5x1 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// Flips around a scan reverse it.

// CHECK-LABEL: fuser.fusion @suffixes
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK-NOT: fuser.index_select
// CHECK: %[[R:.*]] = fuser.cumsum %{{.*}} dim 1 reverse
// CHECK: fuser.return %[[R]]
fuser.fusion @suffixes(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %size = arith.index_cast %n : index to i64
  %one = arith.constant 1 : i64
  %last = arith.subi %size, %one : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step length(%n) : i64, i64 -> tensor<?xi64>
  %0 = fuser.index_select %x, %flip dim 1 : tensor<?x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  %1 = fuser.abs %0 : tensor<?x?xf32>
  %2 = fuser.cumsum %1 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fuser.index_select %2, %flip dim 1 : tensor<?x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// What is computed with other values is flipped with them: one flip, of the argument without rows, remains in place of three.
// CHECK-LABEL: fuser.fusion @returns
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x7xf32>, %[[Y:[a-z0-9]+]]: tensor<?x7xf32>, %[[W:[a-z0-9]+]]: tensor<7xf32>)
// CHECK: %[[I:.*]] = fuser.iota
// CHECK: fuser.cumprod %[[X]] dim 1 reverse exclusive
// CHECK: fuser.index_select %[[W]], %[[I]] dim 0
// CHECK-NOT: fuser.index_select
// CHECK: fuser.return
fuser.fusion @returns(%x: tensor<?x7xf32>, %y: tensor<?x7xf32>, %w: tensor<7xf32>) -> tensor<?x7xf32> {
  %last = arith.constant 6 : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step : i64, i64 -> tensor<7xi64>
  %0 = fuser.index_select %x, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  %1 = fuser.index_select %y, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  %2 = fuser.cumprod %0 dim 1 exclusive : tensor<?x7xf32> -> tensor<?x7xf32>
  %3 = fuser.broadcast %w dims [0] : tensor<7xf32> -> tensor<1x7xf32>
  %4 = fuser.mul %2, %3 : (tensor<?x7xf32>, tensor<1x7xf32>) -> tensor<?x7xf32>
  %5 = fuser.add %4, %1 : tensor<?x7xf32>
  %6 = fuser.index_select %5, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  fuser.return %6 : tensor<?x7xf32>
}

// Along another dimension of a permutation; a scan along a dimension that is not flipped keeps its direction.
// CHECK-LABEL: fuser.fusion @columns
// CHECK-NOT: fuser.index_select
// CHECK: fuser.cummax %{{.*}} dim 2 :
// CHECK: fuser.cummin %{{.*}} dim 1 :
// CHECK-NOT: fuser.index_select
// CHECK: fuser.return
fuser.fusion @columns(%x: tensor<4x5x6xf32>) -> tensor<5x4x6xf32> {
  %last = arith.constant 3 : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step : i64, i64 -> tensor<4xi64>
  %0 = fuser.index_select %x, %flip dim 0 : tensor<4x5x6xf32>, tensor<4xi64> -> tensor<4x5x6xf32>
  %1 = fuser.cummax %0 dim 2 : tensor<4x5x6xf32> -> tensor<4x5x6xf32>
  %2 = fuser.permute %1 [1, 0, 2] : tensor<4x5x6xf32> -> tensor<5x4x6xf32>
  %3 = fuser.cummin %2 dim 1 reverse : tensor<5x4x6xf32> -> tensor<5x4x6xf32>
  %4 = fuser.index_select %3, %flip dim 1 : tensor<5x4x6xf32>, tensor<4xi64> -> tensor<5x4x6xf32>
  fuser.return %4 : tensor<5x4x6xf32>
}

// One flip moves from a result to the argument: the kernel of the scan reads it in that order.
// CHECK-LABEL: fuser.fusion @at_argument
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[F:.*]] = fuser.index_select %[[X]]
// CHECK: %[[R:.*]] = fuser.cumsum %[[F]] dim 1 reverse
// CHECK: fuser.return %[[R]]
fuser.fusion @at_argument(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %last = arith.constant 6 : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step : i64, i64 -> tensor<7xi64>
  %0 = fuser.cumsum %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.index_select %0, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  fuser.return %1 : tensor<?x7xf32>
}

// A function of an argument that is read in both orders is computed twice: a part of the argument is read in both.
// CHECK-LABEL: fuser.fusion @both_orders
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[S:.*]] = fuser.slice %[[X]]
// CHECK: %[[E:.*]] = fuser.exp %[[S]]
// CHECK: %[[F:.*]] = fuser.index_select %[[S]]
// CHECK: %[[G:.*]] = fuser.exp %[[F]]
// CHECK: fuser.where %{{.*}}, %[[G]], %[[E]]
fuser.fusion @both_orders(%x: tensor<5x9xf32>, %m: tensor<5x1xi1>) -> tensor<5x7xf32> {
  %last = arith.constant 6 : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step : i64, i64 -> tensor<7xi64>
  %0 = fuser.slice %x [0, 1] [5, 7] : tensor<5x9xf32> -> tensor<5x7xf32>
  %1 = fuser.exp %0 : tensor<5x7xf32>
  %2 = fuser.index_select %1, %flip dim 1 : tensor<5x7xf32>, tensor<7xi64> -> tensor<5x7xf32>
  %3 = fuser.where %m, %2, %1 : (tensor<5x1xi1>, tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  fuser.return %3 : tensor<5x7xf32>
}

// Does nothing to gathers of other elements, to a scan that others read in its own order, and to functions of reductions or of
// three arguments.
// CHECK-LABEL: fuser.fusion @kept
// CHECK: %[[A:.*]] = fuser.cumsum %{{.*}} dim 1 :
// CHECK: fuser.index_select %[[A]]
// CHECK: %[[B:.*]] = fuser.cumprod %{{.*}} dim 1 :
// CHECK: fuser.index_select %[[B]]
// CHECK: %[[C:.*]] = fuser.exp
// CHECK: fuser.index_select %[[C]]
// CHECK: %[[D:.*]] = fuser.add
// CHECK: fuser.index_select %[[D]]
fuser.fusion @kept(%x: tensor<?x7xf32>, %y: tensor<?x7xf32>, %z: tensor<?x7xf32>, %v: tensor<3x7xf32>) -> (tensor<?x6xf32>, tensor<?x7xf32>, tensor<?x7xf32>, tensor<7xf32>, tensor<?x7xf32>) {
  %last = arith.constant 6 : i64
  %step = arith.constant -1 : i64
  %flip = fuser.iota %last, %step : i64, i64 -> tensor<7xi64>
  %less = fuser.iota %last, %step : i64, i64 -> tensor<6xi64>
  %0 = fuser.cumsum %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %1 = fuser.index_select %0, %less dim 1 : tensor<?x7xf32>, tensor<6xi64> -> tensor<?x6xf32>
  %2 = fuser.cumprod %x dim 1 : tensor<?x7xf32> -> tensor<?x7xf32>
  %3 = fuser.index_select %2, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  %4 = fuser.sum %v dims [0] : tensor<3x7xf32> -> tensor<7xf32>
  %5 = fuser.exp %4 : tensor<7xf32>
  %6 = fuser.index_select %5, %flip dim 0 : tensor<7xf32>, tensor<7xi64> -> tensor<7xf32>
  %7 = fuser.mul %x, %y : tensor<?x7xf32>
  %8 = fuser.add %7, %z : tensor<?x7xf32>
  %9 = fuser.index_select %8, %flip dim 1 : tensor<?x7xf32>, tensor<7xi64> -> tensor<?x7xf32>
  fuser.return %1, %2, %3, %6, %9 : tensor<?x6xf32>, tensor<?x7xf32>, tensor<?x7xf32>, tensor<7xf32>, tensor<?x7xf32>
}
