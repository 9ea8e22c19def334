// RUN: fuser-run %s --device=host --check --sizes=77x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x5 | FileCheck %s
// A scan of short rows, one row per thread, iteration by iteration; its values stay in registers until the sum of the row is
// known.

// CHECK: check {{.*}} ok
#row = #fuser.domain<logical = [i0, i1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, i1 @unroll]>
#sum = #fuser.domain<logical = [i0, r1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, r1 @unroll], allocation = [i0]>
#one = #fuser.domain<logical = [i0, b1], split(i0, 32) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x, b1 @unroll]>
fuser.fusion @rows(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = fuser.abs %x {domains = [#row], inline_at = 3 : i64} : tensor<?x5xf32>
  %1 = fuser.cumsum %0 dim 1 {domains = [#row], inline_at = 2 : i64} : tensor<?x5xf32> -> tensor<?x5xf32>
  %2 = fuser.sum %1 dims [1] {domains = [#sum], inline_at = 2 : i64} : tensor<?x5xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] {domains = [#one], inline_at = 2 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.div %1, %3 {domains = [#row], memory = #fuser.memory<global>} : (tensor<?x5xf32>, tensor<?x1xf32>) -> tensor<?x5xf32>
  fuser.return %4 : tensor<?x5xf32>
}
