// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" | FileCheck %s
// Pixels that are repeated along rows and columns: vectors over all dimensions, of which two elements are one pixel.

// CHECK-LABEL: fuser.kernel @repeated
// CHECK-SAME: schedule = #fuser_sched.pointwise<vector = 8>
fuser.kernel @repeated(%x: tensor<16x64x64xbf16>) -> tensor<16x64x2x64x2xbf16> {
  %0 = fuser.broadcast %x dims [2, 4] : tensor<16x64x64xbf16> -> tensor<16x64x1x64x1xbf16>
  %1 = fuser.expand %0 : tensor<16x64x1x64x1xbf16> -> tensor<16x64x2x64x2xbf16>
  %2 = fuser.relu %1 : tensor<16x64x2x64x2xbf16>
  fuser.return %2 : tensor<16x64x2x64x2xbf16>
}

// Of unknown sizes, each lane would divide by several of them.
// CHECK-LABEL: fuser.kernel @dynamic
// CHECK-NOT: vector = 8
// CHECK: fuser.return
fuser.kernel @dynamic(%x: tensor<?x?x?xbf16>) -> tensor<?x?x2x?x2xbf16> attributes {fuser_sched.sizes = [array<i64: 16, 64, 64>]} {
  %0 = fuser.broadcast %x dims [2, 4] : tensor<?x?x?xbf16> -> tensor<?x?x1x?x1xbf16>
  %1 = fuser.expand %0 : tensor<?x?x1x?x1xbf16> -> tensor<?x?x2x?x2xbf16>
  %2 = fuser.relu %1 : tensor<?x?x2x?x2xbf16>
  fuser.return %2 : tensor<?x?x2x?x2xbf16>
}
