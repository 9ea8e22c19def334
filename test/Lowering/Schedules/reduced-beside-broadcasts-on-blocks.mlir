// RUN: fuser-run %s --device=host --check --program=to_global --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=to_shared --sizes=8x8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=goes_on --sizes=8x8 | FileCheck %s
// Blocks run over what is reduced, merged with a broadcast that has more indices: the result has one element, which whoever
// combines the blocks stores, also where that is not the block of index 0.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @to_global(%arg0: tensor<1x1xf32>) -> tensor<1xf32> {
  %0 = fuser.mul %arg0, %arg0 {domains = [#fuser.domain<logical = [b0, b1], split(b1, outer 32) -> (b2, b3), merge(b0, b2) -> b4, loop = [b4 @block_x, b3], allocation = [b0, b1]>]} : tensor<1x1xf32>
  %1 = fuser.max %0 dims [0] {domains = [#fuser.domain<logical = [r0, b1], split(b1, outer 32) -> (b2, b3), merge(r0, b2) -> r4, loop = [r4 @block_x, b3], allocation = [b1]>], memory = #fuser.memory<global>} : tensor<1x1xf32> -> tensor<1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0], broadcast() -> b1, split(b0, outer 32) -> (b2, b3), merge(b1, b2) -> b4, loop = [b4 @block_x, b3], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1xf32>
  fuser.return %2 : tensor<1xf32>
}

fuser.fusion @to_shared(%arg0: tensor<8x8xf32>) -> tensor<8xf32> {
  %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], split(i2, 5) -> (i3, i4), merge(b1, i3) -> i5, loop = [i0, i5 @block_x, i4], allocation = [i0, b1, i2]>]} : tensor<8x8xf32> -> tensor<8x1x8xf32>
  %1 = fuser.mean %0 dims [2] {domains = [#fuser.domain<logical = [i0, b1, r2], split(r2, 5) -> (r3, r4), merge(b1, r3) -> r5, loop = [i0, r5 @block_x, r4], allocation = [i0, b1]>]} : tensor<8x1x8xf32> -> tensor<8x1xf32>
  %2 = fuser.mean %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1], broadcast() -> b2, split(b2, 5) -> (b3, b4), merge(r1, b3) -> r5, loop = [i0, r5 @block_x, b4], allocation = [i0]>], memory = #fuser.memory<shared>} : tensor<8x1xf32> -> tensor<8xf32>
  %3 = fuser.neg %2 {domains = [#fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>]} : tensor<8xf32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %4 : tensor<8xf32>
}

// What is computed behind the reduction in its block loop still has the block's index.
fuser.fusion @goes_on(%arg0: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %0 = fuser.neg %arg0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i1 @block_x, i0], allocation = [i0, i1]>], inline_at = 1 : i64} : tensor<8x8xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], loop = [r1 @block_x, i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<8x8xf32> -> tensor<8xf32>
  %2 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i1 @block_x, i0], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<8x8xf32>
  fuser.return %1, %2 : tensor<8xf32>, tensor<8x8xf32>
}
