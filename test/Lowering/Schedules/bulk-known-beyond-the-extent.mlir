// RUN: fuser-run %s --device=host --check --sizes=4x8,4 | FileCheck %s
// A copy that is known to be beyond the extent: its piece has no bytes, by a constant below 0.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<4x?xf32>, %x1: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<divisible 0[1], 8>, #fuser.fact<at_most 0[1], 8>]} {
  %0 = fuser.set %x1 {domains = [#fuser.domain<logical = [i0], split(i0, outer 64) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 3 : i64, inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<4xf32>
  %1 = fuser.relu %0 {domains = [#fuser.domain<logical = [i0], split(i0, outer 64) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>]} : tensor<4xf32>
  %2 = fuser.insert_slice %0 into %1 [0] {domains = [#fuser.domain<logical = [i0], split(i0, outer 64) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>]} : tensor<4xf32> into tensor<4xf32>
  %3 = fuser.add %0, %2 {domains = [#fuser.domain<logical = [i0], split(i0, outer 64) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>]} : tensor<4xf32>
  %4 = fuser.mean %0 dims [0] {domains = [#fuser.domain<logical = [r0], split(r0, outer 64) -> (r1, r2), split(r1, 16) -> (r3, r4), loop = [r3, r4, r2], allocation = []>]} : tensor<4xf32> -> tensor<f32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  %6 = fuser.set %3 {domains = [#fuser.domain<logical = [i0], split(i0, outer 64) -> (i1, i2), split(i1, 16) -> (i3, i4), loop = [i3, i4, i2], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %5, %6 : tensor<f32>, tensor<4xf32>
}
