// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x0 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Maxima that the last block of each row stores to an output; all blocks read them there.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.last_block
// IR: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i2, outer 4) -> (i4, i5), loop = [i0 @block_x, i4 @block_y, i5, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @norm(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %m = fuser.max %x dims [1] {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  %bm = fuser.broadcast %m dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %c = fuser.sub %x, %bm {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %c, %m : tensor<?x?xf32>, tensor<?xf32>
}
