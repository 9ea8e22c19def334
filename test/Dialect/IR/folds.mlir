// RUN: fuser-opt %s --canonicalize | FileCheck %s
// What folds, and what does not: nothing inexact, nothing scheduled.

// CHECK-LABEL: fuser.fusion @identities
fuser.fusion @identities(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK-NEXT: fuser.return %x
  %0 = fuser.set %x : tensor<?x4xf32>
  %1 = fuser.cast %0 : tensor<?x4xf32> to tensor<?x4xf32>
  %2 = fuser.permute %1 [0, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  %3 = fuser.reshape %2 : tensor<?x4xf32> -> tensor<?x4xf32>
  %4 = fuser.broadcast %3 dims [] : tensor<?x4xf32> -> tensor<?x4xf32>
  %5 = fuser.squeeze %4 dims [] : tensor<?x4xf32> -> tensor<?x4xf32>
  %6 = fuser.expand %5 : tensor<?x4xf32> -> tensor<?x4xf32>
  %7 = fuser.repeat %6 [1, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  fuser.return %7 : tensor<?x4xf32>
}

// CHECK-LABEL: fuser.fusion @permute_of_permute
fuser.fusion @permute_of_permute(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = fuser.permute %x [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  // CHECK-NEXT: fuser.return %[[P]], %x
  %0 = fuser.permute %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = fuser.permute %0 [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  %2 = fuser.permute %1 [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  fuser.return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: fuser.fusion @neutral_scalars
fuser.fusion @neutral_scalars(%x: tensor<?xbf16>, %i: tensor<?xi32>) -> (tensor<?xbf16>, tensor<?xi32>) {
  // CHECK-NEXT: fuser.return %x, %i
  %one = arith.constant 1.0 : f32
  %mzero = arith.constant -0.0 : f32
  %ione = arith.constant 1 : i64
  %izero = arith.constant 0 : i64
  %0 = fuser.mul %x, %one : (tensor<?xbf16>, f32) -> tensor<?xbf16>
  %1 = fuser.add %mzero, %0 : (f32, tensor<?xbf16>) -> tensor<?xbf16>
  %2 = fuser.mul %1, %ione : (tensor<?xbf16>, i64) -> tensor<?xbf16>
  %3 = fuser.mul %ione, %i : (i64, tensor<?xi32>) -> tensor<?xi32>
  %4 = fuser.add %3, %izero : (tensor<?xi32>, i64) -> tensor<?xi32>
  fuser.return %2, %4 : tensor<?xbf16>, tensor<?xi32>
}

// x + 0 is 0 where x is -0, and the i64 0 is added as 0.0; on bool, add is `or`.
// CHECK-LABEL: fuser.fusion @not_exact
fuser.fusion @not_exact(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi1>) {
  // CHECK: fuser.add %x
  // CHECK: fuser.add
  // CHECK: fuser.cast
  // CHECK: fuser.add
  %zero = arith.constant 0.0 : f32
  %izero = arith.constant 0 : i64
  %true = arith.constant true
  %0 = fuser.add %x, %zero : (tensor<?xf32>, f32) -> tensor<?xf32>
  %1 = fuser.add %0, %izero : (tensor<?xf32>, i64) -> tensor<?xf32>
  %2 = fuser.cast %1 : tensor<?xf32> to tensor<?xi1>
  %3 = fuser.add %2, %true : (tensor<?xi1>, i1) -> tensor<?xi1>
  fuser.return %0, %1, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xi1>
}

// A reshape with one dynamic dimension and equal types moves nothing; an op that says more about the shape stays.
// CHECK-LABEL: fuser.fusion @types
fuser.fusion @types(%x: tensor<?x4xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: fuser.expand %x
  %1 = fuser.reshape %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.expand %1 : tensor<?x4xf32> -> tensor<2x4xf32>
  fuser.return %2 : tensor<2x4xf32>
}

// CHECK-LABEL: fuser.fusion @scheduled
fuser.fusion @scheduled(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %one = arith.constant 1.0 : f32
  // CHECK: fuser.set %x {memory = #fuser.memory<shared>}
  %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?x4xf32>
  // CHECK: fuser.cast %{{.*}} {inline_at = 1 : i64}
  %1 = fuser.cast %0 {inline_at = 1 : i64} : tensor<?x4xf32> to tensor<?x4xf32>
  // CHECK: fuser.permute %{{.*}} [0, 1] {memory
  %2 = fuser.permute %1 [0, 1] {memory = #fuser.memory<register>} : tensor<?x4xf32> -> tensor<?x4xf32>
  // CHECK: fuser.mul %{{.*}}, %{{.*}} {domains
  %3 = fuser.mul %2, %one {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>]}
      : (tensor<?x4xf32>, f32) -> tensor<?x4xf32>
  // CHECK: fuser.segment_set
  %4 = fuser.segment_set %3 : tensor<?x4xf32>
  fuser.return %4 : tensor<?x4xf32>
}

// A permute does not look through a scheduled one.
// CHECK-LABEL: fuser.fusion @permute_of_scheduled
fuser.fusion @permute_of_scheduled(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: fuser.permute %x [1, 0] {memory
  // CHECK: fuser.permute %{{.*}} [1, 0]
  %0 = fuser.permute %x [1, 0] {memory = #fuser.memory<shared>} : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = fuser.permute %0 [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  fuser.return %1 : tensor<2x3xf32>
}
