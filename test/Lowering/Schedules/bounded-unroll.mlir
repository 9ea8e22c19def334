// RUN: fuser-run %s --device=host --check --sizes=3x200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x7 | FileCheck %s
// RUN: not fuser-run %s --device=host --sizes=3x300 2>&1 | FileCheck %s --check-prefix=GUARD
// A row in registers: the loop over it is unrolled up to the bound that a fact states, and the fact is a guard.

// CHECK: check {{.*}} ok
// GUARD: expected x.size[1] <= 256
#d = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2 @unroll, i3 @thread_x], allocation = [i0, i1]>
#s = #fuser.domain<logical = [i0, r1], split(r1, 64) -> (r2, r3), loop = [i0 @block_x, r2 @unroll, r3 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], loop = [i0 @block_x, b1], allocation = [i0, b1]>
fuser.fusion @row(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 256>]} {
  %0 = fuser.set %x {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] {domains = [#s], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 {domains = [#d], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
