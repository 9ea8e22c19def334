// RUN: fuser-run %s --device=host --check --sizes=37x53 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x300 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The largest of all row sums, across blocks, by which every block then divides.

// CHECK: check {{.*}} ok
// IR-COUNT-1: fuser_gpu.grid_sync
#r = #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), split(r1, 32) -> (r4, r5), loop = [i2 @block_x, i3 @thread_y, r4, r5 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i3 @thread_y, b1], allocation = [i0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 32) -> (i4, i5), loop = [i2 @block_x, i3 @thread_y, i4, i5 @thread_x], allocation = [i0, i1]>
#t = #fuser.domain<logical = [r0], split(r0, 4) -> (r2, r3), loop = [r2 @block_x, r3 @thread_y], allocation = []>
#tb = #fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>
fuser.fusion @n(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %a = fuser.exp %x {domains = [#e], inline_at = 4 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %a dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %0 dims [0] {domains = [#t]} : tensor<?xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0, 1] {domains = [#tb]} : tensor<f32> -> tensor<1x1xf32>
  %3 = fuser.div %x, %2 {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.set %1 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  fuser.return %3, %4 : tensor<?x?xf32>, tensor<f32>
}
