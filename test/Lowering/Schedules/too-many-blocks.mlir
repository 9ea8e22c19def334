// RUN: fuser-run %s --device=host --check --sizes=100x64 | FileCheck %s
// RUN: not fuser-run %s --device=host --sizes=1000x64 2>&1 | FileCheck %s --check-prefix=MANY
// Blocks that wait for each other must all be resident. How many fit is known when the kernel is launched.

// CHECK: grid 100, block 32, {{.*}}cooperative
// CHECK: check {{.*}} ok
// MANY: expected at most 512 blocks of 32 threads to be resident at once, but got 1000
#d = #fuser.domain<logical = [i0, r1], split(r1, 32) -> (r2, r3), loop = [i0 @block_x, r2, r3 @thread_x], allocation = [i0]>
#t = #fuser.domain<logical = [r0], loop = [r0 @block_x], allocation = []>
#b = #fuser.domain<logical = [b0, b1], loop = [b0, b1], allocation = [b0, b1]>
#e = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.fusion @normalise(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %0 dims [0] {domains = [#t]} : tensor<?xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0, 1] {domains = [#b]} : tensor<f32> -> tensor<1x1xf32>
  %3 = fuser.sub %x, %2 {domains = [#e], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
