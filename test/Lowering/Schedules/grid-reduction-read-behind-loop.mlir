// RUN: fuser-run %s --device=host --check --sizes=3x5000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x10 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Results of reductions across blocks are read behind the loop in which they are finished: each had a last block of its own.

// CHECK: check {{.*}} ok
// IR-NOT: fuser_gpu.last_block
// IR: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r2, outer 4) -> (r4, r5), loop = [i0, r4 @block_x, r5, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<at_most 0[0], 16>]} {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 0 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
