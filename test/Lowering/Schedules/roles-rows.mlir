// RUN: fuser-run %s --device=host --check --sizes=6x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x260 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A warp of its own copies tiles of rows to one of four stages, which the others sum. It waits until they have read a stage, and
// they wait for its copies. The block has 64 x 8 threads, and the producer one more row of 64.

// CHECK: check {{.*}} ok
// IR-COUNT-4: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 1
// IR-COUNT-4: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 512
// IR: gpu.barrier
// IR: scf.if
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.copy_bulk
// IR: } else {
// IR-NOT: gpu.barrier
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR-NOT: copy_bulk
// IR: fuser_gpu.mbarrier_arrive
// IR: fuser_gpu.role_barrier 1 threads 512
// IR-NOT: gpu.barrier
// IR: gpu.return
#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), split(i3, 8) -> (i4, i5), loop = [i0 @block_x, i2, i5 @thread_y, i4 @thread_x]>
#s = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), split(r3, 8) -> (r4, r5), loop = [i0 @block_x, r2, r5 @thread_y, r4 @thread_x]>
#y = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.mul %0, %0 {domains = [#m], inline_at = 2 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#y], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
