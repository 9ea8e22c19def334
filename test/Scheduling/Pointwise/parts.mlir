// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Parts of rows that are joined in another order: a thread has the elements at the distance of the parts, of a row that
// is loaded once for both.

// The halves of 128 elements: 8 threads with two vectors of 8, 64 elements apart. Angles are shared by the first
// dimension, but each thread has two vectors of work already.
// CHECK-LABEL: fuser.kernel @halves
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 8, unroll = 2, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @halves(%q: tensor<8x4096x32x128xbf16>, %cos: tensor<4096x1x128xbf16>) -> tensor<8x4096x32x128xbf16> {
  %low = fuser.slice %q [0, 0, 0, 0] [8, 4096, 32, 64] : tensor<8x4096x32x128xbf16> -> tensor<8x4096x32x64xbf16>
  %high = fuser.slice %q [0, 0, 0, 64] [8, 4096, 32, 64] : tensor<8x4096x32x128xbf16> -> tensor<8x4096x32x64xbf16>
  %minus = fuser.neg %high : tensor<8x4096x32x64xbf16>
  %turned = fuser.cat %minus, %low dim 3 : (tensor<8x4096x32x64xbf16>, tensor<8x4096x32x64xbf16>) -> tensor<8x4096x32x128xbf16>
  %c = fuser.broadcast %cos dims [0] : tensor<4096x1x128xbf16> -> tensor<1x4096x1x128xbf16>
  %a = fuser.mul %q, %c : (tensor<8x4096x32x128xbf16>, tensor<1x4096x1x128xbf16>) -> tensor<8x4096x32x128xbf16>
  %0 = fuser.add %a, %turned : tensor<8x4096x32x128xbf16>
  fuser.return %0 : tensor<8x4096x32x128xbf16>
}

// Quarters: the distance is 32 elements, of which a row has four.
// CHECK-LABEL: fuser.kernel @quarters
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 8, vector = 4, unroll = 4, rows = 16, inner_dims = 1, merge_grid = true>
fuser.kernel @quarters(%q: tensor<100000x128xf32>) -> tensor<100000x128xf32> {
  %low = fuser.slice %q [0, 0] [100000, 32] : tensor<100000x128xf32> -> tensor<100000x32xf32>
  %high = fuser.slice %q [0, 32] [100000, 96] : tensor<100000x128xf32> -> tensor<100000x96xf32>
  %turned = fuser.cat %high, %low dim 1 : (tensor<100000x96xf32>, tensor<100000x32xf32>) -> tensor<100000x128xf32>
  %0 = fuser.add %q, %turned : tensor<100000x128xf32>
  fuser.return %0 : tensor<100000x128xf32>
}

// Parts of long rows: no block has both.
// CHECK-LABEL: fuser.kernel @long
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 4, inner_dims = 1>
fuser.kernel @long(%q: tensor<1000x8192xf32>) -> tensor<1000x8192xf32> {
  %low = fuser.slice %q [0, 0] [1000, 4096] : tensor<1000x8192xf32> -> tensor<1000x4096xf32>
  %high = fuser.slice %q [0, 4096] [1000, 4096] : tensor<1000x8192xf32> -> tensor<1000x4096xf32>
  %turned = fuser.cat %high, %low dim 1 : (tensor<1000x4096xf32>, tensor<1000x4096xf32>) -> tensor<1000x8192xf32>
  %0 = fuser.add %q, %turned : tensor<1000x8192xf32>
  fuser.return %0 : tensor<1000x8192xf32>
}

// A distance of which a row is no multiple.
// CHECK-LABEL: fuser.kernel @uneven
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 32, vector = 4, rows = 4, inner_dims = 1, merge_grid = true>
fuser.kernel @uneven(%q: tensor<100000x128xf32>) -> tensor<100000x128xf32> {
  %low = fuser.slice %q [0, 0] [100000, 80] : tensor<100000x128xf32> -> tensor<100000x80xf32>
  %high = fuser.slice %q [0, 80] [100000, 48] : tensor<100000x128xf32> -> tensor<100000x48xf32>
  %turned = fuser.cat %high, %low dim 1 : (tensor<100000x48xf32>, tensor<100000x80xf32>) -> tensor<100000x128xf32>
  %0 = fuser.add %q, %turned : tensor<100000x128xf32>
  fuser.return %0 : tensor<100000x128xf32>
}

// Two values next to each other: a thread has an element of one of them.
// CHECK-LABEL: fuser.kernel @joined
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 32, vector = 4, rows = 4, inner_dims = 1, merge_grid = true>
fuser.kernel @joined(%a: tensor<100000x64xf32>, %b: tensor<100000x64xf32>) -> tensor<100000x128xf32> {
  %x = fuser.neg %a : tensor<100000x64xf32>
  %y = fuser.neg %b : tensor<100000x64xf32>
  %0 = fuser.cat %x, %y dim 1 : (tensor<100000x64xf32>, tensor<100000x64xf32>) -> tensor<100000x128xf32>
  fuser.return %0 : tensor<100000x128xf32>
}

