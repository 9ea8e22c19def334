// RUN: fuser-run %s --device=host --check --sizes=7x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x1000 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Blocks are a loop inside of the loop over rows: each copies its own part of a row.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.mbarrier_init %{{.*}}[%{{.*}}] count 1
// IR-COUNT-2: fuser_gpu.copy_bulk
// IR: scf.for
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.copy_bulk
// IR-NOT: fuser_gpu.copy_bulk
#t = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), loop = [i0, i2 @block_x, i3 @thread_x], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), split(i3, 32) -> (i4, i5), loop = [i0, i2 @block_x, i5 @thread_x, i4]>
fuser.fusion @rows(%x: tensor<?x1000xf32>) -> tensor<?x1000xf32> attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 1 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk"} : tensor<?x1000xf32>
  %1 = fuser.neg %0 {domains = [#m], memory = #fuser.memory<global>} : tensor<?x1000xf32>
  fuser.return %1 : tensor<?x1000xf32>
}
