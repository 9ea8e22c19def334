// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-exp.sh' | FileCheck %s
// Outputs, ops, arguments, attributes and extents go as long as facts, an exponential and a sum are left. Facts count what is
// left: argument 1 is argument 0 now, and output 1 (number 5) has number 1.

// CHECK-LABEL: fuser.fusion @many
// CHECK-SAME: (%[[X:.*]]: tensor<1x1xf32>) -> tensor<1xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]}
// CHECK-NEXT: %[[E:.*]] = fuser.exp %[[X]]
// CHECK-NEXT: %[[S:.*]] = fuser.sum %[[E]] dims [1]
// CHECK-NEXT: fuser.return %[[S]]
fuser.fusion @many(%s: f32, %x: tensor<48x60xf32>, %y: tensor<48x60xf32>, %i: tensor<48xi64>)
    -> (tensor<48x60xf32>, tensor<48xf32>, tensor<48xi64>)
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, unit, unit],
                output_orders = [array<i64: 1, 0>, unit, unit], aliases = [#fuser.alias<output 2, input 3>],
                facts = [#fuser.fact<aligned 1, 16>, #fuser.fact<aligned 5, 16>, #fuser.fact<equal 1[0], 3[0]>],
                input_ids = array<i64: 0, 1, 2, 3>, output_ids = array<i64: 7, 8, 9>,
                extent_ids = array<i64: -1, -2, -3, -4, -5>} {
  %0 = fuser.add %x, %y : tensor<48x60xf32>
  %1 = fuser.neg %0 : tensor<48x60xf32>
  %2 = fuser.exp %1 : tensor<48x60xf32>
  %3 = fuser.mul %2, %s : (tensor<48x60xf32>, f32) -> tensor<48x60xf32>
  %4 = fuser.sum %3 dims [1] : tensor<48x60xf32> -> tensor<48xf32>
  %5 = fuser.sqrt %4 : tensor<48xf32>
  fuser.return %1, %5, %i : tensor<48x60xf32>, tensor<48xf32>, tensor<48xi64>
}
