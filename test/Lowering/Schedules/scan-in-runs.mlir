// RUN: fuser-run %s --device=host --check --sizes=5x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x333 | FileCheck %s
// Two rows for each thread, in three runs of two elements each, between which are those of the threads in z: a tuple is carried for each row.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, i1], split(i1, 2) -> (i2, i3), split(i2, 16) -> (i4, i5), split(i4, 3) -> (i6, i7), split(i0, 2) -> (i8, i9), loop = [i8 @block_y, i6, i9 @unroll, i7 @unroll, i5 @thread_z, i3 @unroll]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32>
  %1 = fuser.cumprod %0 dim 1 {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.neg %1 {domains = [#d], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
