// RUN: fuser-run %s --device=host --check --sizes=100x40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x4 | FileCheck %s
// Each thread sends the sums of its columns, a vector, to all blocks of the cluster.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), split(i2, 8) -> (i4, i5), split(r0, outer 4) -> (r6, r7),
     loop = [i4 @block_x, r6 @cluster_x, r7, i5 @thread_x, i3 @vectorize], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), split(i1, 8) -> (i3, i4),
     loop = [i3 @block_x, i4 @thread_x, i2 @vectorize], allocation = [i0]>
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.sum %x dims [0] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
