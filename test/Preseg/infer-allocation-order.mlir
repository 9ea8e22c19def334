// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-infer-allocation-order))' | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-infer-allocation-order,fuser-infer-allocation-order))' | FileCheck %s
// The cases of the layout table (S0), and where no hint is made; a second run changes nothing.

// S0.2: only a hint, never a requirement.
// CHECK-LABEL: fuser.fusion @relu_channels_last
// CHECK-NOT: output_orders
// CHECK: fuser.relu %{{.*}} {fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 3, 1], rule = "follow-reference", reference = "argument 0">]}
fuser.fusion @relu_channels_last(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.relu %x : tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// S0.2: an output with a requirement gets no other hint; the requirement stays.
// CHECK-LABEL: fuser.fusion @relu_required
// CHECK-SAME: output_orders = [array<i64: 0, 1, 2, 3>]
// CHECK-NOT: layout_hint
fuser.fusion @relu_required(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.relu %x : tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// Where one of the positions has no requirement, the hint is for that one.
// CHECK-LABEL: fuser.fusion @relu_required_once
// CHECK: fuser.relu {{.*}}order = [1, 0]
fuser.fusion @relu_required_once(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>, unit]} {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0, %0 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Broadcast with flags TFFTFTFT.
// CHECK-LABEL: fuser.fusion @broadcast
// CHECK: fuser.broadcast {{.*}}order = [0, 3, 5, 7, 1, 4, 6, 2]
fuser.fusion @broadcast(%x: tensor<?x?x?x?xf32>) -> tensor<1x?x?x1x?x1x?x1xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.broadcast %x dims [0, 3, 5, 7] : tensor<?x?x?x?xf32> -> tensor<1x?x?x1x?x1x?x1xf32>
  fuser.return %0 : tensor<1x?x?x1x?x1x?x1xf32>
}

// More dimensions that are not 1 win, whatever the order of the operands.
// CHECK-LABEL: fuser.fusion @most_dimensions
// CHECK: fuser.add {{.*}}order = [1, 0, 2, 3], rule = "follow-reference", reference = "argument 1"
// CHECK: fuser.add {{.*}}order = [1, 0, 2, 3], rule = "follow-reference", reference = "argument 1"
fuser.fusion @most_dimensions(%a: tensor<?x1x1x?xf32>, %b: tensor<?x?x?x?xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1, 3]>, #fuser.layout<order = [1, 0, 2, 3]>]} {
  %0 = fuser.add %a, %b : (tensor<?x1x1x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %1 = fuser.add %b, %a : (tensor<?x?x?x?xf32>, tensor<?x1x1x?xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %0, %1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

// A dimension that the reference lacks comes outermost.
// CHECK-LABEL: fuser.fusion @broadcast_dimension
// CHECK: fuser.add {{.*}}order = [0, 3, 2, 1], rule = "follow-reference", reference = "argument 0"
fuser.fusion @broadcast_dimension(%a: tensor<1x?x?x?xf32>, %b: tensor<?x1x1x1xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [3, 2, 0, 1]>, unit]} {
  %0 = fuser.add %a, %b : (tensor<1x?x?x?xf32>, tensor<?x1x1x1xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// Two inputs of equal rank with different orders: none.
// CHECK-LABEL: fuser.fusion @conflict
// CHECK-NOT: layout_hint
fuser.fusion @conflict(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, #fuser.layout<order = [3, 2, 1, 0]>]} {
  %0 = fuser.add %a, %b : tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// A conflict between inputs is settled by one of a higher rank, wherever it comes in.
// CHECK-LABEL: fuser.fusion @higher_rank
// CHECK: fuser.add %a, %b : tensor<1x?x?xf32>
// CHECK: fuser.add {{.*}}order = [2, 0, 1], rule = "follow-reference", reference = "argument 2"
fuser.fusion @higher_rank(%a: tensor<1x?x?xf32>, %b: tensor<1x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1]>, unit, #fuser.layout<order = [2, 0, 1]>]} {
  %0 = fuser.add %a, %b : tensor<1x?x?xf32>
  %1 = fuser.add %0, %c : (tensor<1x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %1 : tensor<?x?x?xf32>
}

// Inputs of equal order agree.
// CHECK-LABEL: fuser.fusion @agreement
// CHECK: fuser.add {{.*}}order = [0, 2, 3, 1], rule = "follow-reference", reference = "argument 0"
fuser.fusion @agreement(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, #fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.cast %b : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %1 = fuser.add %a, %0 : tensor<?x?x?x?xf32>
  fuser.return %1 : tensor<?x?x?x?xf32>
}

// By cost, where the rules are silent: two channels-last inputs outweigh one in row-major order.
// CHECK-LABEL: fuser.fusion @majority
// CHECK: fuser.where {{.*}}order = [0, 2, 3, 1], rule = "cheapest-reference", reference = "argument 1"
fuser.fusion @majority(%p: tensor<?x?x?x?xf32>, %a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [0, 2, 3, 1]>, #fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.gt %p, %a : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xi1>
  %1 = fuser.where %0, %a, %b : (tensor<?x?x?x?xi1>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %1 : tensor<?x?x?x?xf32>
}

// Factories do not influence.
// CHECK-LABEL: fuser.fusion @factories
// CHECK: fuser.full %{{.*}} : f32 -> tensor<4x8xf32>
// CHECK: fuser.add {{.*}}order = [1, 0], rule = "follow-reference", reference = "argument 0"
// CHECK: fuser.neg %{{.*}} : tensor<4x8xf32>
fuser.fusion @factories(%x: tensor<4x8xf32>, %v: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit]} {
  %0 = fuser.full %v : f32 -> tensor<4x8xf32>
  %1 = fuser.add %0, %x : tensor<4x8xf32>
  %2 = fuser.neg %0 : tensor<4x8xf32>
  fuser.return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Attention: the output like the query; log-sum-exp row-major.
// CHECK-LABEL: fuser.fusion @attention
// CHECK: fuser.sdpa {{.*}}fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 1, 3], rule = "follow-reference", reference = "argument 0">, unit]
fuser.fusion @attention(%q: tensor<2x8x?x64xbf16>, %k: tensor<2x8x?x64xbf16>, %v: tensor<2x8x?x64xbf16>)
    -> (tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1, 3]>, unit, unit]} {
  %o, %lse = fuser.sdpa %q, %k, %v
      : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16> -> tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>
  fuser.return %o, %lse : tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>
}

// A query whose innermost dimension is strided does not make the output so.
// CHECK-LABEL: fuser.fusion @attention_strided
// CHECK-NOT: layout_hint
fuser.fusion @attention_strided(%q: tensor<2x8x?x64xbf16>, %k: tensor<2x8x?x64xbf16>, %v: tensor<2x8x?x64xbf16>)
    -> (tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 1, 3, 2]>, unit, unit]} {
  %o, %lse = fuser.sdpa %q, %k, %v
      : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16> -> tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>
  fuser.return %o, %lse : tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>
}

// S0.5: a linear layer is contiguous, also written by hand; nothing in it gets (n, b, m).
// CHECK-LABEL: fuser.fusion @linear
// CHECK-NOT: layout_hint
fuser.fusion @linear(%x: tensor<?x?x64xf32>, %w: tensor<128x64xf32>) -> tensor<?x?x128xf32> {
  %0 = fuser.linear %x, %w : tensor<?x?x64xf32>, tensor<128x64xf32> -> tensor<?x?x128xf32>
  fuser.return %0 : tensor<?x?x128xf32>
}

// CHECK-LABEL: fuser.fusion @linear_by_hand
// CHECK-NOT: layout_hint
fuser.fusion @linear_by_hand(%x: tensor<?x?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.broadcast %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?x1x?xf32>
  %1 = fuser.broadcast %w dims [0, 1] : tensor<?x?xf32> -> tensor<1x1x?x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?x1x?xf32>, tensor<1x1x?x?xf32>) -> tensor<?x?x?x?xf32>
  %3 = fuser.sum %2 dims [3] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %3 : tensor<?x?x?xf32>
}

// S0.5: the innermost dimension of a contraction's result is never strided, however its operands lie; what is computed
// from it follows it.
// CHECK-LABEL: fuser.fusion @linear_transposed
// CHECK-NOT: layout_hint
fuser.fusion @linear_transposed(%x: tensor<?x?x64xf32>, %w: tensor<128x64xf32>, %bias: tensor<?x128xf32>) -> tensor<?x?x128xf32>
    attributes {arg_layouts = [#fuser.layout<order = [2, 0, 1]>, unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.linear %x, %w : tensor<?x?x64xf32>, tensor<128x64xf32> -> tensor<?x?x128xf32>
  %1 = fuser.relu %0 : tensor<?x?x128xf32>
  fuser.return %1 : tensor<?x?x128xf32>
}

// CHECK-LABEL: fuser.fusion @matmul_transposed
// CHECK-NOT: layout_hint
fuser.fusion @matmul_transposed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// A batch dimension may move: the innermost one stays.
// CHECK-LABEL: fuser.fusion @matmul_batch
// CHECK: fuser.matmul {{.*}}order = [1, 0, 2]
fuser.fusion @matmul_batch(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0, 2]>]} {
  %0 = fuser.matmul %a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// Reduced dimensions never order the result: the walk stops at channels.
// CHECK-LABEL: fuser.fusion @reduce_channels
// CHECK-NOT: layout_hint
fuser.fusion @reduce_channels(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: fuser.fusion @reduce_outer
// CHECK: fuser.sum {{.*}}order = [1, 0, 2]
fuser.fusion @reduce_outer(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1, 3]>]} {
  %0 = fuser.sum %x dims [0] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// A normalization over channels follows its input: the statistics are of a lower rank.
// CHECK-LABEL: fuser.fusion @normalize
// CHECK: fuser.sum %x dims [1] :
// CHECK: fuser.broadcast %{{.*}} dims [1] :
// CHECK: fuser.div {{.*}}order = [0, 2, 3, 1], rule = "follow-reference", reference = "argument 0"
fuser.fusion @normalize(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?x?x?xf32> -> tensor<?x1x?x?xf32>
  %2 = fuser.div %x, %1 : (tensor<?x?x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x?x?x?xf32>
  fuser.return %2 : tensor<?x?x?x?xf32>
}

// A permutation of dimensions keeps memory as it is.
// CHECK-LABEL: fuser.fusion @permute
// CHECK: fuser.permute {{.*}}order = [0, 2, 3, 1]
fuser.fusion @permute(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = fuser.permute %x [0, 3, 1, 2] : tensor<?x?x?x?xf32>  -> tensor<?x?x?x?xf32>
  fuser.return %0 : tensor<?x?x?x?xf32>
}

// Dimensions that are merged while they are in the other order: only what is faster than both is known, not what is slower.
// CHECK-LABEL: fuser.fusion @merge_in_the_other_order
// CHECK: fuser.reshape {{.*}}order = [1, 2, 0]
fuser.fusion @merge_in_the_other_order(%x: tensor<4x6x8x10xf32>) -> tensor<4x6x80xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 3, 2, 0]>]} {
  %0 = fuser.reshape %x : tensor<4x6x8x10xf32> -> tensor<4x6x80xf32>
  fuser.return %0 : tensor<4x6x80xf32>
}

