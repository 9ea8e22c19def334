// RUN: fuser-run %s --device=host --check --sizes=3x5000,3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64,7x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Two reductions across blocks, one after the other, whose results meet in one op: each would have a last block of its own.

// CHECK: check {{.*}} ok
// IR-NOT: fuser_gpu.last_block
// IR-COUNT-2: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0 @block_x, r4 @block_y, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @two(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %z dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.add %0, %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
