// RUN: fuser-run %s --device=host --check --sizes=37x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=8x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A block takes eight rows one after the other, of which the last block may have fewer. A row is read twice before it is released.

// CHECK: check {{.*}} ok
// IR: } else {
// IR: fuser_gpu.role_barrier 1 threads 64
// IR: fuser_gpu.mbarrier_arrive
#t = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 64) -> (i4, i5), loop = [i2 @block_x, i3, i4 @unroll, i5 @thread_x], allocation = [i0, i1]>
#s = #fuser.domain<logical = [i0, r1], split(i0, 8) -> (i2, i3), split(r1, 64) -> (r4, r5), loop = [i2 @block_x, i3, r4 @unroll, r5 @thread_x]>
#b = #fuser.domain<logical = [i0, b1], split(i0, 8) -> (i2, i3), loop = [i2 @block_x, i3, b1]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 128>, #fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] {domains = [#s], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 {domains = [#t], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
