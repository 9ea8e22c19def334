// RUN: fuser-run %s --device=host --check --sizes=5x7x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x16x12 | FileCheck %s
// A reduction whose loops are all blocks and threads, of vectors: the element that each thread has is a vector.

// CHECK: check {{.*}} ok
#s = #fuser.domain<logical = [i0, r1, i2], split(r1, 16) -> (r3, r4), split(i2, 4) -> (i5, i6), loop = [i0 @block_y, i5 @block_z, r3 @block_x, r4 @thread_y, i6 @vectorize], allocation = [i0, i2]>
#o = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_y, i2 @block_z, i3 @vectorize], allocation = [i0, i1]>
fuser.fusion @f(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<divisible 0[2], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.sum %x dims [1] {domains = [#s], inline_at = 2 : i64} : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
