// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-exp.sh' | FileCheck %s
// Values and arguments that nothing uses go, where nothing else can, also those of a type that no other value has.

// CHECK-LABEL: fuser.fusion @unused
// CHECK-SAME: (%[[X:.*]]: tensor<1x1xf32>) -> tensor<1xf32>
// CHECK-NEXT: %[[E:.*]] = fuser.exp %[[X]]
// CHECK-NEXT: %[[S:.*]] = fuser.sum %[[E]] dims [1]
// CHECK-NEXT: fuser.return %[[S]]
fuser.fusion @unused(%x: tensor<1x1xf32>, %y: tensor<1xf32>) -> tensor<1xf32>
    attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  %0 = fuser.exp %x : tensor<1x1xf32>
  %1 = fuser.sum %0 dims [1] : tensor<1x1xf32> -> tensor<1xf32>
  %2 = fuser.neg %y : tensor<1xf32>
  %3 = fuser.cast %1 : tensor<1xf32> to tensor<1xi64>
  fuser.return %1 : tensor<1xf32>
}
