// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x300 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x4 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A workspace that is written and read in every iteration of a loop: each has its own row, so one wait in each suffices.

// CHECK: check {{.*}} ok
// IR: scf.for
// IR-COUNT-1: fuser_gpu.grid_sync
// IR-NOT: fuser_gpu.grid_sync
#r = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0, i2 @block_x, i3 @thread_x], allocation = [i0, i1]>
#c = #fuser.domain<logical = [i0, i1], split(i1, outer 32) -> (i2, i3), loop = [i0, i3 @block_x, i2 @thread_x], allocation = [i0, i1]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#r], memory = #fuser.memory<global>, inline_at = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#c], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
