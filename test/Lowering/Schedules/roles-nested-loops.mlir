// RUN: fuser-run %s --device=host --check --sizes=37x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=8x520 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A loop over tiles in a loop over rows: the producer runs both, and phases are counted over both.

// CHECK: check {{.*}} ok
// IR: gpu.barrier
// IR: scf.for
// IR: scf.for
// IR: fuser_gpu.copy_bulk
// IR: } else {
// IR: scf.for
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.mbarrier_arrive
#t = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 64) -> (i4, i5), loop = [i2 @block_x, i3, i4, i5 @thread_x], allocation = [i0, i1]>
#s = #fuser.domain<logical = [i0, r1], split(i0, 8) -> (i2, i3), split(r1, 64) -> (r4, r5), loop = [i2 @block_x, i3, r4, r5 @thread_x]>
#y = #fuser.domain<logical = [i0], split(i0, 8) -> (i2, i3), loop = [i2 @block_x, i3]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 3 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#s], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
