// Seed 3117837: fault
// UninitializedRead: kernel 'f_0', block (0, 0, 0), thread (2, 0, 0): expected memref.load at program:2:3 to read what was written, but got byte 64 of parameter 4 (sizes [1024], strides [1], 1024 bytes), which nobody has written
// fuser-run FILE --device=host --check --sizes=8x32
// step: split op 3 0 4 0
// step: split op 3 0 16 0
// step: parallelize op 3 loop 0 @thread_x
// step: parallelize op 3 loop 3 @block_x
// step: propagate op 3
// step: memory op 0 global
// step: memory op 4 global
// step: memory op 6 global
// step: inline op 0 5
// step: inline op 1 5
// step: inline op 2 5
// step: inline op 3 5
// step: inline op 5 5
module {
  fuser.fusion @f(%arg0: tensor<?x32xf32>) -> tensor<?x96x1xf32> {
    %0 = fuser.segment_set %arg0 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i1) -> i3, split(i3, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, loop = [i6 @thread_x, i7, i5, b8 @block_x, i0], allocation = [i0, i1]>], inline_at = 5 : i64, memory = #fuser.memory<global>} : tensor<?x32xf32>
    %1 = fuser.permute %0 [1, 0] {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i0) -> i3, split(i3, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, loop = [i6 @thread_x, i7, i5, b8 @block_x, i1], allocation = [i0, i1]>], inline_at = 5 : i64} : tensor<?x32xf32> -> tensor<32x?xf32>
    %2 = fuser.repeat %1 [3, 1] {domains = [#fuser.domain<root = [e0, i1, i2], merge(e0, i1) -> i3, split(i3, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, logical = [i3, i2], loop = [i6 @thread_x, i7, i5, b8 @block_x, i2], allocation = [i3, i2]>], inline_at = 5 : i64} : tensor<32x?xf32> -> tensor<96x?xf32>
    %3 = fuser.broadcast %2 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], split(i0, outer 4) -> (i3, i4), split(i3, outer 16) -> (i5, i6), loop = [i5 @thread_x, i6, i4, b1 @block_x, i2], allocation = [i0, b1, i2]>], inline_at = 5 : i64} : tensor<96x?xf32> -> tensor<96x1x?xf32>
    %4 = fuser.max %3 dims [1] {domains = [#fuser.domain<logical = [i0, r1, i2], split(i0, outer 4) -> (i3, i4), split(i3, outer 16) -> (i5, i6), loop = [i5 @thread_x, i6, i4, r1 @block_x, i2], allocation = [i0, i2]>], memory = #fuser.memory<global>} : tensor<96x1x?xf32> -> tensor<96x?xf32>
    %5 = fuser.broadcast %4 dims [2] {domains = [#fuser.domain<logical = [i0, i1, b2], merge(i1, b2) -> i3, split(i0, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, loop = [i6 @thread_x, i7, i5, b8 @block_x, i3], allocation = [i0, i1, b2]>], inline_at = 5 : i64} : tensor<96x?xf32> -> tensor<96x?x1xf32>
    %6 = fuser.permute %5 [1, 0, 2] {domains = [#fuser.domain<logical = [i0, i1, b2], merge(i0, b2) -> i3, split(i1, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, loop = [i6 @thread_x, i7, i5, b8 @block_x, i3], allocation = [i0, i1, b2]>], memory = #fuser.memory<global>} : tensor<96x?x1xf32> -> tensor<?x96x1xf32>
    %7 = fuser.set %6 {domains = [#fuser.domain<logical = [i0, i1, b2], merge(i0, b2) -> i3, split(i1, outer 4) -> (i4, i5), split(i4, outer 16) -> (i6, i7), broadcast() -> b8, loop = [i6 @thread_x, i7, i5, b8 @block_x, i3], allocation = [i0, i1, b2]>], memory = #fuser.memory<global>} : tensor<?x96x1xf32>
    fuser.return %7 : tensor<?x96x1xf32>
  }
}