// RUN: fuser-opt %s --fuser-hoist-rolls > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-hoist-rolls | diff %t.after.mlir -
// RUN: fuser-run %s --program=differences --device=reference --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=differences --device=reference --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %s --program=differences --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=stored --device=host --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown_rows --device=host --sizes=7x5,7x5 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown_rows --device=host --sizes=1x5,1x5 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions | FileCheck %s --check-prefix=KERNELS
// Rolls by one of a function of arguments are rolls of the arguments, so that no kernel computes one column.
// NUMBERS: check {{.*}} ok
// KERNELS: fuser.kernel @differences_0
// KERNELS-NOT: fuser.kernel
// KERNELS: fuser.host @differences

// In both directions; the value of rows is not rolled, and what two ops read is computed once for each roll.
// CHECK-LABEL: fuser.fusion @differences
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<5x7xf32>, %[[Y:[a-z0-9]+]]: tensor<5x7xf32>, %[[R:[a-z0-9]+]]: tensor<5x1xf32>
// CHECK-NOT: fuser.cat
// CHECK: %[[FIRST:.+]] = fuser.eq
// CHECK: %[[MOVED:.+]] = fuser.pad %[[X]] low [0, -6] high [0, 6]
// CHECK: %[[OTHERS:.+]] = fuser.pad %[[X]] low [0, 1] high [0, -1]
// CHECK: %[[ROLLED_X:.+]] = fuser.where %[[FIRST]], %[[MOVED]], %[[OTHERS]]
// CHECK: %[[ROLLED_Y:.+]] = fuser.where
// CHECK: %[[PRODUCT:.+]] = fuser.mul %[[ROLLED_X]], %[[ROLLED_Y]] : tensor<5x7xf32>
// CHECK: fuser.mul %[[PRODUCT]], %[[R]]
// CHECK: fuser.pad %[[X]] low [0, 6] high [0, -6]
// CHECK: fuser.pad %[[X]] low [0, -1] high [0, 1]
// CHECK: fuser.mul %{{.+}}, %[[R]]
// CHECK: fuser.sub
// CHECK-NEXT: fuser.return
fuser.fusion @differences(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>, %r: tensor<5x1xf32>) -> tensor<5x7xf32> {
  %0 = fuser.mul %x, %y : tensor<5x7xf32>
  %1 = fuser.mul %0, %r : (tensor<5x7xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
  %2 = fuser.add %1, %0 : tensor<5x7xf32>
  %3 = fuser.slice %2 [0, 6] [5, 1] : tensor<5x7xf32> -> tensor<5x1xf32>
  %4 = fuser.slice %2 [0, 0] [5, 6] : tensor<5x7xf32> -> tensor<5x6xf32>
  %5 = fuser.cat %3, %4 dim 1 : (tensor<5x1xf32>, tensor<5x6xf32>) -> tensor<5x7xf32>
  %6 = fuser.slice %2 [0, 1] [5, 6] : tensor<5x7xf32> -> tensor<5x6xf32>
  %7 = fuser.slice %2 [0, 0] [5, 1] : tensor<5x7xf32> -> tensor<5x1xf32>
  %8 = fuser.cat %6, %7 dim 1 : (tensor<5x6xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
  %9 = fuser.sub %5, %8 : tensor<5x7xf32>
  fuser.return %9 : tensor<5x7xf32>
}

// Two rolls of a scan, and two of a function that others read, which are stored: each is selected among shifts.
// CHECK-LABEL: fuser.fusion @stored
// CHECK: %[[SCAN:.+]] = fuser.cumsum
// CHECK: %[[EXP:.+]] = fuser.exp
// CHECK: fuser.pad %[[SCAN]] low [-6] high [6]
// CHECK: fuser.pad %[[SCAN]] low [1] high [-1]
// CHECK: fuser.pad %[[SCAN]] low [6] high [-6]
// CHECK: fuser.pad %[[SCAN]] low [-1] high [1]
// CHECK-COUNT-4: fuser.pad %[[EXP]]
// CHECK-NOT: fuser.cat
// CHECK: fuser.return
fuser.fusion @stored(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %0 = fuser.cumsum %x dim 0 : tensor<7xf32> -> tensor<7xf32>
  %1 = fuser.exp %x : tensor<7xf32>
  %2 = fuser.slice %0 [6] [1] : tensor<7xf32> -> tensor<1xf32>
  %3 = fuser.slice %0 [0] [6] : tensor<7xf32> -> tensor<6xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<1xf32>, tensor<6xf32>) -> tensor<7xf32>
  %5 = fuser.slice %0 [1] [6] : tensor<7xf32> -> tensor<6xf32>
  %6 = fuser.slice %0 [0] [1] : tensor<7xf32> -> tensor<1xf32>
  %7 = fuser.cat %5, %6 dim 0 : (tensor<6xf32>, tensor<1xf32>) -> tensor<7xf32>
  %8 = fuser.sub %4, %7 : tensor<7xf32>
  %9 = fuser.slice %1 [6] [1] : tensor<7xf32> -> tensor<1xf32>
  %10 = fuser.slice %1 [0] [6] : tensor<7xf32> -> tensor<6xf32>
  %11 = fuser.cat %9, %10 dim 0 : (tensor<1xf32>, tensor<6xf32>) -> tensor<7xf32>
  %12 = fuser.slice %1 [1] [6] : tensor<7xf32> -> tensor<6xf32>
  %13 = fuser.slice %1 [0] [1] : tensor<7xf32> -> tensor<1xf32>
  %14 = fuser.cat %12, %13 dim 0 : (tensor<6xf32>, tensor<1xf32>) -> tensor<7xf32>
  %15 = fuser.sub %11, %14 : tensor<7xf32>
  fuser.return %1, %8, %15 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}

// Does nothing to rolls by more, to one of a function that others read or that is not pointwise, and to other parts.
// CHECK-LABEL: fuser.fusion @kept
// CHECK: fuser.exp %{{[a-z]+}} :
// CHECK: fuser.cat
// CHECK: fuser.neg %{{[a-z]+}} :
// CHECK: fuser.cat
// CHECK: fuser.cumsum
// CHECK: fuser.cat
// CHECK: fuser.abs %{{[a-z]+}} :
// CHECK: fuser.cat
// CHECK-NEXT: fuser.return
fuser.fusion @kept(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %0 = fuser.exp %x : tensor<7xf32>
  %1 = fuser.slice %0 [5] [2] : tensor<7xf32> -> tensor<2xf32>
  %2 = fuser.slice %0 [0] [5] : tensor<7xf32> -> tensor<5xf32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<2xf32>, tensor<5xf32>) -> tensor<7xf32>
  %4 = fuser.neg %x : tensor<7xf32>
  %5 = fuser.slice %4 [6] [1] : tensor<7xf32> -> tensor<1xf32>
  %6 = fuser.slice %4 [0] [6] : tensor<7xf32> -> tensor<6xf32>
  %7 = fuser.cat %5, %6 dim 0 : (tensor<1xf32>, tensor<6xf32>) -> tensor<7xf32>
  %8 = fuser.cumsum %x dim 0 : tensor<7xf32> -> tensor<7xf32>
  %9 = fuser.slice %8 [6] [1] : tensor<7xf32> -> tensor<1xf32>
  %10 = fuser.slice %8 [0] [6] : tensor<7xf32> -> tensor<6xf32>
  %11 = fuser.cat %9, %10 dim 0 : (tensor<1xf32>, tensor<6xf32>) -> tensor<7xf32>
  %12 = fuser.abs %x : tensor<7xf32>
  %13 = fuser.slice %12 [6] [1] : tensor<7xf32> -> tensor<1xf32>
  %14 = fuser.slice %12 [1] [6] : tensor<7xf32> -> tensor<6xf32>
  %15 = fuser.cat %13, %14 dim 0 : (tensor<1xf32>, tensor<6xf32>) -> tensor<7xf32>
  fuser.return %3, %4, %7, %11, %15 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}

