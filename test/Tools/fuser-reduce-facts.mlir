// RUN: rm -f %t.log %t.log.first
// RUN: fuser-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/log-steps.sh test-arg=%t.log' -o %t.mlir
// RUN: FileCheck %s < %t.log
// Facts of two arguments stay where another one goes, also those of the first one.

// CHECK: fuser.fusion @equals(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {facts = [#fuser.fact<equal 0[0], 1[0]>, #fuser.fact<equal 1[0], 0[0]>]}
fuser.fusion @equals(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32>
    attributes {facts = [#fuser.fact<equal 0[0], 1[0]>, #fuser.fact<equal 1[0], 0[0]>, #fuser.fact<equal 2[0], 0[0]>]} {
  %0 = fuser.add %x, %y : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
