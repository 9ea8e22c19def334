// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Lanes that read the same element of an operand, or every n-th element, do not narrow the vectors of the others.

// Angles of pairs, for several heads: 8 bf16 elements of a row of 128, of 4 angles. The argument whose slices are read is aligned
// as vectors of all of its elements are.
// CHECK-LABEL: fuser.kernel @angles
// CHECK-SAME: #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 8, rows = 8, inner_dims = 2, merge_grid = true>
fuser.kernel @angles(%x: tensor<?x?x16x128xbf16>, %c: tensor<?x1x64xf32>) -> tensor<?x?x16x64x2xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x16x128xbf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x16x128xbf16>
  %e = fuser.slice %x [0, 0, 0, 0] [%b, %s, 16, 64] strides [1, 1, 1, 2] : tensor<?x?x16x128xbf16> -> tensor<?x?x16x64xbf16>
  %o = fuser.slice %x [0, 0, 0, 1] [%b, %s, 16, 64] strides [1, 1, 1, 2] : tensor<?x?x16x128xbf16> -> tensor<?x?x16x64xbf16>
  %ef = fuser.cast %e : tensor<?x?x16x64xbf16> to tensor<?x?x16x64xf32>
  %of = fuser.cast %o : tensor<?x?x16x64xbf16> to tensor<?x?x16x64xf32>
  %cb = fuser.broadcast %c dims [0] : tensor<?x1x64xf32> -> tensor<1x?x1x64xf32>
  %ec = fuser.mul %ef, %cb : (tensor<?x?x16x64xf32>, tensor<1x?x1x64xf32>) -> tensor<?x?x16x64xf32>
  %oc = fuser.mul %of, %cb : (tensor<?x?x16x64xf32>, tensor<1x?x1x64xf32>) -> tensor<?x?x16x64xf32>
  %e1 = fuser.broadcast %ec dims [4] : tensor<?x?x16x64xf32> -> tensor<?x?x16x64x1xf32>
  %o1 = fuser.broadcast %oc dims [4] : tensor<?x?x16x64xf32> -> tensor<?x?x16x64x1xf32>
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %i = fuser.iota %k0, %k1 : i64, i64 -> tensor<2xi64>
  %ib = fuser.broadcast %i dims [0, 1, 2, 3] : tensor<2xi64> -> tensor<1x1x1x1x2xi64>
  %is = fuser.eq %ib, %k0 : (tensor<1x1x1x1x2xi64>, i64) -> tensor<1x1x1x1x2xi1>
  %r = fuser.where %is, %e1, %o1 : (tensor<1x1x1x1x2xi1>, tensor<?x?x16x64x1xf32>, tensor<?x?x16x64x1xf32>) -> tensor<?x?x16x64x2xf32>
  %0 = fuser.cast %r : tensor<?x?x16x64x2xf32> to tensor<?x?x16x64x2xbf16>
  fuser.return %0 : tensor<?x?x16x64x2xbf16>
}

// Columns of rows of two.
// CHECK-LABEL: fuser.kernel @columns
// CHECK-SAME: #fuser.fact<aligned 0, 16>
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4>
fuser.kernel @columns(%x: tensor<1000000x2xf32>) -> tensor<1000000x2xf32> {
  %a = fuser.slice %x [0, 0] [1000000, 1] : tensor<1000000x2xf32> -> tensor<1000000x1xf32>
  %b = fuser.slice %x [0, 1] [1000000, 1] : tensor<1000000x2xf32> -> tensor<1000000x1xf32>
  %n = fuser.neg %b : tensor<1000000x1xf32>
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %i = fuser.iota %k0, %k1 : i64, i64 -> tensor<2xi64>
  %ib = fuser.broadcast %i dims [0] : tensor<2xi64> -> tensor<1x2xi64>
  %is = fuser.eq %ib, %k0 : (tensor<1x2xi64>, i64) -> tensor<1x2xi1>
  %as = fuser.squeeze %a dims [1] : tensor<1000000x1xf32> -> tensor<1000000xf32>
  %ns = fuser.squeeze %n dims [1] : tensor<1000000x1xf32> -> tensor<1000000xf32>
  %ab = fuser.broadcast %as dims [1] : tensor<1000000xf32> -> tensor<1000000x1xf32>
  %nb = fuser.broadcast %ns dims [1] : tensor<1000000xf32> -> tensor<1000000x1xf32>
  %0 = fuser.where %is, %nb, %ab : (tensor<1x2xi1>, tensor<1000000x1xf32>, tensor<1000000x1xf32>) -> tensor<1000000x2xf32>
  fuser.return %0 : tensor<1000000x2xf32>
}

// A value of each row of 16 elements is read by more lanes than share a load: the fastest dimension alone has vectors.
// CHECK-LABEL: fuser.kernel @long_rows
// CHECK-SAME: inner_dims = 1
fuser.kernel @long_rows(%x: tensor<?x?x64x16xf32>, %c: tensor<?x1x64xf32>) -> tensor<?x?x64x16xf32> {
  %cb = fuser.broadcast %c dims [0, 4] : tensor<?x1x64xf32> -> tensor<1x?x1x64x1xf32>
  %cs = fuser.squeeze %cb dims [2] : tensor<1x?x1x64x1xf32> -> tensor<1x?x64x1xf32>
  %0 = fuser.mul %x, %cs : (tensor<?x?x64x16xf32>, tensor<1x?x64x1xf32>) -> tensor<?x?x64x16xf32>
  fuser.return %0 : tensor<?x?x64x16xf32>
}
