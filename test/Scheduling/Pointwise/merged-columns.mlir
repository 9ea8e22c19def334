// Several dimensions as columns, which the output has next to each other. Lanes look up elements of inputs that lack some of them.
// RUN: fuser-opt %s --fuser-choose-schedules='target=h200' | FileCheck %s
// RUN: fuser-opt %s --fuser-choose-schedules='target=h200' --fuser-apply-schedules --fuser-verify-schedules -o /dev/null

// A weight of each channel, and an image that is flipped: pixels and channels are columns of 8 elements, not channels alone.
// CHECK-LABEL: fuser.kernel @flipped_pixels
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 84, vector = 8, rows = 3, inner_dims = 2, merge_grid = true>
fuser.kernel @flipped_pixels(%x: tensor<512x224x224x3xi8>, %w: tensor<3xf32>) -> tensor<512x224x224x3xbf16> {
  %c223 = arith.constant 223 : i64
  %c-1 = arith.constant -1 : i64
  %0 = fuser.iota %c223, %c-1 : i64, i64 -> tensor<224xi64>
  %1 = fuser.index_select %x, %0 dim 2 : tensor<512x224x224x3xi8>, tensor<224xi64> -> tensor<512x224x224x3xi8>
  %2 = fuser.cast %1 : tensor<512x224x224x3xi8> to tensor<512x224x224x3xf32>
  %3 = fuser.broadcast %w dims [0, 1, 2] : tensor<3xf32> -> tensor<1x1x1x3xf32>
  %4 = fuser.mul %2, %3 : (tensor<512x224x224x3xf32>, tensor<1x1x1x3xf32>) -> tensor<512x224x224x3xf32>
  %5 = fuser.cast %4 : tensor<512x224x224x3xf32> to tensor<512x224x224x3xbf16>
  fuser.return %5 : tensor<512x224x224x3xbf16>
}

// Two coordinates of each pixel from a matrix of each image: vectors are whole accesses.
// CHECK-LABEL: fuser.kernel @coordinates
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 112, vector = 4, rows = 2, inner_dims = 2, merge_grid = true>
fuser.kernel @coordinates(%m: tensor<512x2x3xf32>) -> tensor<512x224x224x2xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<224xi32>
  %1 = fuser.cast %0 : tensor<224xi32> to tensor<224xf32>
  %2 = fuser.broadcast %1 dims [0, 1, 3] : tensor<224xf32> -> tensor<1x1x224x1xf32>
  %3 = fuser.slice %m [0, 0, 1] [512, 2, 1] : tensor<512x2x3xf32> -> tensor<512x2x1xf32>
  %4 = fuser.squeeze %3 dims [2] : tensor<512x2x1xf32> -> tensor<512x2xf32>
  %5 = fuser.broadcast %4 dims [1, 2] : tensor<512x2xf32> -> tensor<512x1x1x2xf32>
  %6 = fuser.mul %2, %5 : (tensor<1x1x224x1xf32>, tensor<512x1x1x2xf32>) -> tensor<512x1x224x2xf32>
  %7 = fuser.expand %6 : tensor<512x1x224x2xf32> -> tensor<512x224x224x2xf32>
  fuser.return %7 : tensor<512x224x224x2xf32>
}

// The lanes of a vector would be four lines of the L1 cache apart from those of the next thread.
// CHECK-LABEL: fuser.kernel @flipped_floats
// CHECK-SAME: inner_dims = 1
fuser.kernel @flipped_floats(%x: tensor<512x224x224x3xf32>, %w: tensor<3xf32>) -> tensor<512x224x224x3xf32> {
  %c223 = arith.constant 223 : i64
  %c-1 = arith.constant -1 : i64
  %0 = fuser.iota %c223, %c-1 : i64, i64 -> tensor<224xi64>
  %1 = fuser.index_select %x, %0 dim 2 : tensor<512x224x224x3xf32>, tensor<224xi64> -> tensor<512x224x224x3xf32>
  %2 = fuser.broadcast %w dims [0, 1, 2] : tensor<3xf32> -> tensor<1x1x1x3xf32>
  %3 = fuser.mul %1, %2 : (tensor<512x224x224x3xf32>, tensor<1x1x1x3xf32>) -> tensor<512x224x224x3xf32>
  fuser.return %3 : tensor<512x224x224x3xf32>
}

// Not if the input that lacks a dimension has a quarter of all elements, which no cache holds.
// CHECK-LABEL: fuser.kernel @large_input
// CHECK-NOT: vector = 4
// CHECK: fuser.mul
fuser.kernel @large_input(%x: tensor<512x4x301x3xf32>, %y: tensor<512x1x301x3xf32>) -> tensor<512x4x301x3xf32> {
  %0 = fuser.mul %x, %y : (tensor<512x4x301x3xf32>, tensor<512x1x301x3xf32>) -> tensor<512x4x301x3xf32>
  fuser.return %0 : tensor<512x4x301x3xf32>
}

