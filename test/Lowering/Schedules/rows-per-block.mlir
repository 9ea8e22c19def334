// RUN: fuser-run %s --device=host --check --sizes=13x40 | FileCheck %s
// Several rows to a block: thread_y over rows, a half warp over each row.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, r1], split(i0, 4) -> (i2, i3), split(r1, 16) -> (r4, r5), loop = [i2 @block_x, i3 @thread_y, r4, r5 @thread_x], allocation = [i0]>
#o = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @thread_y], allocation = [i0]>
fuser.fusion @rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.max %x dims [1] {domains = [#d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
