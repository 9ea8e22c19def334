// RUN: fuser-run %s --device=host --check --sizes=5x77 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=13x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=64x33 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A warp for each row, four rows to a block: shuffles suffice, and nobody waits.

// CHECK: check {{.*}} ok
// IR-NOT: gpu.barrier
#x = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 32) -> (i4, i5), loop = [i2 @block_x, i3 @thread_y, i4, i5 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), split(r1, 32) -> (r4, r5), loop = [i2 @block_x, i3 @thread_y, r4, r5 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i3 @thread_y, b1], allocation = [i0, b1]>
fuser.fusion @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 1024>]} {
  %0 = fuser.set %x {domains = [#x], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 {domains = [#x], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.exp %3 {domains = [#x], inline_at = 2 : i64} : tensor<?x?xf32>
  %5 = fuser.sum %4 dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 {domains = [#x], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %7 : tensor<?x?xf32>
}