// CHECK-LABEL: fuser.kernel @small_input
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = {{[0-9]+}}, vector = 4, {{.*}}inner_dims = 3
fuser.kernel @small_input(%x: tensor<512x44x301x3xf32>, %y: tensor<512x1x301x3xf32>) -> tensor<512x44x301x3xf32> {
  %0 = fuser.mul %x, %y : (tensor<512x44x301x3xf32>, tensor<512x1x301x3xf32>) -> tensor<512x44x301x3xf32>
  fuser.return %0 : tensor<512x44x301x3xf32>
}

// Not if columns are padded: each lane would have a guard.
// CHECK-LABEL: fuser.kernel @padded_pixels
// CHECK-NOT: vector = 8
// CHECK: fuser.pad
fuser.kernel @padded_pixels(%x: tensor<512x64x62x3xi8>, %w: tensor<512x1x1x3xf32>) -> tensor<512x64x64x3xbf16> {
  %c0 = arith.constant 0 : i64
  %0 = fuser.pad %x low [0, 0, 1, 0] high [0, 0, 1, 0] value %c0 : tensor<512x64x62x3xi8>, i64 -> tensor<512x64x64x3xi8>
  %1 = fuser.cast %0 : tensor<512x64x64x3xi8> to tensor<512x64x64x3xf32>
  %2 = fuser.mul %1, %w : (tensor<512x64x64x3xf32>, tensor<512x1x1x3xf32>) -> tensor<512x64x64x3xf32>
  %3 = fuser.cast %2 : tensor<512x64x64x3xf32> to tensor<512x64x64x3xbf16>
  fuser.return %3 : tensor<512x64x64x3xbf16>
}

// Not if the number of pixels is not known: lanes would divide by it.
// CHECK-LABEL: fuser.kernel @unknown_pixels
// CHECK-NOT: vector = 8
// CHECK: fuser.iota
fuser.kernel @unknown_pixels(%x: tensor<512x224x?x3xi8>, %w: tensor<3xf32>, %n: index) -> tensor<512x224x?x3xbf16> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<224xi64>
  %1 = fuser.index_select %x, %0 dim 1 : tensor<512x224x?x3xi8>, tensor<224xi64> -> tensor<512x224x?x3xi8>
  %2 = fuser.cast %1 : tensor<512x224x?x3xi8> to tensor<512x224x?x3xf32>
  %3 = fuser.broadcast %w dims [0, 1, 2] : tensor<3xf32> -> tensor<1x1x1x3xf32>
  %4 = fuser.mul %2, %3 : (tensor<512x224x?x3xf32>, tensor<1x1x1x3xf32>) -> tensor<512x224x?x3xf32>
  %5 = fuser.cast %4 : tensor<512x224x?x3xf32> to tensor<512x224x?x3xbf16>
  fuser.return %5 : tensor<512x224x?x3xbf16>
}

// Vectors of merged columns read an argument that has the fastest of them as one access: it is aligned to it by a fact.
// CHECK-LABEL: fuser.kernel @equal_labels
// CHECK-SAME: #fuser.fact<aligned 1, 16>
// CHECK-SAME: schedule = #fuser_sched.pointwise<{{.*}}vector = 16, {{.*}}inner_dims = 2
fuser.kernel @equal_labels(%a: tensor<32x2048x1xi16>, %b: tensor<32x1x2040xi16>) -> tensor<32x2048x2040xi1> {
  %0 = fuser.eq %a, %b : (tensor<32x2048x1xi16>, tensor<32x1x2040xi16>) -> tensor<32x2048x2040xi1>
  fuser.return %0 : tensor<32x2048x2040xi1>
}

// An argument that begins at any element, as a part of another one: no vector is wider than its alignment.
// CHECK-LABEL: fuser.kernel @unaligned_labels
// CHECK-SAME: schedule = #fuser_sched.pointwise<unroll = 8, inner_dims = 1, merge_grid = true>
fuser.kernel @unaligned_labels(%a: tensor<32x2048x1xi16>, %b: tensor<32x1x2048xi16>) -> tensor<32x2048x2048xi1> attributes {facts = [#fuser.fact<aligned 1, 2>]} {
  %0 = fuser.eq %a, %b : (tensor<32x2048x1xi16>, tensor<32x1x2048xi16>) -> tensor<32x2048x2048xi1>
  fuser.return %0 : tensor<32x2048x2048xi1>
}
