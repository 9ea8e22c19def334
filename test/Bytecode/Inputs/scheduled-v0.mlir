module {
  fuser.kernel @softmax_0(%arg0: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<at_most 0[1], 16384>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>], schedule = #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>} {
    %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 1 : i64} : tensor<?x?xbf16>
    %1 = fuser.cast %0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xbf16> to tensor<?x?xf32>
    %2 = fuser.max %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(r1, 8) -> (r2, r3), split(r2, 512) -> (r4, r5), loop = [i0 @block_x, r4 @unroll, r5 @thread_x, r3 @vectorize], allocation = [i0]>], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
    %3 = fuser.broadcast %2 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2 @block_x], allocation = [i0, b1]>], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
    %4 = fuser.cast %0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xbf16> to tensor<?x?xf32>
    %5 = fuser.sub %4, %3 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    %6 = fuser.exp %5 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xf32>
    %7 = fuser.sum %6 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(r1, 8) -> (r2, r3), split(r2, 512) -> (r4, r5), loop = [i0 @block_x, r4 @unroll, r5 @thread_x, r3 @vectorize], allocation = [i0]>], inline_at = 1 : i64} : tensor<?x?xf32> -> tensor<?xf32>
    %8 = fuser.broadcast %7 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2 @block_x], allocation = [i0, b1]>], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
    %9 = fuser.cast %0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xbf16> to tensor<?x?xf32>
    %10 = fuser.broadcast %2 dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2 @block_x], allocation = [i0, b1]>], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?x1xf32>
    %11 = fuser.sub %9, %10 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    %12 = fuser.exp %11 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xf32>
    %13 = fuser.div %12, %8 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    %14 = fuser.cast %13 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<?x?xf32> to tensor<?x?xbf16>
    %15 = fuser.set %14 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4 @unroll, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<?x?xbf16>
    fuser.return %15 : tensor<?x?xbf16>
  }
  fuser.host @softmax(%arg0: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xbf16>
    %c1 = arith.constant 1 : index
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xbf16>
    %0 = fuser.alloc(%dim, %dim_0) : tensor<?x?xbf16>
    %1 = fuser.launch @softmax_0 ins(%arg0 : tensor<?x?xbf16>) outs(%0 : tensor<?x?xbf16>) -> tensor<?x?xbf16>
    fuser.return %1 : tensor<?x?xbf16>
  }
}

