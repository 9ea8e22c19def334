// RUN: fuser-run %s --device=host --check --sizes=4x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x260 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The loop over tiles is written out for each of at most four rows, by both roles.

// CHECK: check {{.*}} ok
// IR-COUNT-4: fuser_gpu.copy_bulk
// IR: } else {
// IR-COUNT-4: fuser_gpu.mbarrier_arrive
// IR-NOT: fuser_gpu.mbarrier_arrive
#t = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), loop = [i0 @unroll, i2, i3 @thread_x], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), split(i3, 32) -> (i4, i5), loop = [i0 @unroll, i2, i5 @thread_x, i4]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[0], 4>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#m], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