// Split dimensions keep their places, merged ones where they are neighbours in memory.
// CHECK-LABEL: fuser.fusion @reshape
// CHECK: fuser.reshape {{.*}}order = [0, 3, 1, 2]
// CHECK: fuser.reshape %x : tensor<4x6x8xf32> -> tensor<4x48xf32>
// CHECK: fuser.reshape {{.*}}order = [1, 0]
fuser.fusion @reshape(%x: tensor<4x6x8xf32>, %y: tensor<4x6x8xf32>) -> (tensor<4x2x3x8xf32>, tensor<4x48xf32>, tensor<24x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 1]>, #fuser.layout<order = [2, 0, 1]>]} {
  %0 = fuser.reshape %x : tensor<4x6x8xf32> -> tensor<4x2x3x8xf32>
  %1 = fuser.reshape %x : tensor<4x6x8xf32> -> tensor<4x48xf32>
  %2 = fuser.reshape %y : tensor<4x6x8xf32> -> tensor<24x8xf32>
  fuser.return %0, %1, %2 : tensor<4x2x3x8xf32>, tensor<4x48xf32>, tensor<24x8xf32>
}

// Hints of other rules are kept and followed; those of an earlier run are made anew.
// CHECK-LABEL: fuser.fusion @other_rules
// CHECK: fuser.neg {{.*}}order = [1, 0], rule = "by-hand"
// CHECK: fuser.relu {{.*}}order = [1, 0], rule = "follow-reference", reference = "fuser.neg"
// CHECK: fuser.abs %x : tensor<?x?xf32>
fuser.fusion @other_rules(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<?x?xf32>
  %1 = fuser.relu %0 : tensor<?x?xf32>
  %2 = fuser.abs %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference">]} : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// A frozen allocation gets no hint, and is followed.
// CHECK-LABEL: fuser.fusion @frozen
// CHECK: fuser.neg %{{.*}} {domains =
// CHECK-NOT: layout_hint
// CHECK: fuser.relu {{.*}}order = [1, 0], rule = "follow-reference", reference = "fuser.neg"
fuser.fusion @frozen(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<?x?xf32>
  %1 = fuser.relu %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
