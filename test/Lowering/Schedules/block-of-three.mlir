// RUN: fuser-run %s --device=host --check --sizes=5x6x50 | FileCheck %s
// A reduction over thread_x and thread_z of a three-dimensional block whose sizes are no powers of two.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [r0, i1, r2], split(i1, 2) -> (i3, i4), split(r2, 5) -> (r5, r6), split(r0, 3) -> (r7, r8),
     loop = [i3 @block_x, i4 @thread_y, r7, r5, r8 @thread_z, r6 @thread_x], allocation = [i1]>
#o = #fuser.domain<logical = [i0], split(i0, 2) -> (i1, i2), loop = [i1 @block_x, i2 @thread_y], allocation = [i0]>
fuser.fusion @middle(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [0, 2] {domains = [#d], inline_at = 2 : i64} : tensor<?x?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
