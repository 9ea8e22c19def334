// RUN: fuser-run %s --device=host --check --program=two_views --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=two_views --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=self_transposed --sizes=5x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=self_transposed --sizes=1x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=self_transposed --sizes=0x16 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=self_reduced | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=broadcast_part --sizes=5x12,3,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=broadcast_part --sizes=1x12,3,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=broadcast_part --sizes=0x12,3,12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=repeat_part --sizes=5x4,5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=repeat_part --sizes=0x4,0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=bools --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=bools --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=deep --sizes=2x3x4x5 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=deep --sizes=1x1x1x1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=deep --sizes=2x0x1x3 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=deep --sizes=2x3x1x0 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=two_reduced --sizes=5x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=two_reduced --sizes=0x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=outer_and_inner --sizes=5x12 | FileCheck %s --check-prefix=CHECK
// RUN: fuser-run %s --device=host --check --program=outer_and_inner --sizes=0x12 | FileCheck %s --check-prefix=CHECK
// Several views of a value, parts of one class, operands of parts.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG
// CHECK: check {{.*}}output 0: ok
// CHECK-NEXT: output 1: ok

// One value in two shapes, both of which are outputs.
fuser.fusion @two_views(%x: tensor<?x12xf32>) -> (tensor<?x3x4xf32>, tensor<?x4x3xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x4x3xf32>
  %3 = fuser.sum %2 dims [1, 2] : tensor<?x4x3xf32> -> tensor<?xf32>
  fuser.return %1, %2, %3 : tensor<?x3x4xf32>, tensor<?x4x3xf32>, tensor<?xf32>
}

// Both parts of a dimension are one class.
fuser.fusion @self_transposed(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %1 = fuser.reshape %x : tensor<?x16xf32> -> tensor<?x4x4xf32>
  %2 = fuser.permute %1 [0, 2, 1] : tensor<?x4x4xf32> -> tensor<?x4x4xf32>
  %3 = fuser.add %1, %2 : tensor<?x4x4xf32>
  %4 = fuser.reshape %3 : tensor<?x4x4xf32> -> tensor<?x16xf32>
  fuser.return %4 : tensor<?x16xf32>
}

// A dimension that stands for two is split.
fuser.fusion @self_reduced(%x: tensor<16x16xf32>) -> tensor<16x4xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  %s = fuser.add %x, %0 : tensor<16x16xf32>
  %1 = fuser.reshape %s : tensor<16x16xf32> -> tensor<16x4x4xf32>
  %2 = fuser.sum %1 dims [2] : tensor<16x4x4xf32> -> tensor<16x4xf32>
  fuser.return %2 : tensor<16x4xf32>
}

// Operands that have one part, and the whole.
fuser.fusion @broadcast_part(%x: tensor<?x12xf32>, %b: tensor<3xf32>, %c: tensor<12xf32>) -> tensor<?x12xf32> {
  %1 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.broadcast %b dims [0, 2] : tensor<3xf32> -> tensor<1x3x1xf32>
  %3 = fuser.mul %1, %2 : (tensor<?x3x4xf32>, tensor<1x3x1xf32>) -> tensor<?x3x4xf32>
  %4 = fuser.reshape %3 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %5 = fuser.broadcast %c dims [0] : tensor<12xf32> -> tensor<1x12xf32>
  %6 = fuser.add %4, %5 : (tensor<?x12xf32>, tensor<1x12xf32>) -> tensor<?x12xf32>
  fuser.return %6 : tensor<?x12xf32>
}

// A repeat is a product too.
fuser.fusion @repeat_part(%x: tensor<?x4xf32>, %y: tensor<?x12xf32>) -> tensor<?x12xf32> {
  %0 = fuser.exp %x : tensor<?x4xf32>
  %1 = fuser.repeat %0 [1, 3] : tensor<?x4xf32> -> tensor<?x12xf32>
  %2 = fuser.add %1, %y : tensor<?x12xf32>
  fuser.return %2 : tensor<?x12xf32>
}

// Of one bit.
fuser.fusion @bools(%x: tensor<?x12xf32>) -> tensor<?x3xi1> {
  %c = arith.constant 0.5 : f32
  %0 = fuser.gt %x, %c : (tensor<?x12xf32>, f32) -> tensor<?x12xi1>
  %1 = fuser.reshape %0 : tensor<?x12xi1> -> tensor<?x3x4xi1>
  %2 = fuser.any %1 dims [2] : tensor<?x3x4xi1> -> tensor<?x3xi1>
  fuser.return %2 : tensor<?x3xi1>
}

// Three dynamic sizes are merged after a reduction.
fuser.fusion @deep(%x: tensor<?x?x?x?xf32>) -> tensor<?x1xf32> {
  %0 = fuser.exp %x : tensor<?x?x?x?xf32>
  %c0 = arith.constant 0 : index
  %1 = fuser.sum %0 dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %2 = fuser.reshape %1 : tensor<?x?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  fuser.return %3 : tensor<?x1xf32>
}

// Parts of two splits of one dimension are reduced.
fuser.fusion @two_reduced(%x: tensor<?x12xf32>) -> (tensor<?x3xf32>, tensor<?x4xf32>) {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %2 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x4x3xf32>
  %3 = fuser.sum %1 dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  %4 = fuser.sum %2 dims [2] : tensor<?x4x3xf32> -> tensor<?x4xf32>
  fuser.return %3, %4 : tensor<?x3xf32>, tensor<?x4xf32>
}

// Both parts are reduced, one after the other.
fuser.fusion @outer_and_inner(%x: tensor<?x12xf32>) -> (tensor<?x3xf32>, tensor<?x4xf32>) {
  %1 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %3 = fuser.sum %1 dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  %4 = fuser.sum %1 dims [1] : tensor<?x3x4xf32> -> tensor<?x4xf32>
  fuser.return %3, %4 : tensor<?x3xf32>, tensor<?x4xf32>
}
