// RUN: fuser-run %s --device=host --check --check-accesses --sizes=6x300 | FileCheck %s
// RUN: fuser-run %s --device=host --check --check-accesses --sizes=8x128 | FileCheck %s
// Threads of a block that has rows to skip reach the barriers of the reduction as those of full blocks do.
// CHECK: check {{ *}}output 0: ok
#x = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 128) -> (i4, i5), loop = [i2 @block_x, i3 @unswitch, i4, i5 @thread_x], allocation = [i0, i1]>
#r = #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), split(r1, 128) -> (r4, r5), loop = [i2 @block_x, i3 @unswitch, r4, r5 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i2, i3), loop = [i2 @block_x, i3 @unswitch], allocation = [i0]>
fuser.fusion @u(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %1 = fuser.exp %x {domains = [#x], inline_at = 4 : i64} : tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#r], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
