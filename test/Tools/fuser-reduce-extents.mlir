// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-exp.sh' | FileCheck %s
// Every extent above 1 is tried, the smallest one, too.

// CHECK-LABEL: fuser.fusion @extents
// CHECK-SAME: (%[[X:.*]]: tensor<1x1xf32>) -> tensor<1xf32>
fuser.fusion @extents(%x: tensor<2x3xf32>) -> tensor<2xf32> attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  %0 = fuser.exp %x : tensor<2x3xf32>
  %1 = fuser.sum %0 dims [1] : tensor<2x3xf32> -> tensor<2xf32>
  fuser.return %1 : tensor<2xf32>
}
