// RUN: fuser-run %s --device=host --check --program=reduced --sizes=8x11 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=unswitched --sizes=8x6,8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=merged_rest --sizes=4,4 | FileCheck %s
// Loops that are written out up to a bound, or merged behind a split that leaves a rest: nothing is stored beyond the
// extent.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @reduced(%arg0: tensor<8x?xf32>) -> (tensor<?x2xf32>, tensor<16x?xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<at_most 0[1], 13>]} {
  %0 = fuser.cat %arg0, %arg0 dim 0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<16x?xf32>
  %1 = fuser.mean %arg0 dims [0] {domains = [#fuser.domain<logical = [r0, i1], loop = [r0, i1], allocation = [i1]>], memory = #fuser.memory<global>} : tensor<8x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>]} : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.cat %2, %2 dim 1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<?x2xf32>
  %5 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<16x?xf32>
  fuser.return %4, %5 : tensor<?x2xf32>, tensor<16x?xf32>
}

fuser.fusion @unswitched(%arg0: tensor<8x?xf32>, %arg1: tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8x?xf32>, tensor<8x1xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>, #fuser.fact<at_most 0[1], 7>]} {
  %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>]} : tensor<8x?xf32> -> tensor<8x1x?xf32>
  %1 = fuser.mean %0 dims [2] {domains = [#fuser.domain<logical = [i0, b1, r2], loop = [i0, b1, r2], allocation = [i0, b1]>]} : tensor<8x1x?xf32> -> tensor<8x1xf32>
  %2 = fuser.permute %arg0 [1, 0] {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : tensor<8x?xf32> -> tensor<?x8xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<?x8xf32>
  %4 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @unswitch], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<8x?xf32>
  %5 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<8x1xf32>
  fuser.return %3, %4, %5 : tensor<?x8xf32>, tensor<8x?xf32>, tensor<8x1xf32>
}

fuser.fusion @merged_rest(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1], allocation = [b0, i1]>]} : tensor<4xf32> -> tensor<1x4xf32>
  %1 = fuser.add %0, %0 {domains = [#fuser.domain<logical = [b0, i1], split(b0, 2) -> (b2, b3), merge(b2, i1) -> i4, split(i4, outer 5) -> (i5, i6), loop = [i5, i6, b3], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x4xf32>
  %2 = fuser.max %1 dims [0] {domains = [#fuser.domain<logical = [r0, i1], loop = [r0, i1], allocation = [i1]>]} : tensor<1x4xf32> -> tensor<4xf32>
  %3 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %3 : tensor<4xf32>
}
