// The value of an integer is a hint for the sizes that are computed from it, in the fusion and in its kernels.
// RUN: fuser-opt %s --fuser-segment-fusions="sizes=9;;4" --fuser-choose-schedules | FileCheck %s --check-prefix=ODD
// RUN: fuser-opt %s --fuser-segment-fusions="sizes=16;3;4" --fuser-choose-schedules | FileCheck %s --check-prefix=EVEN
// RUN: not fuser-opt %s --fuser-segment-fusions="sizes=many;;4" 2>&1 | FileCheck %s --check-prefix=ERROR

// ODD: fuser.kernel @f_0(%n: i64, %s: i64,
// ODD-SAME: fuser_sched.sizes = [array<i64: 9>, unit, array<i64: 4>]
// ODD-SAME: #fuser_sched.pointwise<threads = 9,
// EVEN: fuser.kernel @f_0(%n: i64, %s: i64,
// EVEN-SAME: fuser_sched.sizes = [array<i64: 16>, array<i64: 3>, array<i64: 4>]
// EVEN-SAME: #fuser_sched.pointwise<threads = 16,
// ERROR: expected an integer or '?' for argument 0, but got 'many'
fuser.fusion @f(%n: i64, %s: i64, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %size = arith.index_cast %n : i64 to index
  %0 = fuser.iota %zero, %one length(%size) : f32, f32 -> tensor<?xf32>
  %1 = fuser.mul %0, %s : (tensor<?xf32>, i64) -> tensor<?xf32>
  %2 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %4 = fuser.add %2, %3 : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}
