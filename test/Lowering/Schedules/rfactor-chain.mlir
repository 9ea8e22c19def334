// RUN: fuser-run %s --device=host --check --sizes=4x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x31 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x4096 | FileCheck %s
// A reduction in three steps: serial to shared memory, a warp for each eighth, then the rest.

// CHECK: check {{.*}} ok
#p = #fuser.domain<root = [i0, r1], split(r1, 64) -> (r2, i3), logical = [i0, r2, i3], loop = [i0 @block_x, i3 @thread_x, r2], allocation = [i0, i3]>
#q = #fuser.domain<root = [i0, r1], split(r1, 8) -> (i2, r3), logical = [i0, i2, r3], loop = [i0 @block_x, i2 @thread_y, r3 @thread_x], allocation = [i0, i2]>
#z = #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_y], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @rfactor(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#p], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<?x?xf32> -> tensor<?x64xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#q], inline_at = 1 : i64} : tensor<?x64xf32> -> tensor<?x8xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#z], inline_at = 1 : i64} : tensor<?x8xf32> -> tensor<?xf32>
  %3 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}
