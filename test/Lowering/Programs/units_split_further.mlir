// Dimensions of size 1 that a schedule splits beyond their size: found by random schedules.
// RUN: fuser-run %s --program=shared_loop --device=host --check --sizes=16x16 | FileCheck %s
// RUN: fuser-run %s --program=unswitched --device=host --check --sizes=8x8 | FileCheck %s
// RUN: fuser-run %s --program=two_extents --device=host --check | FileCheck %s

// CHECK: output 0: ok
module {
  // %2 shares loop i4 with its reader for its broadcast dimension. i4 has 1024 iterations, and is not the index of i1.
  fuser.fusion @shared_loop(%arg0: tensor<16x16xf32>) -> tensor<1x16xf32> {
    %0 = fuser.mean %arg0 dims [0] {domains = [#fuser.domain<logical = [r0, i1], loop = [r0, i1], allocation = [i1]>]} : tensor<16x16xf32> -> tensor<16xf32>
    %1 = fuser.reshape %0 {domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1], allocation = [b0, i1]>]} : tensor<16xf32> -> tensor<1x16xf32>
    %2 = fuser.add %1, %1 {domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1], allocation = [b0, i1]>], inline_at = 1 : i64} : tensor<1x16xf32>
    %3 = fuser.sub %1, %2 {domains = [#fuser.domain<logical = [b0, i1], split(b0, outer 64) -> (b2, b3), merge(i1, b2) -> i4, loop = [i4, b3], allocation = [b0, i1]>]} : tensor<1x16xf32>
    %4 = fuser.set %3 {domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1], allocation = [b0, i1]>], memory = #fuser.memory<global>} : tensor<1x16xf32>
    fuser.return %4 : tensor<1x16xf32>
  }

  // The last iteration of i7 is beyond the one element of i3: the body without predicates must not run.
  fuser.fusion @unswitched(%arg0: tensor<8x8xf32>) -> tensor<8x1x8xf32> {
    %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>]} : tensor<8x8xf32> -> tensor<8x1x8xf32>
    %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, b1, i2], split(i2, 16) -> (i3, i4), merge(b1, i3) -> i5, split(i5, 8) -> (i6, i7), split(i0, 2) -> (i8, i9), loop = [i8, i9, i6, i7 @unswitch, i4 @thread_x], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<8x1x8xf32>
    fuser.return %1 : tensor<8x1x8xf32>
  }

  // Loop 0 of %0 is shared by %1, whose b1 has 3 iterations, and by %2, whose b0 has the 3 iterations of b1: the merge
  // i2 of %2 is not the index of i1, as that of %3 is.
  fuser.fusion @two_extents(%arg0: tensor<3x3xf32>, %arg1: tensor<3xf32>) -> tensor<3x3xf32> {
    %0 = fuser.neg %arg1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(i0, b1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0]>], inline_at = 1 : i64} : tensor<3xf32>
    %1 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0, b1]>], inline_at = 2 : i64} : tensor<3xf32> -> tensor<3x1xf32>
    %2 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], merge(i1, b0) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [b0, i1]>]} : tensor<3xf32> -> tensor<1x3xf32>
    %3 = fuser.permute %2 [1, 0] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0, b1]>]} : tensor<1x3xf32> -> tensor<3x1xf32>
    %4 = fuser.maximum %1, %arg0 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0, i1]>]} : (tensor<3x1xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %5 = fuser.add %4, %3 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0, i1]>]} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
    %6 = fuser.set %5 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 2) -> (i3, i4), loop = [i3, i4], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<3x3xf32>
    fuser.return %6 : tensor<3x3xf32>
  }
}