// An unknown number of rows, of which the first one moves, and of which the last one does.
// CHECK-LABEL: fuser.fusion @unknown_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x5xf32>, %[[Y:.*]]: tensor<?x5xf32>)
// CHECK-NOT: fuser.cat
// CHECK-DAG: fuser.pad %[[X]] low [-1, 0] high [1, 0]
// CHECK-DAG: fuser.pad %[[X]] low [%{{.*}}, 0] high [%{{.*}}, 0]
// CHECK-DAG: fuser.pad %[[Y]] low [1, 0] high [-1, 0]
// CHECK: fuser.return
fuser.fusion @unknown_rows(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32>
    attributes {facts = [#fuser.fact<equal 1[0], 0[0]>]} {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %n = tensor.dim %y, %c0 : tensor<?x5xf32>
  %m = arith.addi %n, %c-1 : index
  %0 = fuser.mul %x, %y : tensor<?x5xf32>
  %1 = fuser.slice %0 [1, 0] [%m, 5] : tensor<?x5xf32> -> tensor<?x5xf32>
  %2 = fuser.slice %0 [0, 0] [1, 5] : tensor<?x5xf32> -> tensor<1x5xf32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<?x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
  %4 = fuser.slice %0 [%m, 0] [1, 5] : tensor<?x5xf32> -> tensor<1x5xf32>
  %5 = fuser.slice %0 [0, 0] [%m, 5] : tensor<?x5xf32> -> tensor<?x5xf32>
  %6 = fuser.cat %4, %5 dim 0 : (tensor<1x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  %7 = fuser.sub %3, %6 : tensor<?x5xf32>
  fuser.return %7 : tensor<?x5xf32>
}

// Columns of an unknown number of rows.
// CHECK-LABEL: fuser.fusion @unknown_others
// CHECK-NOT: fuser.cat
// CHECK-DAG: fuser.pad %{{.*}} low [0, -1] high [0, 1]
// CHECK-DAG: fuser.pad %{{.*}} low [0, 4] high [0, -4]
// CHECK: fuser.return
fuser.fusion @unknown_others(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %0 = fuser.exp %x : tensor<?x5xf32>
  %1 = fuser.slice %0 [0, 1] [%n, 4] : tensor<?x5xf32> -> tensor<?x4xf32>
  %2 = fuser.slice %0 [0, 0] [%n, 1] : tensor<?x5xf32> -> tensor<?x1xf32>
  %3 = fuser.cat %1, %2 dim 1 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}

// Does nothing where fewer rows than all others may be joined.
// CHECK-LABEL: fuser.fusion @unknown_part
// CHECK: fuser.cat
fuser.fusion @unknown_part(%x: tensor<?x5xf32>, %m: index) -> tensor<?x5xf32> {
  %0 = fuser.exp %x : tensor<?x5xf32>
  %1 = fuser.slice %0 [1, 0] [%m, 5] : tensor<?x5xf32> -> tensor<?x5xf32>
  %2 = fuser.slice %0 [0, 0] [1, 5] : tensor<?x5xf32> -> tensor<1x5xf32>
  %3 = fuser.cat %1, %2 dim 0 : (tensor<?x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
  fuser.return %3 : tensor<?x5xf32>
}
