// RUN: rm -f %t.log %t.log.first
// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/log-steps.sh test-arg=%t.log' -o %t.mlir
// RUN: diff %S/Inputs/fuser-reduce-steps.txt %t.log
// All that is tried, in order: fewer outputs, ops, arguments and attributes, and smaller extents. What counts arguments and
// outputs (aliases, facts, orders, ids) counts those that are left.

fuser.fusion @steps(%s: f32, %x: tensor<8x3xf32>, %y: tensor<8x3xf32>, %i: tensor<8xi64>, %z: tensor<8xf32>)
    -> (tensor<8x3xf32>, tensor<8xf32>, tensor<8xi64>)
    attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>, unit, unit, unit],
                output_orders = [array<i64: 1, 0>, unit, unit],
                aliases = [#fuser.alias<output 2, input 3>, #fuser.alias<output 1, input 4>],
                facts = [#fuser.fact<aligned 1, 16>, #fuser.fact<aligned 5, 16>, #fuser.fact<equal 1[0], 3[0]>],
                input_ids = array<i64: 0, 1, 2, 3, 4>, output_ids = array<i64: 7, 8, 9>,
                extent_ids = array<i64: -1, -2, -3, -4, -5, -6>} {
  %0 = fuser.add %x, %y : tensor<8x3xf32>
  %1 = fuser.neg %0 : tensor<8x3xf32>
  %2 = fuser.sum %1 dims [1] : tensor<8x3xf32> -> tensor<8xf32>
  fuser.return %1, %2, %i : tensor<8x3xf32>, tensor<8xf32>, tensor<8xi64>
}

fuser.fusion @plain(%x: tensor<4xf32>, %y: tensor<5xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 0>], facts = [#fuser.fact<aligned 3, 16>]} {
  %0 = fuser.exp %x : tensor<4xf32>
  %1 = fuser.neg %0 : tensor<4xf32>
  fuser.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

fuser.fusion @bare(%x: tensor<1xf32>, %y: f32) -> tensor<1xf32> {
  %0 = fuser.exp %x : tensor<1xf32>
  fuser.return %0 : tensor<1xf32>
}
