// RUN: fuser-run %s --device=host --check --sizes=50x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=7x64 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// What the last block computes from a reduction across blocks, through shared memory and another reduction.

// CHECK: check {{.*}} ok
// IR: fuser_gpu.last_block
// IR-NOT: fuser_gpu.last_block
// IR-NOT: fuser_gpu.grid_sync
#d = #fuser.domain<logical = [r0, i1], split(r0, outer 4) -> (r2, r3), loop = [r2 @block_x, r3, i1 @thread_x], allocation = [i1]>
#s = #fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>
#m = #fuser.domain<logical = [r0], loop = [r0 @thread_x], allocation = []>
#o = #fuser.domain<logical = [], loop = [], allocation = []>
fuser.fusion @rows(%x: tensor<?x64xf32>) -> (tensor<64xf32>, tensor<f32>) {
  %0 = fuser.sum %x dims [0] {domains = [#d], inline_at = 0 : i64} : tensor<?x64xf32> -> tensor<64xf32>
  %1 = fuser.exp %0 {domains = [#s], memory = #fuser.memory<shared>} : tensor<64xf32>
  %2 = fuser.max %1 dims [0] {domains = [#m]} : tensor<64xf32> -> tensor<f32>
  %3 = fuser.set %2 {domains = [#o], memory = #fuser.memory<global>} : tensor<f32>
  %4 = fuser.set %1 {domains = [#s], memory = #fuser.memory<global>} : tensor<64xf32>
  fuser.return %4, %3 : tensor<64xf32>, tensor<f32>
}
