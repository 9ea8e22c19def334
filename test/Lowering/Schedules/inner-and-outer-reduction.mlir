// RUN: fuser-run %s --device=host --check --sizes=37x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=9x24 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Rows are reduced by a warp each, and the same rows to sums of columns over loops and blocks: a row stays in registers.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.shuffle
// IR: fuser_gpu.last_block
#x = #fuser.domain<logical = [i0, i1], split(i0, outer 4) -> (i2, i3), split(i1, 32) -> (i4, i5), loop = [i2 @block_x, i3, i4, i5 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(i0, outer 4) -> (i2, i3), split(r1, 32) -> (r4, r5), loop = [i2 @block_x, i3, r4, r5 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], split(i0, outer 4) -> (i2, i3), loop = [i2 @block_x, i3, b1], allocation = [i0, b1]>
#c = #fuser.domain<logical = [r0, i1], split(r0, outer 4) -> (r2, r3), split(i1, 32) -> (i4, i5), loop = [r2 @block_x, r3, i4, i5 @thread_x], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1, i2 @thread_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) attributes {facts = [#fuser.fact<at_most 0[1], 128>]} {
  %0 = fuser.set %x {domains = [#x], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 {domains = [#x], inline_at = 2 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.exp %3 {domains = [#x], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %5 = fuser.sum %3 dims [0] {domains = [#c]} : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.set %5 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %4, %6 : tensor<?x?xf32>, tensor<?xf32>
}
