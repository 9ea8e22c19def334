// RUN: fuser-run %s --device=host --check --sizes=5x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x3 | FileCheck %s
// A mean and a variance over three blocks, of two rows in each: tuples of three components, and more peers than threads
// of a row.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0, r1], split(i0, 2) -> (i2, i3), split(r1, 2) -> (r4, r5), split(r4, 3) -> (r6, r7),
     loop = [i2 @block_x, i3 @thread_y, r6, r7 @cluster_x, r5 @thread_x], allocation = [i0]>
#b = #fuser.domain<logical = [i0, b1], split(i0, 2) -> (i2, i3), loop = [i2 @block_x, i3 @thread_y, b1], allocation = [i0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i0, 2) -> (i2, i3), split(i1, 2) -> (i4, i5), split(i4, 3) -> (i6, i7),
     loop = [i2 @block_x, i3 @thread_y, i6, i7 @cluster_x, i5 @thread_x], allocation = [i0, i1]>
fuser.fusion @norm(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %v, %m = fuser.var_mean %x dims [1] correction 0 {domains = [#d, #d], inline_at = 2 : i64} : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %bm = fuser.broadcast %m dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %bv = fuser.broadcast %v dims [1] {domains = [#b], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %c = fuser.sub %x, %bm {domains = [#e], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.add %c, %bv {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %y : tensor<?x?xf32>
}
