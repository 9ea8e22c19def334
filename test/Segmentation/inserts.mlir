// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-segment-fusions | FileCheck %s
// S2.9: insertions fuse where a pattern is known: into a fill (padding), or element by element with what computes both
// operands. Another one stays unfused, and a remark says so and why.

// CHECK-LABEL: fuser.kernel @reduced_0
// CHECK: fuser.sum
// CHECK-LABEL: fuser.kernel @reduced_1
// CHECK: fuser.insert_slice
// CHECK: fuser.relu
fuser.fusion @reduced(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %o: index) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  // expected-remark @below {{stays unfused, and what it inserts is stored first: no scheduler takes both}}
  %1 = fuser.insert_slice %0 into %y [%o] : tensor<?xf32> into tensor<?xf32>
  %2 = fuser.relu %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// -----

// No remark where it is padding.
// CHECK-LABEL: fuser.kernel @padded
// CHECK: fuser.relu
// CHECK: fuser.insert_slice
// CHECK-LABEL: fuser.host @padded
fuser.fusion @padded(%x: tensor<6xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.relu %x : tensor<6xf32>
  %f = fuser.full %z : f32 -> tensor<10xf32>
  %1 = fuser.insert_slice %0 into %f [2] : tensor<6xf32> into tensor<10xf32>
  fuser.return %1 : tensor<10xf32>
}

// -----

// Parts of an unknown number of rows are read inside of the kernel, which then knows that what it inserts has one row
// less than the destination: views would have sizes of their own.
// CHECK-LABEL: fuser.kernel @unknown_rows_0(
// CHECK-SAME: %[[A:.*]]: tensor<?x64xf32>, %[[B:.*]]: tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-DAG: fuser.slice %[[A]] [1, 0]
// CHECK-DAG: fuser.slice %[[B]] [0, 0]
// CHECK: fuser.insert_slice
// CHECK: fuser.host @unknown_rows
fuser.fusion @unknown_rows(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {facts = [#fuser.fact<equal 1[0], 0[0]>]} {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %m = arith.addi %c-1, %n : index
  %0 = fuser.slice %a [1, 0] [%m, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %1 = fuser.slice %b [0, 0] [%m, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %2 = fuser.sub %0, %1 : tensor<?x64xf32>
  %3 = fuser.set %b : tensor<?x64xf32>
  %4 = fuser.insert_slice %2 into %3 [0, 0] : tensor<?x64xf32> into tensor<?x64xf32>
  %5 = fuser.relu %4 : tensor<?x64xf32>
  fuser.return %5 : tensor<?x64xf32>
}
