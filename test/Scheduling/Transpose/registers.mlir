// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=transpose target=h200" | FileCheck %s
// A thread transposes in its registers where one side is all of at most 8 elements, the fastest of the tensors of this side:
// a vector for each of them along the other side, whose elements are next to these in the order of this side.

// Pixel shuffle: two results of a pixel are adjacent.
// CHECK-LABEL: fuser.kernel @shuffle
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>
fuser.kernel @shuffle(%x: tensor<16x64x2x2x128x128xbf16>) -> tensor<16x64x128x2x128x2xbf16> {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<16x64x2x2x128x128xbf16> -> tensor<16x64x128x2x128x2xbf16>
  fuser.return %0 : tensor<16x64x128x2x128x2xbf16>
}

// Three of them: several vectors over both sides.
// CHECK-LABEL: fuser.kernel @shuffle_by_3
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 3, vector_in = 4, vector_out = 4, in_registers = true>
fuser.kernel @shuffle_by_3(%x: tensor<16x64x3x3x60x60xf32>) -> tensor<16x64x60x3x60x3xf32> {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<16x64x3x3x60x60xf32> -> tensor<16x64x60x3x60x3xf32>
  fuser.return %0 : tensor<16x64x60x3x60x3xf32>
}

// The inverse: the arguments have the short side.
// CHECK-LABEL: fuser.kernel @unshuffle
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 2, tile_out = 8, vector_in = 16, vector_out = 8, in_registers = true>
fuser.kernel @unshuffle(%x: tensor<16x64x128x2x128x2xi8>) -> tensor<16x64x2x2x128x128xi8> {
  %0 = fuser.permute %x [0, 1, 3, 5, 2, 4] : tensor<16x64x128x2x128x2xi8> -> tensor<16x64x2x2x128x128xi8>
  fuser.return %0 : tensor<16x64x2x2x128x128xi8>
}

// Both dimensions of a channels-last pixel are the short side.
// CHECK-LABEL: fuser.kernel @channels_last
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 8, vector_out = 2, in_registers = true>
fuser.kernel @channels_last(%x: tensor<16x128x128x64x2x2xbf16>) -> tensor<16x128x2x128x2x64xbf16> {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<16x128x128x64x2x2xbf16> -> tensor<16x128x2x128x2x64xbf16>
  fuser.return %0 : tensor<16x128x2x128x2x64xbf16>
}

// Rows and columns of images are one long side.
// CHECK-LABEL: fuser.kernel @colors
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 3, tile_out = 16, vector_in = 16, vector_out = 16, in_registers = true>
fuser.kernel @colors(%x: tensor<64x512x512x3xi8>) -> tensor<64x3x512x512xi8> {
  %0 = fuser.permute %x [0, 3, 1, 2] : tensor<64x512x512x3xi8> -> tensor<64x3x512x512xi8>
  fuser.return %0 : tensor<64x3x512x512xi8>
}

// Rows of odd length have no vectors: several elements of a thread, of adjacent blocks.
// CHECK-LABEL: fuser.kernel @odd
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_out = 2, in_registers = true>
fuser.kernel @odd(%x: tensor<16x64x2x2x33x33xbf16>) -> tensor<16x64x33x2x33x2xbf16> {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<16x64x2x2x33x33xbf16> -> tensor<16x64x33x2x33x2xbf16>
  fuser.return %0 : tensor<16x64x33x2x33x2xbf16>
}

// The width is not known: it is guarded to be divisible.
// CHECK-LABEL: fuser.kernel @dynamic
// CHECK-SAME: #fuser.fact<divisible 0[5], 4>
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>
fuser.kernel @dynamic(%x: tensor<?x?x2x2x?x?xbf16>) -> tensor<?x?x?x2x?x2xbf16> {
  %0 = fuser.permute %x [0, 1, 4, 2, 5, 3] : tensor<?x?x2x2x?x?xbf16> -> tensor<?x?x?x2x?x2xbf16>
  fuser.return %0 : tensor<?x?x?x2x?x2xbf16>
}

// Several dimensions are one short side, in another order than on the other side.
// CHECK-LABEL: fuser.kernel @two_by_four
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = 256, tile_in = 2, tile_out = 8, vector_in = 2, vector_out = 8, in_registers = true>
fuser.kernel @two_by_four(%x: tensor<64x2x4x4096xbf16>) -> tensor<64x4096x4x2xbf16> {
  %0 = fuser.permute %x [0, 3, 2, 1] : tensor<64x2x4x4096xbf16> -> tensor<64x4096x4x2xbf16>
  fuser.return %0 : tensor<64x4096x4x2xbf16>
}

// Not where the short side is longer than 8, or where the vectors of long rows have less than 4 bytes.
// CHECK-LABEL: fuser.kernel @sixteen
// CHECK-NOT: in_registers
fuser.kernel @sixteen(%x: tensor<64x16x4096xbf16>) -> tensor<64x4096x16xbf16> {
  %0 = fuser.permute %x [0, 2, 1] : tensor<64x16x4096xbf16> -> tensor<64x4096x16xbf16>
  fuser.return %0 : tensor<64x4096x16xbf16>
}
// CHECK-LABEL: fuser.kernel @odd_long
// CHECK-NOT: in_registers
fuser.kernel @odd_long(%x: tensor<64x4x5001xbf16>) -> tensor<64x5001x4xbf16> {
  %0 = fuser.permute %x [0, 2, 1] : tensor<64x4x5001xbf16> -> tensor<64x5001x4xbf16>
  fuser.return %0 : tensor<64x5001x4xbf16>
}

// An argument that lacks the short side is read in the vectors of the long one: they are as wide as its address is known to allow.
// CHECK-LABEL: fuser.kernel @known_alignment
// CHECK-NOT: #fuser.fact<aligned 1, 8>
// CHECK-SAME: schedule = #fuser_sched.transpose<threads = {{[0-9]+}}, tile_in = 5, tile_out = 2, vector_in = 2, vector_out = 2, in_registers = true>
fuser.kernel @known_alignment(%x: tensor<67580x5xf16>, %y: tensor<67580xf16>) -> tensor<67580x5xf16> attributes {facts = [#fuser.fact<aligned 1, 4>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.broadcast %y dims [1] : tensor<67580xf16> -> tensor<67580x1xf16>
  %1 = fuser.add %x, %0 : (tensor<67580x5xf16>, tensor<67580x1xf16>) -> tensor<67580x5xf16>
  fuser.return %1 : tensor<67580x5xf16>
}
