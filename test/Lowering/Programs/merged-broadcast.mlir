// RUN: fuser-run %s --device=host --check | FileCheck %s
// The index of a broadcast dimension that is merged into a loop: the loop's index modulo the inner extent, not divided.
// CHECK: check {{ *}}output 0: ok, 40 elements
#d = #fuser.domain<logical = [i0, i1, i2], merge(i1, i2) -> i3, loop = [i0 @block_x, i3 @unroll], allocation = [i0, i1, i2]>
fuser.fusion @f(%x: tensor<5x2x4xf32>, %y: tensor<5x1x4xf32>) -> tensor<5x2x4xf32> {
  %0 = fuser.add %x, %y {domains = [#d], memory = #fuser.memory<global>} : (tensor<5x2x4xf32>, tensor<5x1x4xf32>) -> tensor<5x2x4xf32>
  fuser.return %0 : tensor<5x2x4xf32>
}
