// RUN: fuser-opt %s --fuser-narrow-boundaries > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-narrow-boundaries{max-ops=1}))' | FileCheck %s --check-prefix=ONE
// RUN: fuser-opt %t.after.mlir --fuser-narrow-boundaries | diff %t.after.mlir -
// RUN: fuser-run %s --program=cast --device=reference --sizes=6x5 --scalar 1=1.5 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=cast --device=reference --sizes=6x5 --scalar 1=1.5 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: fuser-run %s --program=cast --device=host --sizes=6x5 --scalar 1=1.5 --check
// RUN: fuser-run %t.after.mlir --program=cast --device=host --sizes=6x5 --scalar 1=1.5 --check
// RUN: fuser-run %s --program=expanded --device=reference --sizes=6x5,6x7 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=expanded --device=reference --sizes=6x5,6x7 --save-output=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// A boundary moves to where fewer bytes cross it; what is cheap is computed behind it, and again before it for other users.

// CHECK-LABEL: fuser.fusion @cast
// CHECK: %[[Y:.*]] = fuser.exp %{{.*}} : tensor<?x5xbf16>
// CHECK-NEXT: %[[F:.*]] = fuser.cast %[[Y]] : tensor<?x5xbf16> to tensor<?x5xf32>
// CHECK-NEXT: %[[M:.*]] = fuser.mul %[[F]], %[[S:.*]] : (tensor<?x5xf32>, f32) -> tensor<?x5xf32>
// CHECK-NEXT: %[[N:.*]] = fuser.neg %[[M]]
// CHECK-NEXT: %[[B:.*]] = fuser.segment_set %[[Y]] : tensor<?x5xbf16>
// CHECK-NEXT: %[[F2:.*]] = fuser.cast %[[B]] : tensor<?x5xbf16> to tensor<?x5xf32>
// CHECK-NEXT: %[[M2:.*]] = fuser.mul %[[F2]], %[[S]] : (tensor<?x5xf32>, f32) -> tensor<?x5xf32>
// CHECK-NEXT: %[[T:.*]] = fuser.tanh %[[M2]]
// CHECK-NEXT: fuser.return %[[N]], %[[T]]
// ONE-LABEL: fuser.fusion @cast
// ONE: fuser.segment_set %{{.*}} : tensor<?x5xf32>
fuser.fusion @cast(%x: tensor<?x5xbf16>, %s: f32) -> (tensor<?x5xf32>, tensor<?x5xf32>) {
  %0 = fuser.exp %x : tensor<?x5xbf16>
  %1 = fuser.cast %0 : tensor<?x5xbf16> to tensor<?x5xf32>
  %2 = fuser.mul %1, %s : (tensor<?x5xf32>, f32) -> tensor<?x5xf32>
  %3 = fuser.neg %2 : tensor<?x5xf32>
  %4 = fuser.segment_set %2 : tensor<?x5xf32>
  %5 = fuser.tanh %4 : tensor<?x5xf32>
  fuser.return %3, %5 : tensor<?x5xf32>, tensor<?x5xf32>
}

// What is broadcast after the sum need not be stored; nobody else uses it.
// CHECK-LABEL: fuser.fusion @expanded
// CHECK: %[[S:.*]] = fuser.sum
// CHECK-NEXT: %[[W:.*]] = fuser.broadcast %[[S]] dims [1] : tensor<?xf32> -> tensor<?x1xf32>
// CHECK-NEXT: %[[B:.*]] = fuser.segment_set %[[W]] : tensor<?x1xf32>
// CHECK-NEXT: %[[E:.*]] = fuser.expand %[[B]] : tensor<?x1xf32> -> tensor<?x7xf32>
// CHECK-NEXT: fuser.add %[[E]]
fuser.fusion @expanded(%x: tensor<?x5xf32>, %y: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x5xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.expand %1 : tensor<?x1xf32> -> tensor<?x7xf32>
  %3 = fuser.segment_set %2 : tensor<?x7xf32>
  %4 = fuser.add %3, %y : tensor<?x7xf32>
  fuser.return %4 : tensor<?x7xf32>
}

// Does not move a boundary past a slice or a reshape, of which nobody knows that more goes in.
// CHECK-LABEL: fuser.fusion @shapes
// CHECK: %[[S:.*]] = fuser.slice
// CHECK: fuser.segment_set %[[S]]
// CHECK: %[[R:.*]] = fuser.reshape
// CHECK: fuser.segment_set %[[R]]
fuser.fusion @shapes(%x: tensor<100xf32>, %n: index, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
  %0 = fuser.exp %x : tensor<100xf32>
  %1 = fuser.slice %0 [0] [%n] : tensor<100xf32> -> tensor<?xf32>
  %2 = fuser.segment_set %1 : tensor<?xf32>
  %3 = fuser.exp %y : tensor<?xf32>
  %4 = fuser.reshape %3 : tensor<?xf32> -> tensor<?x4xf32>
  %5 = fuser.segment_set %4 : tensor<?x4xf32>
  fuser.return %2, %5 : tensor<?xf32>, tensor<?x4xf32>
}

// Does not move a boundary past what is dear, to a larger or equal tensor, past an op of two tensors, or to an argument.
// CHECK-LABEL: fuser.fusion @stays
// CHECK: %[[E:.*]] = fuser.exp
// CHECK: fuser.segment_set %[[E]]
// CHECK: %[[N:.*]] = fuser.cast %{{.*}} to tensor<?xbf16>
// CHECK: fuser.segment_set %[[N]]
// CHECK: %[[A:.*]] = fuser.add
// CHECK: fuser.segment_set %[[A]]
// CHECK: %[[C:.*]] = fuser.cast
// CHECK: fuser.segment_set %[[C]]
fuser.fusion @stays(%x: tensor<?xbf16>, %y: tensor<?xf32>, %z: tensor<?xbf16>)
    -> (tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.neg %x : tensor<?xbf16>
  %1 = fuser.cast %0 : tensor<?xbf16> to tensor<?xf32>
  %2 = fuser.exp %1 : tensor<?xf32>
  %3 = fuser.segment_set %2 : tensor<?xf32>
  %4 = fuser.neg %y : tensor<?xf32>
  %5 = fuser.cast %4 : tensor<?xf32> to tensor<?xbf16>
  %6 = fuser.segment_set %5 : tensor<?xbf16>
  %7 = fuser.add %1, %4 : tensor<?xf32>
  %8 = fuser.segment_set %7 : tensor<?xf32>
  %9 = fuser.cast %z : tensor<?xbf16> to tensor<?xf32>
  %10 = fuser.segment_set %9 : tensor<?xf32>
  fuser.return %3, %6, %8, %10 : tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf32>
}
