// RUN: fuser-explain %s 2>/dev/null | FileCheck %s
// S0.8: for each output whether its order is fact, requirement or hint, and which rule made it.

// CHECK: layouts of the fusion
// CHECK-NEXT: value     kind         order         hint          rule              reference   what became of it
// CHECK: output 0  requirement  [3, 2, 1, 0] {{ *}}stored in this order
// CHECK-NEXT: output 1  hint         [0, 2, 3, 1]  [0, 2, 3, 1]  follow-reference  argument 0  stored in this order
// CHECK-NEXT: output 2  fact         [0, 1, 2, 3] {{ *}}stored in argument 1
fuser.fusion @kinds(%x: tensor<2x4x8x8xf32>, %acc: tensor<2x4x8x8xf32>)
    -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>)
    attributes {aliases = [#fuser.alias<output 2, input 1>], arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, unit],
                output_orders = [array<i64: 3, 2, 1, 0>, unit, unit]} {
  %0 = fuser.relu %x : tensor<2x4x8x8xf32>
  %1 = fuser.neg %x : tensor<2x4x8x8xf32>
  %2 = fuser.add %acc, %acc : tensor<2x4x8x8xf32>
  fuser.return %0, %1, %2 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}
