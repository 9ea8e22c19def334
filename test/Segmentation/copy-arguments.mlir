// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions=target=h200 | FileCheck %s
// An argument in another order than row-major is copied where that is predicted to take less time.

// A kernel reads columns at two offsets along the rows of the output, which no transposition does. What follows the order
// of the argument does not follow it any more.
// CHECK-LABEL: fuser.kernel @shifted_0
// CHECK-SAME: attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]}
// CHECK-NEXT: %[[COPY:.*]] = fuser.segment_set %x
// CHECK-NEXT: fuser.return %[[COPY]]
// CHECK-LABEL: fuser.kernel @shifted_1
// CHECK-SAME: arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>
// CHECK: fuser.add
fuser.fusion @shifted(%x: tensor<8192x8192xi64>) -> tensor<8192x8192xi64> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.slice %x [0, 1] [8192, 8191] {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">]} : tensor<8192x8192xi64> -> tensor<8192x8191xi64>
  %1 = fuser.slice %x [0, 0] [8192, 1] : tensor<8192x8192xi64> -> tensor<8192x1xi64>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<8192x8191xi64>, tensor<8192x1xi64>) -> tensor<8192x8192xi64>
  %3 = fuser.add %x, %2 : tensor<8192x8192xi64>
  fuser.return %3 : tensor<8192x8192xi64>
}

// -----

// All tensors are in one order.
// CHECK-LABEL: fuser.kernel @same_0
// CHECK-NOT: segment_set
// CHECK: fuser.host @same
fuser.fusion @same(%x: tensor<8192x8192xi64>) -> tensor<8192x8192xi64> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.slice %x [0, 1] [8192, 8191] : tensor<8192x8192xi64> -> tensor<8192x8191xi64>
  %1 = fuser.slice %x [0, 0] [8192, 1] : tensor<8192x8192xi64> -> tensor<8192x1xi64>
  %2 = fuser.cat %0, %1 dim 1 : (tensor<8192x8191xi64>, tensor<8192x1xi64>) -> tensor<8192x8192xi64>
  %3 = fuser.add %x, %2 : tensor<8192x8192xi64>
  fuser.return %3 : tensor<8192x8192xi64>
}

// -----

// A tile of the kernel that reads the argument transposes it.
// CHECK-LABEL: fuser.kernel @one_tile_0
// CHECK-NOT: segment_set
// CHECK: fuser.host @one_tile
fuser.fusion @one_tile(%x: tensor<8192x8192xf32>, %y: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.add %x, %y : tensor<8192x8192xf32>
  fuser.return %0 : tensor<8192x8192xf32>
}

// -----

// An argument that an output is stored in.
// CHECK-LABEL: fuser.kernel @overwritten_0
// CHECK-NOT: segment_set
// CHECK: fuser.host @overwritten
fuser.fusion @overwritten(%x: tensor<8192x8192xi64>, %i: tensor<8192x1xi64>) -> (tensor<8192x8192xi64>, tensor<8192x8192xi64>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], output_orders = [array<i64: 0, 1>, unit], aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.slice %x [0, 1] [8192, 8191] : tensor<8192x8192xi64> -> tensor<8192x8191xi64>
  %2 = fuser.cat %0, %i dim 1 : (tensor<8192x8191xi64>, tensor<8192x1xi64>) -> tensor<8192x8192xi64>
  %3 = fuser.add %x, %2 : tensor<8192x8192xi64>
  %4 = fuser.neg %x : tensor<8192x8192xi64>
  fuser.return %3, %4 : tensor<8192x8192xi64>, tensor<8192x8192xi64>
}

// -----

