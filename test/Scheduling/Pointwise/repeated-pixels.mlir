// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Pixels that are repeated along rows and columns: vectors over rows of repeated pixels, of which two elements are one pixel.

// CHECK-LABEL: fuser.kernel @repeated
// CHECK-SAME: #fuser.fact<aligned 0, 8>
// CHECK-SAME: schedule = #fuser_sched.pointwise<threads = 16, vector = 8, rows = 8, inner_dims = 2, merge_grid = true>
fuser.kernel @repeated(%x: tensor<16x64x64xbf16>) -> tensor<16x64x2x64x2xbf16> {
  %0 = fuser.broadcast %x dims [2, 4] : tensor<16x64x64xbf16> -> tensor<16x64x1x64x1xbf16>
  %1 = fuser.expand %0 : tensor<16x64x1x64x1xbf16> -> tensor<16x64x2x64x2xbf16>
  %2 = fuser.relu %1 : tensor<16x64x2x64x2xbf16>
  fuser.return %2 : tensor<16x64x2x64x2xbf16>
}

// Of unknown sizes, too: a row of repeated pixels is a multiple of a vector.
// CHECK-LABEL: fuser.kernel @dynamic
// CHECK-SAME: #fuser.fact<divisible 0[2], 4>
// CHECK-SAME: vector = 8, rows = 8, inner_dims = 2
fuser.kernel @dynamic(%x: tensor<?x?x?xbf16>) -> tensor<?x?x2x?x2xbf16> attributes {fuser_sched.sizes = [array<i64: 16, 64, 64>]} {
  %0 = fuser.broadcast %x dims [2, 4] : tensor<?x?x?xbf16> -> tensor<?x?x1x?x1xbf16>
  %1 = fuser.expand %0 : tensor<?x?x1x?x1xbf16> -> tensor<?x?x2x?x2xbf16>
  %2 = fuser.relu %1 : tensor<?x?x2x?x2xbf16>
  fuser.return %2 : tensor<?x?x2x?x2xbf16>
}
