// RUN: fuser-run %s --device=host --check --program=block --sizes=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cat --sizes=1x1x1 | FileCheck %s
// A loop of one iteration on blocks or threads of which there are more: each of them has the value in registers or
// shared memory.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @block(%arg0: tensor<1xf32>) -> tensor<1xf32> {
  %0 = fuser.mul %arg0, %arg0 {domains = [#fuser.domain<logical = [b0], loop = [b0 @block_x], allocation = [b0]>], memory = #fuser.memory<shared>} : tensor<1xf32>
  %1 = fuser.mul %arg0, %0 {domains = [#fuser.domain<logical = [b0], loop = [b0], allocation = [b0]>]} : tensor<1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0], split(b0, outer 8) -> (b1, b2), loop = [b1 @block_x, b2], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %2 : tensor<1xf32>
}

fuser.fusion @cat(%arg0: tensor<1x1x1xf32>) -> tensor<1x1x2xf32> {
  %0 = fuser.cat %arg0, %arg0 dim 2 {domains = [#fuser.domain<logical = [b0, b1, i2], loop = [b0 @block_x, b1, i2], allocation = [b0, b1, i2]>], memory = #fuser.memory<shared>} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
  %1 = fuser.set %0 {domains = [#fuser.domain<logical = [b0, b1, i2], loop = [b0, b1, i2 @block_x], allocation = [b0, b1, i2]>], memory = #fuser.memory<global>} : tensor<1x1x2xf32>
  fuser.return %1 : tensor<1x1x2xf32>
}
