// RUN: fuser-run %s --device=host --check --sizes=11x12 | FileCheck %s
// One producer with two consumers at inline position 1, others at 0 and 2.

// CHECK-COUNT-2: ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#row = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @unroll, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @positions(%x: tensor<?x12xf32>) -> (tensor<?x12xf32>, tensor<?x12xf32>) {
  %0 = fuser.set %x {domains = [#row], inline_at = 0 : i64} : tensor<?x12xf32>
  %1 = fuser.neg %0 {domains = [#row], inline_at = 1 : i64} : tensor<?x12xf32>
  %2 = fuser.exp %1 {domains = [#d], inline_at = 2 : i64} : tensor<?x12xf32>
  %3 = fuser.add %2, %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x12xf32>
  %4 = fuser.mul %1, %1 {domains = [#row], memory = #fuser.memory<global>} : tensor<?x12xf32>
  fuser.return %3, %4 : tensor<?x12xf32>, tensor<?x12xf32>
}
