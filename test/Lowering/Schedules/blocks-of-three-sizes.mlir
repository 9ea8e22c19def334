// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x100 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// 32 threads load, 64 store and 16 reduce in one kernel: threads beyond an extent do nothing, but meet at barriers.

// CHECK: check {{.*}} ok
// IR: known_block_size = array<i32: 64, 1, 1>
#l = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#s = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(r1, 16) -> (r2, r3), loop = [i0 @block_x, r2, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) attributes {facts = [#fuser.fact<at_most 0[1], 128>]} {
  %0 = fuser.exp %x {domains = [#l], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#s], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %2 = fuser.sum %0 dims [1] {domains = [#r], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1, %3 : tensor<?x?xf32>, tensor<?xf32>
}
