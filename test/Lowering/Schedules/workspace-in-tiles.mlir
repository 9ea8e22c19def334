// RUN: fuser-run %s --device=host --check --sizes=40x70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x65 | FileCheck %s
// A workspace whose allocation is blocked: a tile behind the other, transposed inside.

// CHECK: check {{.*}} ok
#w = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 8) -> (i4, i5), loop = [i2 @block_y, i4 @block_x, i3 @thread_y, i5 @thread_x], allocation = [i2, i4, i5, i3]>
#v = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i1, 8) -> (i4, i5), loop = [i4 @block_y, i2 @block_x, i3 @thread_x, i5 @thread_y], allocation = [i0, i1]>
fuser.fusion @g(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#w], memory = #fuser.memory<global>} : tensor<?x?xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#v], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
