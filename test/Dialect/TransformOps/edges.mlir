// RUN: fuser-opt %s --split-input-file --transform-interpreter | FileCheck %s
// Ends of ranges and values of several results.

// The extent of a merged broadcast is not known before its loops follow others, so that any type is legal.
// CHECK-LABEL: fuser.kernel @merged_broadcasts
// CHECK: merge(i0, b1) -> i3, loop = [b2, i3 @vectorize], allocation = [i0, b1, b2]>]}
fuser.kernel @merged_broadcasts(%x: tensor<5xf32>) -> tensor<5x1x3xf32> {
  %0 = fuser.broadcast %x dims [1, 2] : tensor<5xf32> -> tensor<5x1x1xf32>
  %1 = fuser.expand %0 : tensor<5x1x1xf32> -> tensor<5x1x3xf32>
  fuser.return %1 : tensor<5x1x3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.broadcast"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.merge %op at 0, 1 : !transform.any_op
    transform.fuser.reorder %op to [1, 0] : !transform.any_op
    transform.fuser.parallelize %op at 1 as vectorize : !transform.any_op
    transform.yield
  }
}

// -----

// Loops of an op of two results go to other ops, and outputs keep their orders, also those that no attribute requires.
// CHECK-LABEL: fuser.kernel @two_results
// CHECK: fuser.var_mean %x dims [1] correction 0 {domains = [#fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), loop = [i2, i3, r1], allocation = [i0]>, #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), loop = [i2, i3, r1], allocation = [i0]>]}
// CHECK: fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2, i3, i1], allocation = [i1, i0]>]}
// CHECK: fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), loop = [i2, i3, i1], allocation = [i1, i0]>]}
fuser.kernel @two_results(%x: tensor<8x6xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x6xf32>, tensor<8x6xf32>)
    attributes {output_orders = [unit, unit, array<i64: 1, 0>, unit]} {
  %0:2 = fuser.var_mean %x dims [1] correction 0 : tensor<8x6xf32> -> tensor<8xf32>, tensor<8xf32>
  %1 = fuser.exp %x : tensor<8x6xf32>
  %2 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i1, i0]>]} : tensor<8x6xf32>
  fuser.return %0#0, %0#1, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.fuser.match ["fuser.var_mean"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.split %op at 0 by 4 : !transform.any_op
    transform.fuser.propagate %op : !transform.any_op
    transform.yield
  }
}

// -----

// An op that stays outside of all loops.
// CHECK-LABEL: fuser.kernel @outside
// CHECK-NEXT: fuser.exp %x : tensor<8x6xf32>
// CHECK-NEXT: fuser.neg %0 {inline_at = 2 : i64} : tensor<8x6xf32>
fuser.kernel @outside(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = fuser.exp %x : tensor<8x6xf32>
  %1 = fuser.neg %0 : tensor<8x6xf32>
  %2 = fuser.abs %1 {memory = #fuser.memory<global>} : tensor<8x6xf32>
  fuser.return %2 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @outside in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.match ["fuser.exp"] in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.inline_most %kernel limit %x to [0] : !transform.any_op, !transform.any_op
    transform.yield
  }
}
