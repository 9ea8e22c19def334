// RUN: fuser-run %s --device=host --check --sizes=1,1 | FileCheck %s
// More blocks than the loop has iterations do not read beyond its values in registers.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<1xf32>, %x1: tensor<1xf32>) -> (tensor<3xf32>, tensor<1x1xf32>) {
  %0 = fuser.set %x1 {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>]} : tensor<1xf32>
  %1 = fuser.broadcast %x0 dims [1] {domains = [#fuser.domain<logical = [b0, b1], split(b1, 32) -> (b2, b3), loop = [b0, b2, b3 @block_x], allocation = [b0, b1]>]} : tensor<1xf32> -> tensor<1x1xf32>
  %2 = fuser.expand %x0 {domains = [#fuser.domain<logical = [e0], loop = [e0], allocation = [e0]>]} : tensor<1xf32> -> tensor<3xf32>
  %3 = fuser.maximum %0, %2 {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>]} : (tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<3xf32>
  %5 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>], memory = #fuser.memory<global>} : tensor<1x1xf32>
  fuser.return %4, %5 : tensor<3xf32>, tensor<1x1xf32>
}
