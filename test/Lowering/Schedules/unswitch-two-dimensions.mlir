// RUN: fuser-run %s --device=host --check --sizes=10x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=16x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x31 | FileCheck %s
// Unswitched in the middle of loops over two dimensions, each with a remainder.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i0, 4) -> (i2, i3), split(i1, 8) -> (i4, i5), split(i4, 4) -> (i6, i7), loop = [i2 @block_y, i6 @block_x, i7 @unswitch, i3 @unroll, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @u(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.exp %0 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
