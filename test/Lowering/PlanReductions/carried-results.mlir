// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x40 | FileCheck %s --check-prefix=NUMBERS
// Blocks reduce each row, and a scan along the rows carries a tuple from one result to the next. The last block of each row
// may be another one, so that each block needs all results.

// CHECK-NOT: fuser_gpu.last_block
// CHECK: fuser_gpu.grid_sync
// CHECK-NOT: fuser_gpu.last_block
// NUMBERS: check {{.*}} ok
#d = #fuser.domain<logical = [i0, r1], split(r1, outer 4) -> (r2, r3), loop = [i0, r2 @block_x, r3], allocation = [i0]>
#s = #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.cumsum %0 dim 0 {domains = [#s], memory = #fuser.memory<global>} : tensor<?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
