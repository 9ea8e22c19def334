// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="target=h200" | FileCheck %s
// A thread has the same place of several planes where what these share, loads and computed values, costs more than the rest.

// Values of channels: a thread has all of them for several pixels, and a block whole rows of channels.
// CHECK: pointwise<threads = 18, vector = 8, rows = 7, inner_dims = 1, merge_grid = true, outer_dims = 3, repeats = 4>
fuser.kernel @norm_of_channels(%x: tensor<64x56x56x144xbf16>, %mean: tensor<144xf32>, %variance: tensor<144xf32>, %w: tensor<144xf32>, %b: tensor<144xf32>) -> tensor<64x56x56x144xbf16> {
  %0 = fuser.cast %x : tensor<64x56x56x144xbf16> to tensor<64x56x56x144xf32>
  %1 = fuser.broadcast %mean dims [0, 1, 2] : tensor<144xf32> -> tensor<1x1x1x144xf32>
  %2 = fuser.sub %0, %1 : (tensor<64x56x56x144xf32>, tensor<1x1x1x144xf32>) -> tensor<64x56x56x144xf32>
  %3 = fuser.sqrt %variance : (tensor<144xf32>) -> tensor<144xf32>
  %4 = fuser.reciprocal %3 : (tensor<144xf32>) -> tensor<144xf32>
  %5 = fuser.broadcast %4 dims [0, 1, 2] : tensor<144xf32> -> tensor<1x1x1x144xf32>
  %6 = fuser.mul %2, %5 : (tensor<64x56x56x144xf32>, tensor<1x1x1x144xf32>) -> tensor<64x56x56x144xf32>
  %7 = fuser.broadcast %w dims [0, 1, 2] : tensor<144xf32> -> tensor<1x1x1x144xf32>
  %8 = fuser.mul %6, %7 : (tensor<64x56x56x144xf32>, tensor<1x1x1x144xf32>) -> tensor<64x56x56x144xf32>
  %9 = fuser.broadcast %b dims [0, 1, 2] : tensor<144xf32> -> tensor<1x1x1x144xf32>
  %10 = fuser.add %8, %9 : (tensor<64x56x56x144xf32>, tensor<1x1x1x144xf32>) -> tensor<64x56x56x144xf32>
  %11 = fuser.cast %10 : tensor<64x56x56x144xf32> to tensor<64x56x56x144xbf16>
  fuser.return %11 : tensor<64x56x56x144xbf16>
}

// -----

// Too few pixels for several of each thread: strips of channels, as without sharing.
// CHECK-LABEL: @few_pixels
// CHECK-SAME: pointwise<threads = 8, vector = 8, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @few_pixels(%x: tensor<1x16x16x256xbf16>, %mean: tensor<256xf32>, %variance: tensor<256xf32>) -> tensor<1x16x16x256xbf16> {
  %0 = fuser.cast %x : tensor<1x16x16x256xbf16> to tensor<1x16x16x256xf32>
  %1 = fuser.broadcast %mean dims [0, 1, 2] : tensor<256xf32> -> tensor<1x1x1x256xf32>
  %2 = fuser.sub %0, %1 : (tensor<1x16x16x256xf32>, tensor<1x1x1x256xf32>) -> tensor<1x16x16x256xf32>
  %3 = fuser.rsqrt %variance : (tensor<256xf32>) -> tensor<256xf32>
  %4 = fuser.broadcast %3 dims [0, 1, 2] : tensor<256xf32> -> tensor<1x1x1x256xf32>
  %5 = fuser.mul %2, %4 : (tensor<1x16x16x256xf32>, tensor<1x1x1x256xf32>) -> tensor<1x16x16x256xf32>
  %6 = fuser.cast %5 : tensor<1x16x16x256xf32> to tensor<1x16x16x256xbf16>
  fuser.return %6 : tensor<1x16x16x256xbf16>
}

// -----

// A bias is few bytes.
// CHECK-LABEL: @bias
// CHECK-NOT: outer_dims
// CHECK: fuser.return
fuser.kernel @bias(%x: tensor<16384x4096xbf16>, %b: tensor<4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = fuser.broadcast %b dims [0] : tensor<4096xbf16> -> tensor<1x4096xbf16>
  %1 = fuser.add %x, %0 : (tensor<16384x4096xbf16>, tensor<1x4096xbf16>) -> tensor<16384x4096xbf16>
  fuser.return %1 : tensor<16384x4096xbf16>
}

// -----

// Computed indices are those of all images; lanes load elements one by one, so that vectors are short.
// CHECK-LABEL: @nearest
// CHECK-SAME: pointwise<vector = 2, inner_dims = 1, outer_dims = 2, repeats = 4>
fuser.kernel @nearest(%x: tensor<64x64x4096xf32>) -> tensor<64x64x10000xf32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2.44140625 : f64
  %3 = fuser.iota %0, %1 : i64, i64 -> tensor<10000xi64>
  %4 = fuser.cast %3 : tensor<10000xi64> to tensor<10000xf32>
  %11 = arith.constant 5.000000e-01 : f64
  %12 = fuser.add %4, %11 : (tensor<10000xf32>, f64) -> tensor<10000xf32>
  %13 = fuser.div %12, %2 : (tensor<10000xf32>, f64) -> tensor<10000xf32>
  %5 = fuser.sub %13, %11 : (tensor<10000xf32>, f64) -> tensor<10000xf32>
  %6 = fuser.floor %5 : (tensor<10000xf32>) -> tensor<10000xf32>
  %7 = fuser.cast %6 : tensor<10000xf32> to tensor<10000xi64>
  %9 = arith.constant 4095 : i64
  %14 = fuser.minimum %7, %9 : (tensor<10000xi64>, i64) -> tensor<10000xi64>
  %15 = fuser.lt %14, %0 : (tensor<10000xi64>, i64) -> tensor<10000xi1>
  %16 = fuser.where %15, %0, %14 : (tensor<10000xi1>, i64, tensor<10000xi64>) -> tensor<10000xi64>
  %10 = fuser.maximum %16, %0 : (tensor<10000xi64>, i64) -> tensor<10000xi64>
  %8 = fuser.index_select %x, %10 dim 2 : tensor<64x64x4096xf32>, tensor<10000xi64> -> tensor<64x64x10000xf32>
  fuser.return %8 : tensor<64x64x10000xf32>
}

// -----

// Indices in memory: elements of one row.
// CHECK-LABEL: @columns
// CHECK-SAME: pointwise<vector = 2, unroll = 4, inner_dims = 1>
fuser.kernel @columns(%x: tensor<20000x3000xbf16>, %i: tensor<1000xi64>) -> tensor<20000x1000xbf16> {
  %0 = fuser.index_select %x, %i dim 1 : tensor<20000x3000xbf16>, tensor<1000xi64> -> tensor<20000x1000xbf16>
  fuser.return %0 : tensor<20000x1000xbf16>
}
