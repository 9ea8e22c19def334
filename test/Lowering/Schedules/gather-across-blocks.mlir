// RUN: fuser-run %s --device=host --check --sizes=100,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7,1 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// An index that is data picks what other blocks computed.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.grid_sync
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
#u = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<?xf32>, %y: tensor<?xi64>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<?xf32>
  %2 = fuser.index_select %0, %y dim 0 {domains = [#u], inline_at = 2 : i64} : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  %3 = fuser.neg %2 {domains = [#u], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
