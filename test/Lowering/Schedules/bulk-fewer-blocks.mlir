// RUN: fuser-run %s --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// The launch has as many blocks as the longer of two loops. Blocks without a row of x wait for phases without bytes.

// CHECK: check output 0: ok
// CHECK: output 1: ok
// IR: fuser_gpu.mbarrier_wait
// IR: fuser_gpu.copy_bulk
#t = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
#m = #fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), split(i3, 32) -> (i4, i5), loop = [i0 @block_x, i2, i5 @thread_x, i4]>
fuser.fusion @rows(%x: tensor<3x260xf32>, %z: tensor<5x128xf32>) -> (tensor<3x260xf32>, tensor<5x128xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk"} : tensor<3x260xf32>
  %1 = fuser.neg %0 {domains = [#m], memory = #fuser.memory<global>} : tensor<3x260xf32>
  %2 = fuser.exp %z {domains = [#t], memory = #fuser.memory<global>} : tensor<5x128xf32>
  fuser.return %1, %2 : tensor<3x260xf32>, tensor<5x128xf32>
}
