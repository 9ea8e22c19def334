// RUN: fuser-run %s --device=host --check --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Rows that all blocks share are normalised one after the other: the blocks wait for each other in every iteration.

// CHECK: check {{.*}} ok
// IR: scf.for
// IR: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0, r4 @block_x, r5, r3 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i2, outer 4) -> (i4, i5), loop = [i0, i4 @block_x, i5, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = fuser.exp %x {domains = [#e], inline_at = 4 : i64} : tensor<?x?xf32>
  %0 = fuser.sum %a dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.div %x, %1 {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
