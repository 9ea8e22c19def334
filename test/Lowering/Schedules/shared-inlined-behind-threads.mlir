// RUN: fuser-run %s --device=host --check --sizes=6x100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x33 | FileCheck %s
// A value in shared memory that shares the loop of its threads: each has its own elements.

// CHECK: check {{.*}} ok
#t = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i2, 4) -> (i4, i5), loop = [i0 @block_x, i4, i3 @thread_x, i5], allocation = [i0, i1]>
fuser.fusion @loop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 3 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
