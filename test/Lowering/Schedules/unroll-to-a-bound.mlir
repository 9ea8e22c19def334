// RUN: fuser-run %s --device=host --check --sizes=40x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x0 | FileCheck %s
// Rows of up to 16 elements in registers, unrolled to the bound that a fact gives.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, i1 @unroll], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, r1 @unroll], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, b1], allocation = [i0, b1]>
fuser.fusion @m(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 16>]} {
  %0 = fuser.exp %x {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.div %0, %2 {domains = [#d], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
