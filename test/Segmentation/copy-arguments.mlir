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
