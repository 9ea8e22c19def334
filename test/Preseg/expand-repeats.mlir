// RUN: fuser-opt %s --fuser-expand-repeats > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-expand-repeats | diff %t.after.mlir -
// RUN: fuser-run %s --program=join --device=reference --sizes=1x5,3x4 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=join --device=reference --sizes=1x5,3x4 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: fuser-run %s --program=ones --device=host --sizes=1x5x1 --check
// RUN: fuser-run %t.after.mlir --program=ones --device=host --sizes=1x5x1 --check
// RUN: fuser-run %s --program=ones --device=reference --sizes=1x5x1 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=ones --device=reference --sizes=1x5x1 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// One tensor joined with itself is read once; repeating a single element is an expansion.

// CHECK-LABEL: fuser.fusion @join
// CHECK-NEXT: %[[E:.*]] = fuser.expand %{{.*}} : tensor<1x?xf32> -> tensor<3x?xf32>
// CHECK-NEXT: %[[R:.*]] = fuser.repeat %{{.*}} [1, 2] : tensor<?x4xf32> -> tensor<?x8xf32>
// CHECK-NEXT: fuser.return %[[E]], %[[R]]
fuser.fusion @join(%x: tensor<1x?xf32>, %y: tensor<?x4xf32>) -> (tensor<3x?xf32>, tensor<?x8xf32>) {
  %0 = fuser.cat %x, %x, %x dim 0 : (tensor<1x?xf32>, tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<3x?xf32>
  %1 = fuser.cat %y, %y dim 1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  fuser.return %0, %1 : tensor<3x?xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: fuser.fusion @ones
// CHECK-NEXT: %[[E:.*]] = fuser.expand %{{.*}} : tensor<1x?x1xf32> -> tensor<4x?x2xf32>
// CHECK-NEXT: fuser.return %[[E]]
fuser.fusion @ones(%x: tensor<1x?x1xf32>) -> tensor<4x?x2xf32> {
  %0 = fuser.repeat %x [4, 1, 2] : tensor<1x?x1xf32> -> tensor<4x?x2xf32>
  fuser.return %0 : tensor<4x?x2xf32>
}

// Does nothing to joins of different tensors, to repeats of other sizes and to an op with a schedule.
// CHECK-LABEL: fuser.fusion @other
// CHECK: fuser.cat
// CHECK-COUNT-3: fuser.repeat
// CHECK-NOT: fuser.expand
fuser.fusion @other(%x: tensor<1x?xf32>, %y: tensor<1x?xf32>) -> (tensor<2x?xf32>, tensor<1x?xf32>, tensor<2x?xf32>, tensor<4x?xf32>) {
  %0 = fuser.cat %x, %y dim 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  %1 = fuser.repeat %x [1, 2] : tensor<1x?xf32> -> tensor<1x?xf32>
  %2 = fuser.repeat %x [2, 1] {memory = #fuser.memory<shared>} : tensor<1x?xf32> -> tensor<2x?xf32>
  %3 = fuser.repeat %x [4, 2] : tensor<1x?xf32> -> tensor<4x?xf32>
  fuser.return %0, %1, %2, %3 : tensor<2x?xf32>, tensor<1x?xf32>, tensor<2x?xf32>, tensor<4x?xf32>
}
