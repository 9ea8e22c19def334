// RUN: fuser-run %s --device=host --check --sizes=5000 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Neighbours that other blocks computed are read out of a workspace.

// CHECK: check {{.*}} ok
// IR-COUNT-1: fuser_gpu.grid_sync
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2 @block_x, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<5000xf32>) -> tensor<4998xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<global>} : tensor<5000xf32>
  %1 = fuser.slice %0 [0] [4998] {domains = [#t], inline_at = 2 : i64} : tensor<5000xf32> -> tensor<4998xf32>
  %2 = fuser.slice %0 [2] [4998] {domains = [#t], inline_at = 2 : i64} : tensor<5000xf32> -> tensor<4998xf32>
  %3 = fuser.add %1, %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<4998xf32>
  fuser.return %3 : tensor<4998xf32>
}
