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

// Elements of rows of odd length are looked up on their own: of at most 16 adjacent bytes, twice.
// CHECK-LABEL: fuser.kernel @pairs_of_odd_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, unroll = 2>
fuser.kernel @pairs_of_odd_rows(%a: tensor<16384x1xf32>, %b: tensor<1x8191xf32>) -> tensor<16384x8191xi1> {
  %0 = fuser.lt %a, %b : (tensor<16384x1xf32>, tensor<1x8191xf32>) -> tensor<16384x8191xi1>
  fuser.return %0 : tensor<16384x8191xi1>
}
