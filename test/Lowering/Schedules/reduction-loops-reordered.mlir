// RUN: fuser-run %s --device=host --check --sizes=5x77x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x64x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x0x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x3x2 | FileCheck %s
// The inner part of a reduction is the outer loop, with threads of another dimension between the parts, and the unrolled loop innermost.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, r1, i2], split(r1, 8) -> (r3, r4), split(i2, 4) -> (i5, i6), loop = [i0 @block_x, r4, i5 @thread_y, r3, i6 @unroll], allocation = [i0, i2]>
#o = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_y, i3], allocation = [i0, i1]>
fuser.fusion @m(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[2], 32>]} {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
