// RUN: fuser-run %s --device=host --check --sizes=37x53 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x1000 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A sum over all blocks, by which every block then divides: the blocks wait for each other once.

// CHECK: check {{.*}} ok
// IR: cooperative = true
// IR-COUNT-1: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.last_block
#r = #fuser.domain<logical = [r0, r1], merge(r0, r1) -> r2, split(r2, 64) -> (r3, r4), split(r3, outer 5) -> (r5, r6), loop = [r5 @block_x, r6, r4 @thread_x], allocation = []>
#s = #fuser.domain<logical = [], loop = [], allocation = []>
#b = #fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>
#e = #fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 64) -> (i3, i4), split(i3, outer 5) -> (i5, i6), loop = [i5 @block_x, i6, i4 @thread_x], allocation = [i0, i1]>
fuser.fusion @normalise(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = fuser.abs %x {domains = [#e], inline_at = 3 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %a dims [0, 1] {domains = [#r]} : tensor<?x?xf32> -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] {domains = [#b]} : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.div %x, %1 {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
