// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x300 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Rows are computed by all blocks, their columns summed by the first one, and all blocks divide by the sums: two waits for
// the grid between them.

// CHECK: check {{.*}} ok
// IR-COUNT-2: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.grid_sync
#r = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#c = #fuser.domain<logical = [r0, i1], split(i1, 32) -> (i2, i3), loop = [i2, r0, i3 @thread_x], allocation = [i1]>
#cb = #fuser.domain<logical = [b0, i1], split(i1, 32) -> (i2, i3), loop = [b0 @block_x, i2, i3 @thread_x], allocation = [b0, i1]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#r], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [0] {domains = [#c], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] {domains = [#cb], inline_at = 3 : i64} : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.div %0, %2 {domains = [#r], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
