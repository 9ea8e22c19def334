// Pixels that are looked up at indices which are data: large blocks, whose threads find sectors in the L1 cache that others have read.
// RUN: fuser-opt %s --fuser-choose-schedules='target=h200' | FileCheck %s

// CHECK-LABEL: fuser.kernel @sampled
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 1024, unroll = 4, inner_dims = 1>
fuser.kernel @sampled(%x: tensor<1024x16384xf32>, %g: tensor<1024x16384xf32>) -> tensor<1024x16384xf32> {
  %0 = fuser.cast %g : tensor<1024x16384xf32> to tensor<1024x16384xi64>
  %1 = fuser.take_along_axis %x, %0 dim 1 : tensor<1024x16384xf32>, tensor<1024x16384xi64> -> tensor<1024x16384xf32>
  fuser.return %1 : tensor<1024x16384xf32>
}

// Indices that follow from places are mostly adjacent: vectors.
// CHECK-LABEL: fuser.kernel @placed
// CHECK-SAME: vector = 4
fuser.kernel @placed(%x: tensor<1024x16384xf32>) -> tensor<1024x16384xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c9 = arith.constant 9 : i64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<16384xi64>
  %1 = fuser.maximum %0, %c9 : (tensor<16384xi64>, i64) -> tensor<16384xi64>
  %2 = fuser.index_select %x, %1 dim 1 : tensor<1024x16384xf32>, tensor<16384xi64> -> tensor<1024x16384xf32>
  %3 = fuser.add %2, %x : tensor<1024x16384xf32>
  fuser.return %3 : tensor<1024x16384xf32>
}

// Rows of fewer elements than such a block.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-NOT: threads = 1024
// CHECK: fuser.take_along_axis
fuser.kernel @short_rows(%x: tensor<16384x1024xf32>, %i: tensor<16384x1024xi64>) -> tensor<16384x1024xf32> {
  %0 = fuser.take_along_axis %x, %i dim 1 : tensor<16384x1024xf32>, tensor<16384x1024xi64> -> tensor<16384x1024xf32>
  fuser.return %0 : tensor<16384x1024xf32>
}
