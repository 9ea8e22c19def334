// RUN: fuser-opt %s --fuser-cancel-broadcasts > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-cancel-broadcasts | diff %t.after.mlir -
// RUN: fuser-run %s --program=some --device=reference --sizes=3x1x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=some --device=reference --sizes=3x1x4 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=some --device=host --sizes=3x1x4 --check
// RUN: fuser-run %s --program=back --device=reference --sizes=3x1x1x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=back --device=reference --sizes=3x1x1x4 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// Dimensions that are added and dropped again were never there.

// CHECK-LABEL: fuser.fusion @all
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-NEXT: fuser.return %[[X]]
fuser.fusion @all(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.broadcast %x dims [0, 2] : tensor<?xf32> -> tensor<1x?x1xf32>
  %1 = fuser.squeeze %0 dims [0, 2] : tensor<1x?x1xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// One dimension cancels, one that was there before is dropped, one new one stays.
// CHECK-LABEL: fuser.fusion @some
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x1x4xf32>)
// CHECK-NEXT: %[[S:.*]] = fuser.squeeze %[[X]] dims [1] : tensor<?x1x4xf32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[B:.*]] = fuser.broadcast %[[S]] dims [0] : tensor<?x4xf32> -> tensor<1x?x4xf32>
// CHECK-NEXT: fuser.return %[[B]]
fuser.fusion @some(%x: tensor<?x1x4xf32>) -> tensor<1x?x4xf32> {
  %0 = fuser.broadcast %x dims [0, 2] : tensor<?x1x4xf32> -> tensor<1x?x1x1x4xf32>
  %1 = fuser.squeeze %0 dims [2, 3] : tensor<1x?x1x1x4xf32> -> tensor<1x?x4xf32>
  fuser.return %1 : tensor<1x?x4xf32>
}

// Of two dropped between two others, one is added again.
// CHECK-LABEL: fuser.fusion @back
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x1x1x?xf32>)
// CHECK-NEXT: %[[S:.*]] = fuser.squeeze %[[X]] dims [2] : tensor<3x1x1x?xf32> -> tensor<3x1x?xf32>
// CHECK-NEXT: %[[B:.*]] = fuser.broadcast %[[S]] dims [3] : tensor<3x1x?xf32> -> tensor<3x1x?x1xf32>
// CHECK-NEXT: fuser.return %[[B]]
fuser.fusion @back(%x: tensor<3x1x1x?xf32>) -> tensor<3x1x?x1xf32> {
  %0 = fuser.squeeze %x dims [1, 2] : tensor<3x1x1x?xf32> -> tensor<3x?xf32>
  %1 = fuser.broadcast %0 dims [1, 3] : tensor<3x?xf32> -> tensor<3x1x?x1xf32>
  fuser.return %1 : tensor<3x1x?x1xf32>
}

// CHECK-LABEL: fuser.fusion @merge
// CHECK-NEXT: %[[B:.*]] = fuser.broadcast %{{.*}} dims [0, 2, 3] : tensor<?xf32> -> tensor<1x?x1x1xf32>
// CHECK-NEXT: %[[S:.*]] = fuser.squeeze %{{.*}} dims [0, 2, 3] : tensor<1x?x1x1xf32> -> tensor<?xf32>
// CHECK-NEXT: fuser.return %[[B]], %[[S]]
fuser.fusion @merge(%x: tensor<?xf32>, %y: tensor<1x?x1x1xf32>) -> (tensor<1x?x1x1xf32>, tensor<?xf32>) {
  %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %0 dims [0, 3] : tensor<?x1xf32> -> tensor<1x?x1x1xf32>
  %2 = fuser.squeeze %y dims [0, 3] : tensor<1x?x1x1xf32> -> tensor<?x1xf32>
  %3 = fuser.squeeze %2 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  fuser.return %1, %3 : tensor<1x?x1x1xf32>, tensor<?xf32>
}

// Does nothing where other dimensions are dropped than were added, or an op lies between.
// CHECK-LABEL: fuser.fusion @other
// CHECK: fuser.broadcast
// CHECK: fuser.squeeze
// CHECK: fuser.broadcast
// CHECK: fuser.neg
// CHECK: fuser.squeeze
fuser.fusion @other(%x: tensor<1x?xf32>, %y: tensor<?xf32>) -> (tensor<?x1xf32>, tensor<?xf32>) {
  %0 = fuser.broadcast %x dims [2] : tensor<1x?xf32> -> tensor<1x?x1xf32>
  %1 = fuser.squeeze %0 dims [0] : tensor<1x?x1xf32> -> tensor<?x1xf32>
  %2 = fuser.broadcast %y dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.neg %2 : tensor<?x1xf32>
  %4 = fuser.squeeze %3 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  fuser.return %1, %4 : tensor<?x1xf32>, tensor<?xf32>
}