// Rows of three elements: one thread has a row, whose parts are known to it.
// CHECK-LABEL: fuser.kernel @short_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 1, unroll = 3, rows = 128, inner_dims = 1, merge_grid = true>
fuser.kernel @short_rows(%last: tensor<1000000x2xf32>, %first: tensor<1000000x1xf32>, %y: tensor<1000000x3xf32>) -> tensor<1000000x3xf32> {
  %turned = fuser.cat %last, %first dim 1 : (tensor<1000000x2xf32>, tensor<1000000x1xf32>) -> tensor<1000000x3xf32>
  %0 = fuser.mul %turned, %y : tensor<1000000x3xf32>
  fuser.return %0 : tensor<1000000x3xf32>
}

// Few of them need more threads than rows.
// CHECK-LABEL: fuser.kernel @few_short_rows
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 4, rows = 32, inner_dims = 1, merge_grid = true>
fuser.kernel @few_short_rows(%last: tensor<10000x2xf32>, %first: tensor<10000x1xf32>, %y: tensor<10000x3xf32>) -> tensor<10000x3xf32> {
  %turned = fuser.cat %last, %first dim 1 : (tensor<10000x2xf32>, tensor<10000x1xf32>) -> tensor<10000x3xf32>
  %0 = fuser.mul %turned, %y : tensor<10000x3xf32>
  fuser.return %0 : tensor<10000x3xf32>
}

// Halves that are rotated by cosines and sines of six sections each: the sections have no elements at a distance, and so many
// tensors are read in narrower vectors.
// CHECK-LABEL: fuser.kernel @sections
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 4, unroll = 2, rows = 8, inner_dims = 1, merge_grid = true>
fuser.kernel @sections(%q: tensor<4x16x2048x128xbf16>, %c0: tensor<4x2048x16xbf16>, %c1: tensor<4x2048x24xbf16>, %c2: tensor<4x2048x24xbf16>, %c3: tensor<4x2048x16xbf16>, %c4: tensor<4x2048x24xbf16>, %c5: tensor<4x2048x24xbf16>,
    %s0: tensor<4x2048x16xbf16>, %s1: tensor<4x2048x24xbf16>, %s2: tensor<4x2048x24xbf16>, %s3: tensor<4x2048x16xbf16>, %s4: tensor<4x2048x24xbf16>, %s5: tensor<4x2048x24xbf16>) -> tensor<4x16x2048x128xbf16> {
  %cos = fuser.cat %c0, %c1, %c2, %c3, %c4, %c5 dim 2 : (tensor<4x2048x16xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x16xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x24xbf16>) -> tensor<4x2048x128xbf16>
  %sin = fuser.cat %s0, %s1, %s2, %s3, %s4, %s5 dim 2 : (tensor<4x2048x16xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x16xbf16>, tensor<4x2048x24xbf16>, tensor<4x2048x24xbf16>) -> tensor<4x2048x128xbf16>
  %c = fuser.broadcast %cos dims [1] : tensor<4x2048x128xbf16> -> tensor<4x1x2048x128xbf16>
  %s = fuser.broadcast %sin dims [1] : tensor<4x2048x128xbf16> -> tensor<4x1x2048x128xbf16>
  %low = fuser.slice %q [0, 0, 0, 0] [4, 16, 2048, 64] : tensor<4x16x2048x128xbf16> -> tensor<4x16x2048x64xbf16>
  %high = fuser.slice %q [0, 0, 0, 64] [4, 16, 2048, 64] : tensor<4x16x2048x128xbf16> -> tensor<4x16x2048x64xbf16>
  %minus = fuser.neg %high : tensor<4x16x2048x64xbf16>
  %turned = fuser.cat %minus, %low dim 3 : (tensor<4x16x2048x64xbf16>, tensor<4x16x2048x64xbf16>) -> tensor<4x16x2048x128xbf16>
  %a = fuser.mul %q, %c : (tensor<4x16x2048x128xbf16>, tensor<4x1x2048x128xbf16>) -> tensor<4x16x2048x128xbf16>
  %b = fuser.mul %turned, %s : (tensor<4x16x2048x128xbf16>, tensor<4x1x2048x128xbf16>) -> tensor<4x16x2048x128xbf16>
  %0 = fuser.add %a, %b : tensor<4x16x2048x128xbf16>
  fuser.return %0 : tensor<4x16x2048x128xbf16>
}