// Every second row and column, as a window of a pooling reads them.
// CHECK-LABEL: fuser.kernel @every_second_0
// CHECK: fuser.segment_set %x
// CHECK-LABEL: fuser.kernel @every_second_1
// CHECK: fuser.maximum
fuser.fusion @every_second(%x: tensor<64x64x112x112xbf16>) -> tensor<64x64x56x56xbf16> attributes {arg_layouts = [#fuser.layout<order = [3, 2, 1, 0]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.slice %x [0, 0, 0, 0] [64, 64, 56, 56] strides [1, 1, 2, 2] : tensor<64x64x112x112xbf16> -> tensor<64x64x56x56xbf16>
  %1 = fuser.slice %x [0, 0, 1, 1] [64, 64, 56, 56] strides [1, 1, 2, 2] : tensor<64x64x112x112xbf16> -> tensor<64x64x56x56xbf16>
  %2 = fuser.maximum %0, %1 : tensor<64x64x56x56xbf16>
  fuser.return %2 : tensor<64x64x56x56xbf16>
}

// -----

// A reduction that would write across the rows of its output.
// CHECK-LABEL: fuser.kernel @greatest_0
// CHECK: fuser.segment_set %x
// CHECK-LABEL: fuser.kernel @greatest_1
// CHECK: fuser.max
fuser.fusion @greatest(%x: tensor<16384x8192xbf16>) -> tensor<16384x2048xbf16> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.reshape %x : tensor<16384x8192xbf16> -> tensor<16384x2048x4xbf16>
  %1 = fuser.max %0 dims [2] : tensor<16384x2048x4xbf16> -> tensor<16384x2048xbf16>
  fuser.return %1 : tensor<16384x2048xbf16>
}

// -----

// Only the order of the scales, which are read again for each element of a key, differs from that of the others. No tensor
// is in row-major order.
// CHECK-LABEL: fuser.kernel @scales_0
// CHECK-SAME: (%{{.*}}: tensor<64x8x4096xf32>)
// CHECK: fuser.segment_set
// CHECK-LABEL: fuser.kernel @scales_1
fuser.fusion @scales(%x: tensor<64x8x4096x128xbf16>, %s: tensor<64x8x4096xf32>) -> tensor<64x8x4096x128xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1, 3, 2]>, #fuser.layout<order = [0, 2, 1]>], output_orders = [array<i64: 0, 1, 3, 2>]} {
  %0 = fuser.cast %x : tensor<64x8x4096x128xbf16> to tensor<64x8x4096x128xf32>
  %1 = fuser.broadcast %s dims [3] : tensor<64x8x4096xf32> -> tensor<64x8x4096x1xf32>
  %2 = fuser.mul %0, %1 : (tensor<64x8x4096x128xf32>, tensor<64x8x4096x1xf32>) -> tensor<64x8x4096x128xf32>
  fuser.return %2 : tensor<64x8x4096x128xf32>
}

// -----

// A kernel for each part of a concatenation transposes it to its place.
// CHECK-LABEL: fuser.kernel @joined_0
// CHECK-LABEL: fuser.kernel @joined_1
// CHECK-NOT: fuser.kernel
// CHECK: fuser.host @joined
// CHECK: fuser.place
// CHECK: fuser.place
fuser.fusion @joined(%x: tensor<8192x4096xbf16>, %y: tensor<8192x4096xbf16>) -> tensor<8192x8192xbf16> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.cat %x, %y dim 1 : (tensor<8192x4096xbf16>, tensor<8192x4096xbf16>) -> tensor<8192x8192xbf16>
  fuser.return %0 : tensor<8192x8192xbf16>
}

// -----

// Parts that follow the order of the argument are stored in that of the join: one copy, which all of them read.
// CHECK-LABEL: fuser.kernel @rolled_0
// CHECK: fuser.segment_set %x
// CHECK: fuser.host @rolled
fuser.fusion @rolled(%x: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.slice %x [8092, 0] [100, 8192] {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">]} : tensor<8192x8192xbf16> -> tensor<100x8192xbf16>
  %1 = fuser.neg %0 {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">]} : tensor<100x8192xbf16>
  %2 = fuser.slice %x [0, 7992] [8092, 200] : tensor<8192x8192xbf16> -> tensor<8092x200xbf16>
  %3 = fuser.slice %x [0, 0] [8092, 7992] : tensor<8192x8192xbf16> -> tensor<8092x7992xbf16>
  %4 = fuser.cat %2, %3 dim 1 {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">]} : (tensor<8092x200xbf16>, tensor<8092x7992xbf16>) -> tensor<8092x8192xbf16>
  %5 = fuser.cat %1, %4 dim 0 : (tensor<100x8192xbf16>, tensor<8092x8192xbf16>) -> tensor<8192x8192xbf16>
  fuser.return %5 : tensor<8192x8192xbf16>
}
