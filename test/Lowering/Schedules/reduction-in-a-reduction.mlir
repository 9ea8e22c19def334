// RUN: fuser-run %s --device=host --check --sizes=4x6x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x5x33 | FileCheck %s
// A reduction across threads in every iteration of the loop of another.

// CHECK: check {{.*}} ok
#a = #fuser.domain<logical = [i0, i1, r2], split(r2, 32) -> (r3, r4), loop = [i0 @block_x, i1, r3, r4 @thread_x], allocation = [i0, i1]>
#b = #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.max %x dims [2] {domains = [#a], inline_at = 2 : i64} : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#b], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
