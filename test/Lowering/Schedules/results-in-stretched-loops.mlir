// RUN: fuser-run %s --device=host --check --program=blocks --sizes=8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=lanes --sizes=4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sums --sizes=100 | FileCheck %s
// Loops over one element that consumers stretch: iterations behind the first compute nothing, and must not overwrite in registers what
// that one computed.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @blocks(%arg0: tensor<?xf32>) -> (tensor<?x1xf32>, tensor<?xf32>, tensor<?x1xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<at_most 0[0], 10>]} {
  %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(b1, outer 16) -> (b2, b3), split(i0, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [i0, b1]>], inline_at = 5 : i64} : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.permute %0 [1, 0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, outer 16) -> (b2, b3), split(i1, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [b0, i1]>], inline_at = 5 : i64} : tensor<?x1xf32> -> tensor<1x?xf32>
  %2 = fuser.mean %1 dims [1] {domains = [#fuser.domain<logical = [b0, r1], split(b0, outer 16) -> (b2, b3), split(r1, 64) -> (r4, r5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, r4, r5], allocation = [b0]>], inline_at = 3 : i64} : tensor<1x?xf32> -> tensor<1xf32>
  %3 = fuser.mul %arg0, %2 {domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, loop = [b3 @block_x, b4, b5, i1, i2], allocation = [i0]>]} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %4 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], split(b1, outer 16) -> (b2, b3), split(i0, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [i0, b1]>]} : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.mul %4, %0 {domains = [#fuser.domain<logical = [i0, b1], split(b1, outer 16) -> (b2, b3), split(i0, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [i0, b1]>]} : tensor<?x1xf32>
  %6 = fuser.set %5 {domains = [#fuser.domain<logical = [i0, b1], split(b1, outer 16) -> (b2, b3), split(i0, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<?x1xf32>
  %7 = fuser.set %3 {domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), broadcast() -> b3, broadcast() -> b4, broadcast() -> b5, loop = [b3 @block_x, b4, b5, i1, i2], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  %8 = fuser.set %5 {domains = [#fuser.domain<logical = [i0, b1], split(b1, outer 16) -> (b2, b3), split(i0, 64) -> (i4, i5), split(b3, 96) -> (b6, b7), loop = [b2 @block_x, b6, b7, i4, i5], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<?x1xf32>
  fuser.return %6, %7, %8 : tensor<?x1xf32>, tensor<?xf32>, tensor<?x1xf32>
}

fuser.fusion @lanes(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, outer 4) -> (b2, b3), split(i1, 96) -> (i4, i5), split(i5, 2) -> (i6, i7), loop = [b2, b3, i4, i6, i7 @vectorize], allocation = [b0, i1]>]} : tensor<4xf32> -> tensor<1x4xf32>
  %1 = fuser.max %0 dims [1] {domains = [#fuser.domain<logical = [b0, r1], split(b0, outer 4) -> (b2, b3), split(r1, 96) -> (r4, r5), split(r5, 2) -> (r6, r7), loop = [b2, b3, r4, r6, r7 @vectorize], allocation = [b0]>], inline_at = 2 : i64} : tensor<1x4xf32> -> tensor<1xf32>
  %2 = fuser.add %1, %arg0 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), split(i2, 2) -> (i3, i4), broadcast() -> b5, broadcast() -> b6, loop = [b5, b6, i1, i3, i4 @vectorize], allocation = [i0]>]} : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = fuser.neg %1 {domains = [#fuser.domain<logical = [b0], split(b0, outer 4) -> (b1, b2), loop = [b1, b2], allocation = [b0]>]} : tensor<1xf32>
  %4 = fuser.add %arg0, %3 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), split(i2, 2) -> (i3, i4), broadcast() -> b5, broadcast() -> b6, loop = [b5, b6, i1, i3, i4 @vectorize], allocation = [i0]>]} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), split(i2, 2) -> (i3, i4), broadcast() -> b5, broadcast() -> b6, loop = [b5, b6, i1, i3, i4 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
  %6 = fuser.set %2 {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), split(i2, 2) -> (i3, i4), broadcast() -> b5, broadcast() -> b6, loop = [b5, b6, i1, i3, i4 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %5, %6 : tensor<4xf32>, tensor<4xf32>
}

fuser.fusion @sums(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, 96) -> (b2, b3), loop = [b2, b3, i1 @block_y], allocation = [b0, i1]>]} : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [b0, r1], split(b0, 96) -> (b2, b3), loop = [b2, b3, r1 @block_y], allocation = [b0]>], inline_at = 2 : i64} : tensor<1x?xf32> -> tensor<1xf32>
  %2 = fuser.add %arg0, %1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2, i0 @block_y], allocation = [i0]>]} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %3 = fuser.segment_set %1 {domains = [#fuser.domain<logical = [b0], split(b0, 96) -> (b1, b2), loop = [b1, b2], allocation = [b0]>]} : tensor<1xf32>
  %4 = fuser.mul %arg0, %3 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2, i0 @block_y], allocation = [i0]>]} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %5 = fuser.maximum %4, %2 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2, i0 @block_y], allocation = [i0]>]} : tensor<?xf32>
  %6 = fuser.set %5 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, broadcast() -> b2, loop = [b1, b2, i0 @block_y], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %6 : tensor<?xf32>
}
