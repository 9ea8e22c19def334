// RUN: fuser-opt %s --fuser-explain-layout -verify-diagnostics -split-input-file -o /dev/null
// RUN: fuser-opt %s --fuser-explain-layout=table=true -split-input-file -o /dev/null | FileCheck %s
// S0.8: for each output whether its order is fact, requirement or hint, and which rule made it.

// CHECK-LABEL: fuser.fusion @kinds
// CHECK-NEXT: value     kind         order         hint          rule              reference   what became of it
// CHECK-NEXT: %x     fact         [0, 2, 3, 1]
// CHECK-NEXT: %0        hint         [0, 2, 3, 1]  [0, 2, 3, 1]  follow-reference  argument 0  source of output 0, output 1
// CHECK-NEXT: %1        default      [0, 1, 2, 3]                                              source of output 2
// CHECK-NEXT: output 0  requirement  [0, 1, 2, 3]  [0, 2, 3, 1]  follow-reference  argument 0  stored as required, the hint of its value is ignored
// CHECK-NEXT: output 1  hint         [0, 2, 3, 1]  [0, 2, 3, 1]  follow-reference  argument 0  stored in this order
// CHECK-NEXT: output 2  default      [0, 1, 2, 3]                                              stored in this order
// expected-remark @+1 {{%x: fact [0, 2, 3, 1]}}
fuser.fusion @kinds(%x: tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>], output_orders = [array<i64: 0, 1, 2, 3>, unit, unit]} {
  // expected-remark @+1 {{%0: hint [0, 2, 3, 1], rule follow-reference, reference argument 0; source of output 0, output 1}}
  %0 = fuser.relu %x {fuser.layout_hints = [#fuser.layout_hint<order = [0, 2, 3, 1], rule = "follow-reference", reference = "argument 0">]} : tensor<2x4x8x8xf32>
  // expected-remark @+1 {{%1: default [0, 1, 2, 3]; source of output 2}}
  %1 = fuser.neg %x : tensor<2x4x8x8xf32>
  // expected-remark @+3 {{output 0: requirement [0, 1, 2, 3], hint [0, 2, 3, 1], rule follow-reference, reference argument 0; stored as required, the hint of its value is ignored}}
  // expected-remark @+2 {{output 1: hint [0, 2, 3, 1], rule follow-reference, reference argument 0; stored in this order}}
  // expected-remark @+1 {{output 2: default [0, 1, 2, 3]; stored in this order}}
  fuser.return %0, %0, %1 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}

// -----

// CHECK-LABEL: fuser.fusion @arguments
// CHECK: output 0  fact  [1, 0] {{.*}}stored in argument 1
// CHECK: output 1  fact  [1, 0] {{.*}}copied from argument 1
// expected-remark @+2 {{%x: fact [0, 1]}}
// expected-remark @+1 {{%acc: fact [1, 0]; source of output 1}}
fuser.fusion @arguments(%x: tensor<2x4xf32>, %acc: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [unit, #fuser.layout<order = [1, 0]>]} {
  // expected-remark @+1 {{%0: default [0, 1]; source of output 0}}
  %0 = fuser.add %x, %acc : tensor<2x4xf32>
  // expected-remark @+2 {{output 0: fact [1, 0]; stored in argument 1}}
  // expected-remark @+1 {{output 1: fact [1, 0]; copied from argument 1}}
  fuser.return %0, %acc : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// In a kernel orders are inherent: a hint on a value without an allocation decides nothing, one beside an allocation is
// the licence to change it, and an allocation without a hint is frozen.
// expected-remark @+1 {{%x: fact [0, 1]}}
fuser.kernel @kernel(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) attributes {output_orders = [unit, array<i64: 1, 0>]} {
  // expected-remark @+1 {{%0: default [0, 1], hint [1, 0], rule by-hand; hint not taken}}
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<2x4xf32>
  // expected-remark @+1 {{%1: hint [1, 0], rule by-hand; decides where the value crosses a boundary}}
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>], fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<2x4xf32>
  // expected-remark @+1 {{%2: frozen [1, 0]; source of output 0, output 1}}
  %2 = fuser.abs %1 {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<2x4xf32>
  // expected-remark @+2 {{output 0: frozen [1, 0]; stored in this order}}
  // expected-remark @+1 {{output 1: requirement [1, 0]; stored in this order}}
  fuser.return %2, %2 : tensor<2x4xf32>, tensor<2x4xf32>
}
// expected-remark @+1 {{%x: fact [0, 1]}}
fuser.host @host(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) attributes {output_orders = [unit, array<i64: 1, 0>]} {
  // expected-remark @+1 {{%0: frozen [1, 0]}}
  %0 = fuser.alloc() order [1, 0] : tensor<2x4xf32>
  // expected-remark @+1 {{%1: frozen [1, 0]}}
  %1 = fuser.alloc() order [1, 0] : tensor<2x4xf32>
  // expected-remark @+2 {{%2#0: frozen [1, 0]; returned as output 0}}
  // expected-remark @+1 {{%2#1: frozen [1, 0]; returned as output 1}}
  %2:2 = fuser.launch @kernel ins(%x : tensor<2x4xf32>) outs(%0, %1 : tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, tensor<2x4xf32>
  // expected-remark @+2 {{output 0: frozen [1, 0]; stored in this order}}
  // expected-remark @+1 {{output 1: requirement [1, 0]; stored in this order}}
  fuser.return %2#0, %2#1 : tensor<2x4xf32>, tensor<2x4xf32>
}
