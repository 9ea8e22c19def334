// RUN: fuser-run %s --device=host --check --sizes=4 | FileCheck %s
// One thread copies to a buffer that all threads would fill with the same elements.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<1x4xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, loop = [b1, b2 @thread_x, b3, i0], allocation = [i0]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 4 : i64, inline_at = 3 : i64, memory = #fuser.memory<shared>} : tensor<4xf32>
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, 96) -> (b2, b3), split(b2, 32) -> (b4, b5), loop = [b4, b5 @thread_x, b3, i1], allocation = [b0, i1]>]} : tensor<4xf32> -> tensor<1x4xf32>
  %2 = fuser.sum %1 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(r0, 96) -> (r2, r3), split(r2, 32) -> (r4, r5), loop = [r4, r5 @thread_x, r3, i1], allocation = [i1]>]} : tensor<1x4xf32> -> tensor<4xf32>
  %3 = fuser.sum %2 dims [0] {domains = [#fuser.domain<logical = [r0], broadcast() -> b1, broadcast() -> b2, broadcast() -> b3, loop = [b1, b2 @thread_x, b3, r0], allocation = []>]} : tensor<4xf32> -> tensor<f32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  %5 = fuser.set %3 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  %6 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 96) -> (b2, b3), split(b2, 32) -> (b4, b5), loop = [b4, b5 @thread_x, b3, i1], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x4xf32>
  fuser.return %4, %5, %6 : tensor<f32>, tensor<f32>, tensor<1x4xf32>
}
