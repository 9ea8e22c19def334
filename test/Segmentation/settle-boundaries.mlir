// RUN: fuser-opt %s --fuser-settle-boundaries --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --fuser-settle-boundaries --fuser-settle-boundaries | FileCheck %s
// RUN: fuser-opt %s --fuser-strip-hints --fuser-settle-boundaries --fuser-verify-layouts | FileCheck %s --check-prefix=FROZEN
// S0.6: a preferred order is used if the order is a default or the written value still has a hint, nothing requires another
// order, every kernel is accepted and the predicted time does not increase.

// Without permissions and hints, nothing changes.
// FROZEN-LABEL: fuser.host @hinted(
// FROZEN: fuser.alloc() : tensor<64x128xf32>
// FROZEN-LABEL: fuser.host @permitted(
// FROZEN: fuser.alloc() : tensor<64x128xf32>
// FROZEN-LABEL: fuser.host @output(
// FROZEN: fuser.alloc() : tensor<64x256x32xf32>

// The value has a hint. The writer reads both orders and prefers none; the reader prefers its input in the order of its
// output. All three sites change.
// CHECK-LABEL: fuser.kernel @hinted_0
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
fuser.kernel @hinted_0(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.add %x, %y {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "by-hand">]} : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.kernel @hinted_1
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>]
fuser.kernel @hinted_1(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.host @hinted(
// CHECK: %[[B:.*]] = fuser.alloc() order [1, 0]
// CHECK: fuser.launch @hinted_0 {{.*}}outs(%[[B]]
fuser.host @hinted(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() : tensor<64x128xf32>
  %1 = fuser.launch @hinted_0 ins(%x, %y : tensor<64x128xf32>, tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %3 = fuser.launch @hinted_1 ins(%1 : tensor<64x128xf32>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.free %1 : tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// The order is a default. The permission is used up.
// CHECK-LABEL: fuser.kernel @permitted_0
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
fuser.kernel @permitted_0(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.add %x, %y : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.kernel @permitted_1(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.host @permitted(
// CHECK-NOT: fuser.default_order
// CHECK: fuser.alloc() order [1, 0] : tensor<64x128xf32>
fuser.host @permitted(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %1 = fuser.launch @permitted_0 ins(%x, %y : tensor<64x128xf32>, tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %3 = fuser.launch @permitted_1 ins(%1 : tensor<64x128xf32>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.return %3 : tensor<64x128xf32>
}

// An output that no kernel reads: a sum of a channels-last argument is stored channels-last.
// CHECK-LABEL: fuser.kernel @output_0
// CHECK-SAME: output_orders = [array<i64: 0, 2, 1>]
fuser.kernel @output_0(%x: tensor<64x256x32x32xf32>) -> tensor<64x256x32xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.sum %x dims [3] : tensor<64x256x32x32xf32> -> tensor<64x256x32xf32>
  fuser.return %0 : tensor<64x256x32xf32>
}
// CHECK-LABEL: fuser.host @output(
// CHECK: fuser.alloc() order [0, 2, 1] : tensor<64x256x32xf32>
fuser.host @output(%x: tensor<64x256x32x32xf32>) -> tensor<64x256x32xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x256x32xf32>
  %1 = fuser.launch @output_0 ins(%x : tensor<64x256x32x32xf32>) outs(%0 : tensor<64x256x32xf32>) -> tensor<64x256x32xf32>
  fuser.return %1 : tensor<64x256x32xf32>
}

// An order that a hint gave to an output, which its kernel would have to transpose.
// CHECK-LABEL: fuser.host @undone(
// CHECK: fuser.alloc() order [0, 1] : tensor<64x128xf32>
fuser.kernel @undone_0(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.exp %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.host @undone(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %1 = fuser.launch @undone_0 ins(%x : tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.return %1 : tensor<64x128xf32>
}

// Two buffers that one kernel writes and another one reads: neither kernel can use vectors before both have changed.
// CHECK-LABEL: fuser.host @together(
// CHECK: fuser.alloc() order [1, 0] : tensor<64x128xf32>
// CHECK: fuser.alloc() order [1, 0] : tensor<64x128xf32>
fuser.kernel @together_0(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.exp %x : tensor<64x128xf32>
  %1 = fuser.neg %x : tensor<64x128xf32>
  fuser.return %0, %1 : tensor<64x128xf32>, tensor<64x128xf32>
}
fuser.kernel @together_1(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.mul %x, %y : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.host @together(%x: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %1 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %2:2 = fuser.launch @together_0 ins(%x : tensor<64x128xf32>) outs(%0, %1 : tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>, tensor<64x128xf32>
  %3 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %4 = fuser.launch @together_1 ins(%2#0, %2#1 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%3 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.return %4 : tensor<64x128xf32>
}

// Not where the buffer is an output that the program requires in another order.
// CHECK-LABEL: fuser.kernel @required_0
// CHECK-SAME: output_orders = [array<i64: 0, 1>]
fuser.kernel @required_0(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.add %x, %y {fuser.layout_hints = [#fuser.layout_hint<order = [0, 1], rule = "by-hand">]} : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.kernel @required_1(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.host @required(
// CHECK: fuser.alloc() order [0, 1] : tensor<64x128xf32>
fuser.host @required(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.alloc() order [0, 1] {fuser.default_order} : tensor<64x128xf32>
  %1 = fuser.launch @required_0 ins(%x, %y : tensor<64x128xf32>, tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %3 = fuser.launch @required_1 ins(%1 : tensor<64x128xf32>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.return %1, %3 : tensor<64x128xf32>, tensor<64x128xf32>
}

// Not where kernels prefer different orders and neither saves time; all sites get their orders back.
// CHECK-LABEL: fuser.kernel @disagree_0
// CHECK-NOT: output_orders
fuser.kernel @disagree_0(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.exp %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.kernel @disagree_1
// CHECK-NOT: arg_layouts
fuser.kernel @disagree_1(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.kernel @disagree_2(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.relu %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: fuser.host @disagree(
// CHECK: fuser.alloc() : tensor<64x128xf32>
fuser.host @disagree(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
    attributes {output_orders = [array<i64: 1, 0>, array<i64: 0, 1>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %1 = fuser.launch @disagree_0 ins(%x : tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = fuser.alloc() order [1, 0] : tensor<64x128xf32>
  %3 = fuser.launch @disagree_1 ins(%1 : tensor<64x128xf32>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = fuser.alloc() order [0, 1] : tensor<64x128xf32>
  %5 = fuser.launch @disagree_2 ins(%1 : tensor<64x128xf32>) outs(%4 : tensor<64x128xf32>) -> tensor<64x128xf32>
  fuser.return %3, %5 : tensor<64x128xf32>, tensor<64x128xf32>
}

// S0.5: not the result of a contraction that is written as a product and a sum. No operand has all of its dimensions.
// CHECK-LABEL: fuser.host @linear(
// CHECK: fuser.alloc() : tensor<4x32x64xf32>
fuser.kernel @linear_0(%x: tensor<4x32x1x16xf32>, %w: tensor<1x1x64x16xf32>) -> tensor<4x32x64xf32> {
  %0 = fuser.mul %x, %w : (tensor<4x32x1x16xf32>, tensor<1x1x64x16xf32>) -> tensor<4x32x64x16xf32>
  %1 = fuser.sum %0 dims [3] : tensor<4x32x64x16xf32> -> tensor<4x32x64xf32>
  fuser.return %1 : tensor<4x32x64xf32>
}
fuser.host @linear(%x: tensor<4x32x1x16xf32>, %w: tensor<1x1x64x16xf32>) -> tensor<4x32x64xf32> {
  %0 = fuser.alloc() {fuser.default_order} : tensor<4x32x64xf32>
  %1 = fuser.launch @linear_0 ins(%x, %w : tensor<4x32x1x16xf32>, tensor<1x1x64x16xf32>) outs(%0 : tensor<4x32x64xf32>) -> tensor<4x32x64xf32>
  fuser.return %1 : tensor<4x32x64xf32>
}

// Not where only the place of a dimension of size 1 differs.
// CHECK-LABEL: fuser.host @ones(
// CHECK: fuser.alloc() : tensor<64x1x128xf32>
fuser.kernel @ones_0(%x: tensor<64x1x128xf32>) -> tensor<64x1x128xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0, 2]>]} {
  %0 = fuser.exp %x : tensor<64x1x128xf32>
  fuser.return %0 : tensor<64x1x128xf32>
}
fuser.host @ones(%x: tensor<64x1x128xf32>) -> tensor<64x1x128xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0, 2]>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x1x128xf32>
  %1 = fuser.launch @ones_0 ins(%x : tensor<64x1x128xf32>) outs(%0 : tensor<64x1x128xf32>) -> tensor<64x1x128xf32>
  fuser.return %1 : tensor<64x1x128xf32>
}

// Not a buffer that something other than a launch writes or reads, and not of a kernel with a schedule.
// CHECK-LABEL: fuser.host @others(
// CHECK: fuser.alloc() : tensor<64x128xf32>
// CHECK: fuser.alloc() : tensor<64x128xf32>
fuser.kernel @others_0(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.exp %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.kernel @others_1(%x: tensor<64x128xf32>) -> tensor<64x128xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], schedule = #fuser_sched.single_op<threads = 128>} {
  %0 = fuser.exp %x : tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
fuser.host @others(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %1 = fuser.launch @others_0 ins(%x : tensor<64x128xf32>) outs(%0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = fuser.alloc() {fuser.default_order} : tensor<64x128xf32>
  %3 = fuser.launch @others_1 ins(%x : tensor<64x128xf32>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = fuser.copy %1 into %y : tensor<64x128xf32>, tensor<64x128xf32>
  fuser.return %4, %3 : tensor<64x128xf32>, tensor<64x128xf32>
}
