// RUN: fuser-run %s --device=host --check --sizes=500 | FileCheck %s
// A border around a value in shared memory: nothing outside of it is read.

// CHECK: check {{.*}} ok
#t = #fuser.domain<logical = [i0], split(i0, 64) -> (i2, i3), loop = [i2, i3 @thread_x], allocation = [i0]>
fuser.fusion @st(%x: tensor<500xf32>, %v: f32) -> tensor<508xf32> {
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<shared>} : tensor<500xf32>
  %1 = fuser.pad %0 low [3] high [5] value %v {domains = [#t], inline_at = 2 : i64} : tensor<500xf32>, f32 -> tensor<508xf32>
  %3 = fuser.neg %1 {domains = [#t], memory = #fuser.memory<global>} : tensor<508xf32>
  fuser.return %3 : tensor<508xf32>
}
