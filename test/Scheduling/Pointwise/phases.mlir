// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules 2>/dev/null | FileCheck %s
// Phases of upsampled pixels: a vector has those of several pixels, although it reads pixels at an offset.

// CHECK-LABEL: fuser.kernel @phases
// CHECK-SAME: vector = 8, rows = {{[0-9]+}}, inner_dims = 2
fuser.kernel @phases(%x: tensor<64x128xbf16>) -> tensor<64x128x2xbf16> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 0] [64, 127] : tensor<64x128xbf16> -> tensor<64x127xbf16>
  %1 = fuser.pad %0 low [0, 1] high [0, 0] value %z : tensor<64x127xbf16>, f32 -> tensor<64x128xbf16>
  %2 = fuser.broadcast %1 dims [2] : tensor<64x128xbf16> -> tensor<64x128x1xbf16>
  %3 = fuser.broadcast %x dims [2] : tensor<64x128xbf16> -> tensor<64x128x1xbf16>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %4 = fuser.iota %c0, %c1 : i64, i64 -> tensor<2xi32>
  %5 = fuser.eq %4, %c0 : (tensor<2xi32>, i64) -> tensor<2xi1>
  %6 = fuser.broadcast %5 dims [0, 1] : tensor<2xi1> -> tensor<1x1x2xi1>
  %7 = fuser.where %6, %2, %3 : (tensor<1x1x2xi1>, tensor<64x128x1xbf16>, tensor<64x128x1xbf16>) -> tensor<64x128x2xbf16>
  fuser.return %7 : tensor<64x128x2xbf16>
}

// Not if a vector has parts of the phases: each of its elements would need a division.
// CHECK-LABEL: fuser.kernel @odd_phases
// CHECK-SAME: inner_dims = 1
fuser.kernel @odd_phases(%x: tensor<64x128xbf16>) -> tensor<64x128x3xbf16> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 0] [64, 127] : tensor<64x128xbf16> -> tensor<64x127xbf16>
  %1 = fuser.pad %0 low [0, 1] high [0, 0] value %z : tensor<64x127xbf16>, f32 -> tensor<64x128xbf16>
  %2 = fuser.broadcast %1 dims [2] : tensor<64x128xbf16> -> tensor<64x128x1xbf16>
  %3 = fuser.broadcast %x dims [2] : tensor<64x128xbf16> -> tensor<64x128x1xbf16>
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %4 = fuser.iota %c0, %c1 : i64, i64 -> tensor<3xi32>
  %5 = fuser.eq %4, %c0 : (tensor<3xi32>, i64) -> tensor<3xi1>
  %6 = fuser.broadcast %5 dims [0, 1] : tensor<3xi1> -> tensor<1x1x3xi1>
  %7 = fuser.where %6, %2, %3 : (tensor<1x1x3xi1>, tensor<64x128x1xbf16>, tensor<64x128x1xbf16>) -> tensor<64x128x3xbf16>
  fuser.return %7 : tensor<64x128x3xbf16>
}
