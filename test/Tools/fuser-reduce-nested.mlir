// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-exp.sh' | FileCheck %s
// A fusion in modules in modules: what is tried is the whole program.

// CHECK: module @outer
// CHECK-NEXT: module @inner
// CHECK-NEXT: fuser.fusion @nested(%[[X:.*]]: tensor<1x1xf32>) -> tensor<1xf32>
// CHECK-NEXT: %[[E:.*]] = fuser.exp %[[X]]
// CHECK-NEXT: %[[S:.*]] = fuser.sum %[[E]] dims [1]
// CHECK-NEXT: fuser.return %[[S]]
module @outer {
  module @inner {
    fuser.fusion @nested(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32>
        attributes {facts = [#fuser.fact<aligned 0, 16>]} {
      %0 = fuser.exp %x : tensor<4x4xf32>
      %1 = fuser.neg %0 : tensor<4x4xf32>
      %2 = fuser.sum %1 dims [1] : tensor<4x4xf32> -> tensor<4xf32>
      fuser.return %2 : tensor<4xf32>
    }
  }
}
