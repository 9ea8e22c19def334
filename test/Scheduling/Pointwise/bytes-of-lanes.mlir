// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Vectors of narrow results next to wider operands that lack rows: a thread reads at most 32 adjacent bytes of these, since
// an access of a warp is of as many lines of the L1 cache as a thread has adjacent 16 bytes more (getMostBytesOfLanes).

// CHECK-LABEL: fuser.kernel @pairs_of_i64
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, unroll = 2,
fuser.kernel @pairs_of_i64(%a: tensor<16384x1xi64>, %b: tensor<1x8192xi64>) -> tensor<16384x8192xi1> {
  %0 = fuser.eq %a, %b : (tensor<16384x1xi64>, tensor<1x8192xi64>) -> tensor<16384x8192xi1>
  fuser.return %0 : tensor<16384x8192xi1>
}

// -----

// CHECK-LABEL: fuser.kernel @pairs_of_f32
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, unroll = 2,
fuser.kernel @pairs_of_f32(%a: tensor<16384x1xf32>, %b: tensor<1x8192xf32>) -> tensor<16384x8192xi1> {
  %0 = fuser.lt %a, %b : (tensor<16384x1xf32>, tensor<1x8192xf32>) -> tensor<16384x8192xi1>
  fuser.return %0 : tensor<16384x8192xi1>
}

// -----

// A bf16 vector of 16 has 32 bytes.
// CHECK-LABEL: fuser.kernel @pairs_of_bf16
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 16, unroll = 2,
fuser.kernel @pairs_of_bf16(%a: tensor<16384x1xbf16>, %b: tensor<1x8192xbf16>) -> tensor<16384x8192xi1> {
  %0 = fuser.lt %a, %b : (tensor<16384x1xbf16>, tensor<1x8192xbf16>) -> tensor<16384x8192xi1>
  fuser.return %0 : tensor<16384x8192xi1>
}

// -----

// Elements of rows of odd length are looked up on their own: of as many adjacent bytes as the L1 cache serves while memory
// transfers the result (chooseLanes).
// CHECK-LABEL: fuser.kernel @pairs_of_odd_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, unroll = 8>
fuser.kernel @pairs_of_odd_rows(%a: tensor<16384x1xf32>, %b: tensor<1x8191xf32>) -> tensor<16384x8191xi1> {
  %0 = fuser.lt %a, %b : (tensor<16384x1xf32>, tensor<1x8191xf32>) -> tensor<16384x8191xi1>
  fuser.return %0 : tensor<16384x8191xi1>
}

// -----

// Of four arguments of columns, two of them f32.
// CHECK-LABEL: fuser.kernel @scaled_odd_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 2, unroll = 4, ragged = true>
fuser.kernel @scaled_odd_rows(%x: tensor<57345x449xbf16>, %mean: tensor<1x449xf32>, %rstd: tensor<1x449xf32>, %w: tensor<1x449xbf16>, %b: tensor<1x449xbf16>) -> tensor<57345x449xbf16> {
  %0 = fuser.mul %x, %w : (tensor<57345x449xbf16>, tensor<1x449xbf16>) -> tensor<57345x449xbf16>
  %1 = fuser.add %0, %b : (tensor<57345x449xbf16>, tensor<1x449xbf16>) -> tensor<57345x449xbf16>
  %2 = fuser.cast %1 : tensor<57345x449xbf16> to tensor<57345x449xf32>
  %3 = fuser.sub %2, %mean : (tensor<57345x449xf32>, tensor<1x449xf32>) -> tensor<57345x449xf32>
  %4 = fuser.mul %3, %rstd : (tensor<57345x449xf32>, tensor<1x449xf32>) -> tensor<57345x449xf32>
  %5 = fuser.cast %4 : tensor<57345x449xf32> to tensor<57345x449xbf16>
  fuser.return %5 : tensor<57345x449xbf16>
}

// -----

// All lanes of a warp read one line of a few columns.
// CHECK-LABEL: fuser.kernel @scaled_short_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @scaled_short_rows(%x: tensor<4000000x5xbf16>, %mean: tensor<1x5xf32>, %rstd: tensor<1x5xf32>) -> tensor<4000000x5xbf16> {
  %0 = fuser.cast %x : tensor<4000000x5xbf16> to tensor<4000000x5xf32>
  %1 = fuser.sub %0, %mean : (tensor<4000000x5xf32>, tensor<1x5xf32>) -> tensor<4000000x5xf32>
  %2 = fuser.mul %1, %rstd : (tensor<4000000x5xf32>, tensor<1x5xf32>) -> tensor<4000000x5xf32>
  %3 = fuser.cast %2 : tensor<4000000x5xf32> to tensor<4000000x5xbf16>
  fuser.return %3 : tensor<4000000x5xbf16>
}

// -----

// One argument of bf16 columns.
// CHECK-LABEL: fuser.kernel @one_of_columns
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8, ragged = true>
fuser.kernel @one_of_columns(%x: tensor<57345x449xbf16>, %w: tensor<1x449xbf16>) -> tensor<57345x449xbf16> {
  %0 = fuser.mul %x, %w : (tensor<57345x449xbf16>, tensor<1x449xbf16>) -> tensor<57345x449xbf16>
  fuser.return %0 : tensor<57345x449xbf16>
}
