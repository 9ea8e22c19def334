// RUN: fuser-run %s --device=host --check --sizes=4x1000 | FileCheck %s
// A reduction in two steps: partial sums over a serial id (rfactor), then one over blocks and threads.

// CHECK: check {{.*}} ok
#part = #fuser.domain<root = [i0, r1], split(r1, 128) -> (r2, i3), logical = [i0, r2, i3], split(i3, 32) -> (i4, i5),
     loop = [i0 @block_x, i4 @block_y, i5 @thread_x, r2], allocation = [i0, i3]>
#rest = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), loop = [i0 @block_x, r2 @block_y, r3 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>
fuser.fusion @rfactor(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#part], inline_at = 3 : i64} : tensor<?x?xf32> -> tensor<?x128xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#rest], inline_at = 1 : i64} : tensor<?x128xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
