// RUN: fuser-run %s --device=host --check --sizes=0x5 | FileCheck %s
// A dimension without elements: an empty output, and a sum of nothing.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, i0 @unroll], allocation = [i0, i1]>
#r = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, r0 @unroll], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<0x5xf32>) -> (tensor<0x5xf32>, tensor<5xf32>) {
  %0 = fuser.exp %x {domains = [#d], memory = #fuser.memory<global>} : tensor<0x5xf32>
  %1 = fuser.sum %x dims [0] {domains = [#r], inline_at = 2 : i64} : tensor<0x5xf32> -> tensor<5xf32>
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<5xf32>
  fuser.return %0, %2 : tensor<0x5xf32>, tensor<5xf32>
}
