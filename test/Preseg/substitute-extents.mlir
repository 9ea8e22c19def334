// RUN: fuser-opt %s --fuser-substitute-extents > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-substitute-extents | diff %t.after.mlir -
// RUN: fuser-run %s --program=types --device=reference --sizes=4x3,4x3 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=types --device=reference --sizes=4x3,4x3 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: fuser-run %t.after.mlir --program=types --device=host --sizes=4x3,4x3 --check
// RUN: not fuser-run %t.after.mlir --program=types --device=host --sizes=5x3,4x3 2>&1 | FileCheck %s --check-prefix=GUARD
// Sizes that must be equal are facts, equal sizes have one name, constant ones are in the types.

// One operand says what the size of the other is. The guard stays when the types no longer need it.
// GUARD: fuser-run: expected x.size[0] <= 4
// CHECK-LABEL: fuser.fusion @types
// CHECK-SAME: facts = [#fuser.fact<at_least 0[0], 4>, #fuser.fact<at_most 0[0], 4>, #fuser.fact<equal 0[1], 1[1]>]
// CHECK-NEXT: %[[E:.*]] = fuser.exp %{{.*}} : (tensor<?x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: %[[A:.*]] = fuser.add %[[E]], %{{.*}} : tensor<4x?xf32>
// CHECK-NEXT: %[[N:.*]] = fuser.neg %[[A]] : (tensor<4x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: fuser.return %[[N]]
fuser.fusion @types(%x: tensor<?x?xf32>, %y: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.add %0, %y : (tensor<?x?xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// A size is read where it was read first; one that a fact makes constant is not read.
// CHECK-LABEL: fuser.fusion @sizes
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x?xf32>, %[[Z:[a-z0-9]+]]: tensor<?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-NOT: tensor.dim
// CHECK: %[[F:.*]] = fuser.full %{{.*}} : f32 -> tensor<5x8xf32>
// CHECK: %[[G:.*]] = fuser.full %{{.*}} sizes(%[[N]], %[[N]]) : f32 -> tensor<?x?xf32>
fuser.fusion @sizes(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<5xf32>, tensor<?x?xf32>)
    attributes {facts = [#fuser.fact<equal 0[1], 1[1]>, #fuser.fact<at_least 0[0], 5>, #fuser.fact<at_most 0[0], 5>,
                         #fuser.fact<at_least 2[0], 8>, #fuser.fact<at_most 2[0], 8>, #fuser.fact<equal 0[0], 1[0]>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %m = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n2 = tensor.dim %y, %c1 : tensor<?x?xf32>
  %k = tensor.dim %z, %c0 : tensor<?xf32>
  %0 = fuser.full %one sizes(%m, %k) : f32 -> tensor<?x?xf32>
  %1 = fuser.full %one sizes(%n, %n2) : f32 -> tensor<?x?xf32>
  %2 = fuser.add %x, %y : tensor<?x?xf32>
  %3 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<5xf32>
  %4 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %2, %3, %4 : tensor<?x?xf32>, tensor<5xf32>, tensor<?x?xf32>
}

// One result of two is an output: the other keeps its type as well.
// CHECK-LABEL: fuser.fusion @two_results
// CHECK: %[[V:.*]], %[[M:.*]] = fuser.var_mean %{{.*}} : tensor<?x8xf32> -> tensor<?xf32>, tensor<?xf32>
// CHECK: fuser.neg %[[M]] : (tensor<?xf32>) -> tensor<4xf32>
fuser.fusion @two_results(%x: tensor<?x8xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {facts = [#fuser.fact<at_least 0[0], 4>, #fuser.fact<at_most 0[0], 4>]} {
  %0, %1 = fuser.var_mean %x dims [1] correction 1 : tensor<?x8xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  %3 = fuser.exp %2 : tensor<?xf32>
  fuser.return %0, %3 : tensor<?xf32>, tensor<?xf32>
}

// Does not touch outputs and what has their type by definition, what a reshape splits, what carries a schedule, and makes
// no dimension 1.
// CHECK-LABEL: fuser.fusion @stays
// CHECK-NEXT: fuser.exp %{{.*}} : tensor<?xf32>
// CHECK-NEXT: fuser.set %{{.*}} : tensor<?xf32>
// CHECK-NEXT: fuser.abs %{{.*}} : tensor<?xf32>
// CHECK-NEXT: fuser.reshape %{{.*}} : tensor<?xf32> -> tensor<?x2xf32>
// CHECK-NEXT: fuser.neg {{.*}} : tensor<?xf32>
// CHECK-NEXT: fuser.exp %{{.*}} : tensor<?xf32>
// CHECK-NEXT: fuser.neg %{{.*}} : tensor<?xf32>
fuser.fusion @stays(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x2xf32>, tensor<?xf32>, tensor<?xf32>)
    attributes {facts = [#fuser.fact<at_least 0[0], 4>, #fuser.fact<at_most 0[0], 4>, #fuser.fact<at_least 1[0], 1>,
                         #fuser.fact<at_most 1[0], 1>]} {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.set %0 : tensor<?xf32>
  %2 = fuser.abs %x : tensor<?xf32>
  %3 = fuser.reshape %2 : tensor<?xf32> -> tensor<?x2xf32>
  %4 = fuser.neg %x {memory = #fuser.memory<shared>} : tensor<?xf32>
  %5 = fuser.exp %y : tensor<?xf32>
  %6 = fuser.neg %5 : tensor<?xf32>
  fuser.return %1, %3, %4, %6 : tensor<?xf32>, tensor<?x2xf32>, tensor<?xf32>, tensor<?xf32>
}

// What a reshape without splits makes of the result of one with splits is as dynamic as this.
// CHECK-LABEL: fuser.fusion @squeezed
// CHECK: fuser.reshape %{{.*}} : tensor<?x1xf32> -> tensor<?xf32>
// CHECK: fuser.exp {{.*}} -> tensor<62xf32>
fuser.fusion @squeezed(%x: tensor<31x?xf32>) -> tensor<f32>
    attributes {facts = [#fuser.fact<at_least 0[1], 2>, #fuser.fact<at_most 0[1], 2>]} {
  %0 = fuser.reshape %x : tensor<31x?xf32> -> tensor<?x1xf32>
  %1 = fuser.reshape %0 : tensor<?x1xf32> -> tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  %3 = fuser.sum %2 dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %3 : tensor<f32>
}
