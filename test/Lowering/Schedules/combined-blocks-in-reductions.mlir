// RUN: fuser-run %s --device=host --check --sizes=7x7,7x6x7 | FileCheck %s
// Blocks combine a mean in each iteration of a loop, and a second mean runs over this loop: it is stored behind the loop, so that
// every block needs the first one, not just the last to arrive.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @f(%arg0: tensor<7x7xf32>, %arg1: tensor<7x?x7xf32>) -> (tensor<7x7xf32>, tensor<f32>, tensor<7x7xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>, #fuser.fact<divisible 1[1], 2>]} {
  %0 = fuser.mean %arg0 dims [0] {domains = [#fuser.domain<logical = [r0, i1], split(i1, 64) -> (i2, i3), loop = [i2, i3, r0 @block_y], allocation = [i1]>], inline_at = 2 : i64} : tensor<7x7xf32> -> tensor<7xf32>
  %1 = fuser.sum %arg1 dims [1] {domains = [#fuser.domain<logical = [i0, r1, i2], split(i0, 64) -> (i3, i4), loop = [i3, i4, r1, i2 @block_y], allocation = [i0, i2]>]} : tensor<7x?x7xf32> -> tensor<7x7xf32>
  %2 = fuser.permute %arg0 [1, 0] {domains = [#fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), loop = [i2, i3, i1 @block_y], allocation = [i0, i1]>]} : tensor<7x7xf32> -> tensor<7x7xf32>
  %3 = fuser.mean %0 dims [0] {domains = [#fuser.domain<logical = [r0], split(r0, 64) -> (r1, r2), loop = [r1, r2], allocation = []>], memory = #fuser.memory<global>} : tensor<7xf32> -> tensor<f32>
  %4 = fuser.maximum %1, %2 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), loop = [i2, i3, i1 @block_y], allocation = [i0, i1]>]} : tensor<7x7xf32>
  %5 = fuser.sum %arg1 dims [1] {domains = [#fuser.domain<logical = [i0, r1, i2], split(i0, 64) -> (i3, i4), loop = [i3, i4, r1, i2 @block_y], allocation = [i0, i2]>]} : tensor<7x?x7xf32> -> tensor<7x7xf32>
  %6 = fuser.set %4 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), loop = [i2, i3, i1 @block_y], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<7x7xf32>
  %7 = fuser.set %3 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  %8 = fuser.set %5 {domains = [#fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), loop = [i2, i3, i1 @block_y], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<7x7xf32>
  fuser.return %6, %7, %8 : tensor<7x7xf32>, tensor<f32>, tensor<7x7xf32>
}
