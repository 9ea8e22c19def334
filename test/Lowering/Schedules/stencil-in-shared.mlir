// RUN: fuser-run %s --device=host --check --sizes=500 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// Neighbours are read out of shared memory.

// CHECK: check {{.*}} ok
// IR-COUNT-1: gpu.barrier
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<500xf32>) -> tensor<498xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<shared>} : tensor<500xf32>
  %1 = fuser.slice %0 [0] [498] {domains = [#t], inline_at = 2 : i64} : tensor<500xf32> -> tensor<498xf32>
  %2 = fuser.slice %0 [2] [498] {domains = [#t], inline_at = 2 : i64} : tensor<500xf32> -> tensor<498xf32>
  %3 = fuser.add %1, %2 {domains = [#t], memory = #fuser.memory<global>} : tensor<498xf32>
  fuser.return %3 : tensor<498xf32>
}
