// RUN: fuser-opt %s --fuser-outline-kernels --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --fuser-outline-kernels --fuser-strip-hints --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --fuser-outline-kernels | FileCheck %s --check-prefix=PERMITTED
// RUN: fuser-opt %s --fuser-outline-kernels --fuser-strip-hints | FileCheck %s --check-prefix=STRIPPED
// Outlining writes each order down at every site, so that hints may go (S0.6); a hint of any rule, aliases' too, never
// becomes a requirement of the program (S0.2, S0.10).

// CHECK-LABEL: fuser.kernel @hinted_0
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-LABEL: fuser.host @hinted(
// CHECK-NOT: output_orders
// CHECK: fuser.alloc() order [1, 0] : tensor<4x8xf32>
fuser.fusion @hinted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "view-of-input", reference = "argument 0">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// The requirement is stronger than the hint, and stays where the program put it.
// CHECK-LABEL: fuser.kernel @required_0
// CHECK-SAME: output_orders = [array<i64: 0, 1>]
// CHECK-LABEL: fuser.host @required(
// CHECK-SAME: output_orders = [array<i64: 0, 1>]
// CHECK: fuser.alloc() order [0, 1] : tensor<4x8xf32>
fuser.fusion @required(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// A frozen allocation is written down too.
// CHECK-LABEL: fuser.kernel @frozen_0
// CHECK-SAME: output_orders = [array<i64: 1, 0>]
// CHECK-LABEL: fuser.host @frozen(
// CHECK: fuser.alloc() order [1, 0] : tensor<4x8xf32>
fuser.fusion @frozen(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// An output that is an argument is a copy that can be seen, in the order of the argument where nothing is required (S0.1).
// CHECK-LABEL: fuser.host @forwarded(
// CHECK: %[[SAME:.*]] = fuser.alloc() order [1, 0] : tensor<4x8xf32>
// CHECK: fuser.copy %x into %[[SAME]]
// CHECK: %[[OTHER:.*]] = fuser.alloc() order [0, 1] : tensor<4x8xf32>
// CHECK: fuser.launch @forwarded_copy_0 ins(%x : tensor<4x8xf32>) outs(%[[OTHER]]
fuser.fusion @forwarded(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [unit, array<i64: 0, 1>]} {
  fuser.return %x, %x : tensor<4x8xf32>, tensor<4x8xf32>
}

// An order that nothing determines is a default, which may be changed until boundaries are settled. A requirement is none, nor
// is an order of one dimension, nor a hint: its permission is the hint itself.
// CHECK-LABEL: fuser.host @defaults(
// CHECK: fuser.alloc() {{({fuser.default_order} )?}}: tensor<4x8xf32>
// CHECK: fuser.alloc() order [0, 1] : tensor<4x8xf32>
// CHECK: fuser.alloc() : tensor<4x1xf32>
// CHECK: fuser.alloc() order [1, 0] : tensor<4x8xf32>
// PERMITTED-LABEL: fuser.host @defaults(
// PERMITTED: fuser.alloc() {fuser.default_order} : tensor<4x8xf32>
// STRIPPED-NOT: fuser.default_order
fuser.fusion @defaults(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>)
    attributes {output_orders = [unit, array<i64: 0, 1>, unit, unit]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  %1 = fuser.exp %x : tensor<4x8xf32>
  %2 = fuser.sum %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
  %4 = fuser.relu %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0, %1, %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>
}
