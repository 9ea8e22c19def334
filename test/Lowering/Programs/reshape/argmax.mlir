// RUN: fuser-run %s --device=host --check --program=parts --sizes=5x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=parts --sizes=1x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=parts --sizes=0x12 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=whole --sizes=5x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=whole --sizes=0x3x4 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=5x7 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=1x1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=300x700 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=0x3 | FileCheck %s --check-prefix=ONE
// The place of an extreme after a reshape.

// ONE: kernels {{ *}}[[NAME:[a-z_]+]]_0:
// ONE-NOT: [[NAME]]_1:
// ONE: check {{.*}}output 0: ok
// ONE-NOT: WRONG

// Of each part.
fuser.fusion @parts(%x: tensor<?x12xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.reshape %0 : tensor<?x12xf32> -> tensor<?x3x4xf32>
  %i = fuser.iota %zero, %one : i64, i64 -> tensor<4xi64>
  %row = fuser.broadcast %i dims [0, 1] : tensor<4xi64> -> tensor<1x1x4xi64>
  %z = arith.constant 0 : index
  %m = tensor.dim %x, %z : tensor<?x12xf32>
  %all = fuser.expand %row sizes(%m) : tensor<1x1x4xi64> -> tensor<?x3x4xi64>
  %max, %where = fuser.max_with_index %1, %all dims [2] : tensor<?x3x4xf32>, tensor<?x3x4xi64> -> tensor<?x3xf32>, tensor<?x3xi64>
  fuser.return %max, %where : tensor<?x3xf32>, tensor<?x3xi64>
}

// Of the whole: the index is that of the merged dimension.
fuser.fusion @whole(%x: tensor<?x3x4xf32>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = fuser.neg %x : tensor<?x3x4xf32>
  %1 = fuser.reshape %0 : tensor<?x3x4xf32> -> tensor<?x12xf32>
  %i = fuser.iota %zero, %one : i64, i64 -> tensor<12xi64>
  %row = fuser.broadcast %i dims [0] : tensor<12xi64> -> tensor<1x12xi64>
  %z = arith.constant 0 : index
  %m = tensor.dim %x, %z : tensor<?x3x4xf32>
  %all = fuser.expand %row sizes(%m) : tensor<1x12xi64> -> tensor<?x12xi64>
  %max, %where = fuser.max_with_index %1, %all dims [1] : tensor<?x12xf32>, tensor<?x12xi64> -> tensor<?xf32>, tensor<?xi64>
  fuser.return %where : tensor<?xi64>
}

// Of all elements, of dynamic sizes.
fuser.fusion @dynamic(%x: tensor<?x?xf32>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = arith.muli %a, %b : index
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  %i = fuser.iota %zero, %one length(%n) : i64, i64 -> tensor<?xi64>
  %max, %where = fuser.max_with_index %1, %i dims [0] : tensor<?xf32>, tensor<?xi64> -> tensor<f32>, tensor<i64>
  fuser.return %where : tensor<i64>
}
