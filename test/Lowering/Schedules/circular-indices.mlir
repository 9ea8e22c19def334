// RUN: fuser-run %s --device=host --check --sizes=9x5,70 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x2,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=4x3,0 | FileCheck %s
// Indices that are data, read from a circular buffer.

// CHECK: check {{.*}} ok
#i = #fuser.domain<logical = [i0], split(i0, 16) -> (i1, i2), loop = [i1, i2 @thread_x]>
#y = #fuser.domain<logical = [i0, i1], split(i0, 16) -> (i2, i3), loop = [i2, i3 @thread_x, i1]>
fuser.fusion @rows(%x: tensor<?x?xf32>, %ids: tensor<?xi64>) -> tensor<?x?xf32> {
  %0 = fuser.set %ids {domains = [#i], memory = #fuser.memory<shared>, inline_at = 1 : i64, fuser.stages = 3 : i64} : tensor<?xi64>
  %1 = fuser.index_select %x, %0 dim 0 {domains = [#y], memory = #fuser.memory<global>} : tensor<?x?xf32>, tensor<?xi64> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
