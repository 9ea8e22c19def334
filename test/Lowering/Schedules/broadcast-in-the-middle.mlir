// RUN: fuser-run %s --device=host --check --sizes=5x9,5x7x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x65,3x33x65 | FileCheck %s
// A value without the middle dimension in loops that merge all three.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1, i2], merge(i0, i1) -> i3, merge(i3, i2) -> i4, split(i4, 64) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x], allocation = [i0, i1, i2]>
#b = #fuser.domain<logical = [i0, b1, i2], merge(i0, b1) -> i3, merge(i3, i2) -> i4, split(i4, 64) -> (i5, i6), loop = [i5 @block_x, i6 @thread_x], allocation = [i0, b1, i2]>
#c = #fuser.domain<logical = [i0, i1], broadcast() -> b5, merge(i0, b5) -> i2, merge(i2, i1) -> i3, split(i3, 64) -> (i6, i7), loop = [i6 @block_x, i7 @thread_x], allocation = [i0, i1]>
fuser.fusion @u(%x: tensor<?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuser.exp %x {domains = [#c], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %2 = fuser.add %1, %y {domains = [#d], memory = #fuser.memory<global>} : (tensor<?x1x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  fuser.return %2 : tensor<?x?x?xf32>
}
