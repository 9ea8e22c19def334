// RUN: fuser-run %s --device=host --check --sizes=3x40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=5x17x9 | FileCheck %s
// Tiles of three dimensions are turned in shared memory; blocks and threads along x, y and z.

// CHECK: check {{.*}} ok
#l = #fuser.domain<logical = [i0, i1, i2], split(i1, 8) -> (i3, i4), split(i2, 8) -> (i5, i6), split(i0, 2) -> (i7, i8), loop = [i7 @block_z, i3 @block_y, i5 @block_x, i8 @thread_z, i4 @thread_y, i6 @thread_x], allocation = [i7, i3, i5, i8, i4, i6]>
#s = #fuser.domain<logical = [i0, i1, i2], split(i1, 8) -> (i3, i4), split(i0, 8) -> (i5, i6), split(i2, 2) -> (i7, i8), loop = [i7 @block_z, i3 @block_y, i5 @block_x, i8 @thread_z, i4 @thread_y, i6 @thread_x], allocation = [i0, i1, i2]>
fuser.fusion @t(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.set %x {domains = [#l], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?x?xf32>
  %1 = fuser.permute %0 [2, 1, 0] {domains = [#s], memory = #fuser.memory<global>} : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %1 : tensor<?x?x?xf32>
}
