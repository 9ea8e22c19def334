// RUN: fuser-opt %s --fuser-settle-boundaries --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --fuser-settle-boundaries --fuser-settle-boundaries | FileCheck %s
// S0.6: a preference is granted if the value still has a hint, nothing requires another order and every reader accepts. The
// pointwise scheduler prefers inputs in the order of its output.

// Granted, at all three sites.
// CHECK-LABEL: fuser.kernel @granted_0
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
fuser.kernel @granted_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.exp %x {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.kernel @granted_1
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>]
fuser.kernel @granted_1(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.host @granted
// CHECK: %[[B:.*]] = fuser.alloc() order [1, 0]
// CHECK: fuser.launch @granted_0 {{.*}}outs(%[[B]]
fuser.host @granted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() : tensor<4x8xf32>
  %1 = fuser.launch @granted_0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  %3 = fuser.launch @granted_1 ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.free %1 : tensor<4x8xf32>
  fuser.return %3 : tensor<4x8xf32>
}

// Not without a hint: the order is frozen.
// CHECK-LABEL: fuser.kernel @frozen_0
// CHECK-NOT: output_orders
fuser.kernel @frozen_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.exp %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.kernel @frozen_1
// CHECK-NOT: arg_layouts
fuser.kernel @frozen_1(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.host @frozen
// CHECK: fuser.alloc() : tensor<4x8xf32>
fuser.host @frozen(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() : tensor<4x8xf32>
  %1 = fuser.launch @frozen_0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  %3 = fuser.launch @frozen_1 ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %3 : tensor<4x8xf32>
}

// Not where the buffer is an output that the program requires in another order.
// CHECK-LABEL: fuser.kernel @required_0
// CHECK-SAME: output_orders = [array<i64: 0, 1>]
fuser.kernel @required_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.exp %x {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.kernel @required_1(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.host @required
// CHECK: fuser.alloc() order [0, 1] : tensor<4x8xf32>
fuser.host @required(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.alloc() order [0, 1] : tensor<4x8xf32>
  %1 = fuser.launch @required_0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  %3 = fuser.launch @required_1 ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Not where readers prefer different orders.
// CHECK-LABEL: fuser.kernel @disagree_0
// CHECK-NOT: output_orders
fuser.kernel @disagree_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.exp %x {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.kernel @disagree_1
fuser.kernel @disagree_1(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.kernel @disagree_2(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.relu %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: fuser.host @disagree
// CHECK: fuser.alloc() : tensor<4x8xf32>
fuser.host @disagree(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = fuser.alloc() : tensor<4x8xf32>
  %1 = fuser.launch @disagree_0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  %3 = fuser.launch @disagree_1 ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = fuser.alloc() : tensor<4x8xf32>
  %5 = fuser.launch @disagree_2 ins(%1 : tensor<4x8xf32>) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %3, %5 : tensor<4x8xf32>, tensor<4x8xf32>
}
