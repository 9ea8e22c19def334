// RUN: fuser-opt %s --fuser-lower-kernels -verify-diagnostics -split-input-file
// Schedules that cannot be lowered: each a diagnostic at the op at fault.

fuser.kernel @width(%x: tensor<64x?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected a vector access of 4 elements to hold elements that exist, but the extent it is split from is known to be divisible by 1 only (a fact 'divisible' would say so)}}
  %0 = fuser.sum %x dims [0] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [r0, i1], split(i1, 4) -> (i2, i3), loop = [i2 @block_x, r0, i3 @vectorize]>]} : tensor<64x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected the extents below a vector access of 4 elements to be divisible by it, but the stride between its rows is known to be divisible by 2 only}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2, i3 @vectorize]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

fuser.kernel @alignment(%x: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<divisible 0[0], 4>]} {
  // expected-error @+1 {{expected a vector access of 4 elements to be aligned to 16 bytes, but argument 0 is known to be aligned to 4 (a fact 'aligned' would say so)}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @threads(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected loop 0 (@thread_x) to have a constant extent or a fact that bounds it, but got s0}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 2048 x 1 x 1}}
fuser.kernel @block(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 2048) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @registers(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected a value in registers to be read where it was computed, but its id 1 is @thread_x and the consumer's is not}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @thread_x]>]} : tensor<8x8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @thread_x, i1]>]} : tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

fuser.kernel @blocks(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected a value in shared memory to be read where it was computed, but its id 0 is @block_x and the consumer's is not}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>]} : tensor<8x8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i1 @block_x, i0]>]} : tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

fuser.kernel @types(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected shared loop 0 to have one parallel type, but got @block_x and @thread_x}}
  %0 = fuser.set %x {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>]} : tensor<8x8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @thread_x, i1]>]} : tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

fuser.kernel @extents(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{the first one is the extent of this op}}
  %0 = fuser.set %x {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0, i1], split(i0, 2) -> (i2, i3), loop = [i2, i3, i1]>]} : tensor<8x8xf32>
  // expected-error @+1 {{expected shared loop 0 to have one extent, but got 4 and 8}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

fuser.kernel @vector(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a @vectorize extent of 1, 2, 4, 8 or 16, but got 3}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 3) -> (i1, i2), loop = [i1, i2 @vectorize]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @rows(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a @mma extent that is a constant, but got s0}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @mma]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @no_product(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{expected 2 loops on mma, over rows and columns of a product, around the tile, but got 1}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @mma]>]} : tensor<16xf32>
  fuser.return %0 : tensor<16xf32>
}

// -----

fuser.kernel @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a parallel type that lowering knows (serial, unroll, unswitch, vectorize, mma, block, cluster_x, thread), but got @bulk}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @bulk]>]} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @output(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.neg %x : tensor<8xf32>
  // expected-error @+1 {{expected output 0 to be defined by an op with memory = #fuser.memory<global>, but got a value in register memory}}
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @unbounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a value in registers to have constant or bounded extents, but got s0}}
  %0 = fuser.neg %x : tensor<?xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected at most 232448 bytes of shared memory in a block, but got 262144}}
fuser.kernel @too_much(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  // expected-note @+1 {{262144 bytes at 0 are for this op}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i1, i2 @thread_x]>]} : tensor<65536xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i1, i2 @thread_x]>]} : tensor<65536xf32>
  fuser.return %1 : tensor<65536xf32>
}

// -----

fuser.kernel @permuted(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected its first 2 loops ('inline_at') to be those of its consumer, but loop 0 runs over an id that does not correspond to the consumer's}}
  %0 = fuser.exp %x {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<8x8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.permute %0 [1, 0] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<8x8xf32> -> tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

fuser.kernel @shifted(%x: tensor<10xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected its first 1 loops ('inline_at') to be those of its consumer, but loop 0 runs over an id that does not correspond to the consumer's}}
  %0 = fuser.exp %x {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0], split(i0, 2) -> (i1, i2), loop = [i2, i1]>]} : tensor<10xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.slice %0 [2] [8] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 2) -> (i1, i2), loop = [i2, i1]>]} : tensor<10xf32> -> tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}

// -----

fuser.kernel @inner_and_outer(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{expected its first 1 loops ('inline_at') to be those of its consumer, but loop 0 runs over an id that does not correspond to the consumer's}}
  %0 = fuser.exp %x {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2]>]} : tensor<64xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i2, i1]>]} : tensor<64xf32>
  fuser.return %1 : tensor<64xf32>
}

// -----

fuser.kernel @copies(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  // expected-error @+1 {{expected at most 4096 copies of an op in @unroll loops, but loop 1 makes them 1048576}}
  %0 = fuser.neg %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 1024) -> (i1, i2), loop = [i1 @unroll, i2 @unroll]>]} : tensor<1048576xf32>
  fuser.return %0 : tensor<1048576xf32>
}

// -----

fuser.kernel @many_registers(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  // expected-error @+1 {{expected a value in registers to have at most 65536 elements, but got 1000 x 1000}}
  %0 = fuser.exp %x : tensor<1000x1000xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<1000x1000xf32>
  fuser.return %1 : tensor<1000x1000xf32>
}

// -----

fuser.kernel @grids(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<?xf32>
  // expected-error @+1 {{expected all loops on @block_x to have one extent, but got s0 and s1}}
  %1 = fuser.exp %y {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

fuser.kernel @argument(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected output 0 to be defined by an op with memory = #fuser.memory<global>, but got an argument}}
  fuser.return %x : tensor<?xf32>
}

// -----

fuser.kernel @twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = fuser.exp %x {memory = #fuser.memory<global>} : tensor<8xf32>
  // expected-error @+1 {{expected every output to be an op of its own, but output 0 is returned twice}}
  fuser.return %0, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

fuser.kernel @unbounded_shared(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a value in shared memory to have constant or bounded extents, but got s0}}
  %0 = fuser.exp %x {memory = #fuser.memory<shared>} : tensor<?xf32>
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 1 x 65}}
fuser.kernel @deep_block(%x: tensor<4x65xf32>) -> tensor<4xf32> {
  %0 = fuser.sum %x dims [1] {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1 @thread_z]>]} : tensor<4x65xf32> -> tensor<4xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

fuser.kernel @two_domains(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected all results to have the same loops, but result 1 differs from result 0}}
  %v, %m = fuser.var_mean %x dims [1] correction 0 {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0, r1], loop = [i0, r1]>, #fuser.domain<logical = [i0, r1], loop = [i0 @block_x, r1]>]} : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xf32>
  %1 = fuser.set %v {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0]>]} : tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

fuser.kernel @swizzled(%x: tensor<24x24xf32>) -> tensor<24x24xf32> {
  // expected-error @+1 {{expected the extent of a swizzled id to be a constant power of two, but got 24}}
  %0 = fuser.set %x {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0, i1], swizzle(i0, i1, 1) -> (i2, i3), loop = [i0 @thread_y, i1 @thread_x], allocation = [i2, i3]>]} : tensor<24x24xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @thread_y, i1 @thread_x]>]} : tensor<24x24xf32>
  fuser.return %1 : tensor<24x24xf32>
}

// -----

// A vector of which only some elements exist is not summed.
fuser.kernel @cut(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a vector access of 4 elements that are all in bounds or all out of bounds, but the offset by which its id is resized is not known to be a multiple of that}}
  %0 = fuser.sum %x dims [1] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, r1], resize(i0, 2, 6) -> i2, split(i2, 4) -> (i3, i4), loop = [i3, r1, i4 @vectorize]>]} : tensor<8x4xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @scan_over_inner_blocks(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{expected the loops over the scanned dimension 0 to be loops or threads of one block, except for the outermost one, but got @block_x}}
  %0 = fuser.cumsum %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), loop = [i1, i2 @block_x]>]} : tensor<64xf32> -> tensor<64xf32>
  fuser.return %0 : tensor<64xf32>
}

// -----

fuser.kernel @scan_of_merged(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @+1 {{expected the scanned dimension 1 to be a loop, or to be split into loops, but it is merged, swizzled or resized}}
  %0 = fuser.cumsum %x dim 1 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]} : tensor<8x64xf32> -> tensor<8x64xf32>
  fuser.return %0 : tensor<8x64xf32>
}

// -----

// The threads that share a row are not next to each other in the order of its elements.
fuser.kernel @scan_over_scattered_threads(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{expected the threads that share what it scans to be next to each other, but loop 2 is inside of a loop of each thread}}
  %0 = fuser.cumsum %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i1, 2) -> (i3, i4), loop = [i3 @thread_y, i4 @unroll, i2 @thread_x]>]} : tensor<64xf32> -> tensor<64xf32>
  fuser.return %0 : tensor<64xf32>
}

// -----

fuser.kernel @scan_of_long_tiles(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected loop 1 of the tile that it scans to have a constant extent or a fact that bounds it, but got s0 ceildiv 32}}
  %0 = fuser.cumsum %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, outer 32) -> (i1, i2), loop = [i1 @thread_x, i2]>]} : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @scan_of_large_tiles(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected at most 1024 elements of a tile in the registers of a thread, but its loops have more iterations}}
  %0 = fuser.cumsum %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 65536) -> (i1, i2), split(i2, 2048) -> (i3, i4), loop = [i1, i3 @thread_x, i4]>]} : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @chained_scan_in_loop(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-error @+1 {{expected no loop around tiles that are on @block_x, but got a loop of extent 4}}
  %0 = fuser.cumsum %x dim 1 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i3, 2) -> (i4, i5), loop = [i2 @block_x, i0, i4 @thread_x, i5 @unroll]>]} : tensor<4x?xf32> -> tensor<4x?xf32>
  fuser.return %0 : tensor<4x?xf32>
}

// -----

// A result of a tile is read in the loop that collects the tile.
fuser.kernel @scan_inlined_into_its_tile(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{expected its first 1 loops ('inline_at') to be those of its consumer, but loop 0 collects a tile that is scanned after it}}
  %0 = fuser.cumsum %x dim 0 {inline_at = 1 : i64, domains = [#fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @unroll, i2 @thread_x]>]} : tensor<64xf32> -> tensor<64xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @unroll, i2 @thread_x]>]} : tensor<64xf32>
  fuser.return %1 : tensor<64xf32>
}

// -----

// The tuple of one scan is carried from the first iteration, that of the other one from the last.
#tiles = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1, i2 @thread_x]>
fuser.kernel @scans_in_both_directions(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.cumsum %x dim 0 {domains = [#tiles], inline_at = 1 : i64} : tensor<?xf32> -> tensor<?xf32>
  // expected-error @+1 {{expected scans that carry what precedes a tile through loop 0 to have one direction, but they differ}}
  %1 = fuser.cumsum %0 dim 0 reverse {domains = [#tiles], memory = #fuser.memory<global>} : tensor<?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// The other output has more blocks than the reversed scan.
#few = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x]>
fuser.kernel @reversed_scan_of_some_blocks(%x: tensor<64xf32>, %y: tensor<128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  // expected-error @+1 {{expected the blocks of a reversed scan to be all @block_x, but another op has more}}
  %0 = fuser.cumsum %x dim 0 reverse {domains = [#few], memory = #fuser.memory<global>} : tensor<64xf32> -> tensor<64xf32>
  %1 = fuser.neg %y {domains = [#few], memory = #fuser.memory<global>} : tensor<128xf32>
  fuser.return %0, %1 : tensor<64xf32>, tensor<128xf32>
}

// -----

fuser.kernel @scan_of_columns(%x: tensor<64x?xf32>) -> tensor<64x?xf32> {
  // expected-error @+1 {{expected loop 1 inside of the loops that it accumulates over to have a constant extent or a fact that bounds it, but got s1}}
  %0 = fuser.cumsum %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<64x?xf32> -> tensor<64x?xf32>
  fuser.return %0 : tensor<64x?xf32>
}

// -----

fuser.kernel @half_reduced(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected ids 0 and 1, which are merged or swizzled, to be both reductions or both not}}
  %0 = fuser.max %x dims [0] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [r0, i1], merge(r0, i1) -> r2, loop = [r2], allocation = [i1]>]} : tensor<4x4xf32> -> tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

// The vector is split from a split that leaves a rest.
fuser.kernel @split_twice(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>]} {
  // expected-error @+1 {{expected a vector access of 2 elements to hold elements that exist, but the extent it is split from is known to be divisible by 1 only}}
  %0 = fuser.sum %arg0 dims [0] {domains = [#fuser.domain<logical = [r0], split(r0, 8) -> (r1, r2), split(r2, 2) -> (r3, r4), loop = [r1 @block_x, r3, r4 @vectorize], allocation = []>]} : tensor<?xf32> -> tensor<f32>
  %1 = fuser.add %arg2, %arg0 {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i2, 2) -> (i3, i4), loop = [i1 @block_x, i3, i4 @vectorize], allocation = [i0]>]} : tensor<?xf32>
  %2 = fuser.max %1 dims [0] {domains = [#fuser.domain<logical = [r0], split(r0, 8) -> (r1, r2), split(r2, 2) -> (r3, r4), loop = [r1 @block_x, r3, r4 @vectorize], allocation = []>]} : tensor<?xf32> -> tensor<f32>
  %3 = fuser.add %0, %2 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>]} : tensor<f32>
  %4 = fuser.maximum %0, %3 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>]} : tensor<f32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [], loop = [], allocation = []>], memory = #fuser.memory<global>} : tensor<f32>
  %6 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i2, 2) -> (i3, i4), loop = [i1 @block_x, i3, i4 @vectorize], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %5, %6 : tensor<f32>, tensor<?xf32>
}

// -----

// The merged loop of one consumer is no loop of the other.
fuser.kernel @merged_with_more(%arg0: tensor<48xf32>) -> (tensor<48x1xf32>, tensor<48x1xf32>) {
  %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>]} : tensor<48xf32> -> tensor<48x1xf32>
  // expected-note @+1 {{the first one is the extent of this op}}
  %1 = fuser.segment_set %0 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], inline_at = 1 : i64} : tensor<48x1xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<48x1xf32>
  // expected-error @+1 {{expected shared loop 0 to have one extent, but got 48 and 96}}
  %3 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, b1], split(b1, 2) -> (b2, b3), merge(b2, b3) -> b4, merge(i0, b4) -> i5, loop = [i5], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<48x1xf32>
  fuser.return %2, %3 : tensor<48x1xf32>, tensor<48x1xf32>
}

// -----

// %0 makes the loops of the sum those of its reader.
fuser.kernel @read_while_reduced(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x1x8xf32> {
  %0 = fuser.set %arg1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], inline_at = 2 : i64} : tensor<8x8xf32>
  %1 = fuser.broadcast %0 dims [2] {domains = [#fuser.domain<logical = [i0, i1, b2], loop = [i0, i1, b2], allocation = [i0, i1, b2]>], inline_at = 2 : i64} : tensor<8x8xf32> -> tensor<8x8x1xf32>
  // expected-note @+1 {{it is computed here}}
  %2 = fuser.sum %1 dims [1] {domains = [#fuser.domain<logical = [i0, r1, b2], loop = [i0, r1, b2], allocation = [i0, b2]>]} : tensor<8x8x1xf32> -> tensor<8x1xf32>
  // expected-error @+1 {{expected operand 0 to be reduced before it is read, but both are in loop 1, as other ops share it}}
  %3 = fuser.mul %2, %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : (tensor<8x1xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = fuser.broadcast %3 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>]} : tensor<8x8xf32> -> tensor<8x1x8xf32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<8x1x8xf32>
  fuser.return %5 : tensor<8x1x8xf32>
}

// -----

fuser.kernel @swizzled_broadcast(%arg0: tensor<7x?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<7xf32>) -> tensor<7xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  %0 = fuser.permute %arg2 [0] {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, split(b1, outer 8) -> (b2, b3), swizzle(i0, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [i0]>], inline_at = 3 : i64} : tensor<7xf32> -> tensor<7xf32>
  %1 = fuser.mul %arg2, %0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, split(b1, outer 8) -> (b2, b3), swizzle(i0, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [i0]>], inline_at = 3 : i64} : tensor<7xf32>
  %2 = fuser.add %arg2, %0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, split(b1, outer 8) -> (b2, b3), swizzle(i0, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [i0]>], inline_at = 3 : i64} : tensor<7xf32>
  %3 = fuser.broadcast %2 dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, outer 8) -> (b2, b3), swizzle(i1, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [b0, i1]>], inline_at = 3 : i64} : tensor<7xf32> -> tensor<1x7xf32>
  // expected-error @+1 {{expected ids 1 and 3, which are merged or swizzled, to be both reductions or both not}}
  %4 = fuser.max %3 dims [1] {domains = [#fuser.domain<logical = [b0, r1], split(b0, outer 8) -> (b2, b3), swizzle(r1, b3, 1) -> (r4, b5), loop = [b2, b5, r4], allocation = [b0]>], memory = #fuser.memory<global>} : tensor<1x7xf32> -> tensor<1xf32>
  %5 = fuser.sub %4, %1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, split(b1, outer 8) -> (b2, b3), swizzle(i0, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [i0]>], inline_at = 1 : i64} : (tensor<1xf32>, tensor<7xf32>) -> tensor<7xf32>
  %6 = fuser.set %5 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, split(b1, outer 8) -> (b2, b3), swizzle(i0, b3, 1) -> (i4, b5), loop = [b2, b5, i4], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<7xf32>
  fuser.return %6 : tensor<7xf32>
}

// -----

// Without a row %5 would never be stored.
fuser.kernel @stored_in_loops_of_another(%arg0: tensor<4x?x4xf32>, %arg1: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  %0 = fuser.set %arg1 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 16) -> (i3, i4), broadcast() -> b5, loop = [b5, i3 @block_x, i4], allocation = [i0]>], inline_at = 3 : i64} : tensor<4xf32>
  %1 = fuser.sum %arg0 dims [0] {domains = [#fuser.domain<logical = [r0, i1, i2], merge(i1, i2) -> i3, split(i3, 16) -> (i4, i5), loop = [r0, i4 @block_x, i5], allocation = [i1, i2]>]} : tensor<4x?x4xf32> -> tensor<?x4xf32>
  %2 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], merge(b0, i1) -> i2, split(i2, 16) -> (i3, i4), broadcast() -> b5, loop = [b5, i3 @block_x, i4], allocation = [b0, i1]>], inline_at = 3 : i64} : tensor<4xf32> -> tensor<1x4xf32>
  %3 = fuser.sub %2, %1 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 16) -> (i3, i4), broadcast() -> b5, loop = [b5, i3 @block_x, i4], allocation = [i0, i1]>]} : (tensor<1x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = fuser.set %3 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 16) -> (i3, i4), broadcast() -> b5, loop = [b5, i3 @block_x, i4], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<?x4xf32>
  // expected-error @+1 {{expected a loop of its own for id 1, which has one index, but it shares one that may have none: s1 iterations}}
  %5 = fuser.set %0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 16) -> (i3, i4), broadcast() -> b5, loop = [b5, i3 @block_x, i4], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<4xf32>
  fuser.return %4, %5 : tensor<?x4xf32>, tensor<4xf32>
}

// -----

// %3 reads columns of what is computed row by row around it.
fuser.kernel @read_in_other_order(%arg0: tensor<3x3x3xf32>) -> tensor<3x3xf32> {
  %0 = fuser.neg %arg0 {domains = [#fuser.domain<logical = [i0, i1, i2], loop = [i0, i1, i2], allocation = [i0, i1, i2]>]} : tensor<3x3x3xf32>
  %1 = fuser.max %0 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], loop = [i0, i1, r2], allocation = [i0, i1]>], inline_at = 2 : i64} : tensor<3x3x3xf32> -> tensor<3x3xf32>
  // expected-note @+1 {{it is computed here}}
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : tensor<3x3xf32>
  // expected-error @+1 {{expected operand 0 to be computed before it is read, but both are in loop 0, as other ops share it}}
  %3 = fuser.permute %2 [1, 0] {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], inline_at = 2 : i64} : tensor<3x3xf32> -> tensor<3x3xf32>
  %4 = fuser.maximum %1, %3 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], inline_at = 2 : i64} : tensor<3x3xf32>
  %5 = fuser.set %4 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<3x3xf32>
  fuser.return %5 : tensor<3x3xf32>
}

// -----

// A sum needs the lanes that do not exist.
fuser.kernel @sum_across_rests(%arg0: tensor<8x4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a vector access of 8 elements that exist all or not at all, but it does not run along id 0, whose extent is checked}}
  %0 = fuser.sum %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, 5) -> (i2, i3), split(i2, 8) -> (i4, i5), loop = [i3, i4, r1, i5 @vectorize]>], memory = #fuser.memory<global>} : tensor<8x4xf32> -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @more_loops_than_the_consumer(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected 'inline_at' of at most 1, the number of the consumer's loops, but got 2}}
  %0 = fuser.set %x {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1]>]} : tensor<8x8xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]} : tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}

// -----

// %e makes one loop of those of %p's reader and of its own, %f the other way around.
fuser.kernel @needed_by_each_other(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @+1 {{expected inline positions that allow an order, but shared loops need each other's results}}
  %e = fuser.neg %x {inline_at = 1 : i64} : tensor<8xf32>
  %f = fuser.exp %x {inline_at = 1 : i64} : tensor<8xf32>
  %p = fuser.abs %e : tensor<8xf32>
  %0 = fuser.add %f, %p {memory = #fuser.memory<global>} : tensor<8xf32>
  %q = fuser.abs %f : tensor<8xf32>
  %1 = fuser.add %e, %q {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error @+1 {{expected integers, floats or complex numbers as elements of argument 1, but got 'tensor<8xindex>'}}
fuser.kernel @indices_as_elements(%x: tensor<8xf32>, %unread: tensor<8xindex>) -> tensor<8xf32> {
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @op_of_another_dialect(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expected only fuser ops on tensors in a kernel}}
  %e = tensor.extract %x[%c0] : tensor<8xf32>
  %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

fuser.kernel @library(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected an op with a scalar form or a combiner; lowering has none for it}}
  %0 = fuser.library "sort"(%x : tensor<8xf32>) {memory = #fuser.memory<global>} -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// Lanes of one row and of the next: more than the first would have to be stored.
fuser.kernel @vector_done_once(%x: tensor<4x1xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x1xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>]} {
  // expected-error @+1 {{expected a vector access of 8 elements to be done once, but id 1, which has one index, has those of a consumer}}
  %0 = fuser.neg %x {memory = #fuser.memory<global>, inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, split(i2, 8) -> (i3, i4), loop = [i3, i4 @vectorize]>]} : tensor<4x1xf32>
  %1 = fuser.add %0, %y {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, split(i2, 8) -> (i3, i4), loop = [i3, i4 @vectorize]>]} : (tensor<4x1xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  fuser.return %1, %0 : tensor<4x4xf32>, tensor<4x1xf32>
}

// -----

// What is read element by element is looked at like any other operand.
fuser.kernel @read_by_other_blocks(%s: tensor<4xf32>, %i: tensor<4xi64>, %x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a value in shared memory to be read where it was computed, but its id 0 is @block_x and the consumer's is not}}
  %0 = fuser.neg %s {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>]} : tensor<4xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.scatter %0 at %i into %x dim 0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x]>]} : tensor<4xf32>, tensor<4xi64>, tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}

// -----

fuser.kernel @rows_apart(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<stride_divisible 0[0], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected the extents below a vector access of 4 elements to be divisible by it, but the stride between its rows is known to be divisible by 2 only}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2, i3 @vectorize]>]} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// The lanes of a vector are combined behind it: who is in the vector's loop, as both share it with a third op, reads too early.
fuser.kernel @lanes_reduced_late(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.set %x {inline_at = 2 : i64, domains = [#fuser.domain<logical = [i0], broadcast() -> b1, loop = [b1, i0 @vectorize]>]} : tensor<8xf32>
  // expected-note @+1 {{it is computed here}}
  %1 = fuser.max %0 dims [0] {domains = [#fuser.domain<logical = [r0], broadcast() -> b1, loop = [b1, r0 @vectorize]>]} : tensor<8xf32> -> tensor<f32>
  // expected-error @+1 {{expected operand 0 to be reduced before it is read, but both are in loop 1}}
  %2 = fuser.broadcast %1 dims [0] {domains = [#fuser.domain<logical = [b0], broadcast() -> b1, loop = [b1, b0 @vectorize]>], inline_at = 2 : i64} : tensor<f32> -> tensor<1xf32>
  %3 = fuser.add %2, %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], broadcast() -> b1, loop = [b1, i0 @vectorize]>]} : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = fuser.set %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], broadcast() -> b1, loop = [b1, i0 @vectorize]>]} : tensor<8xf32>
  fuser.return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// -----

fuser.kernel @swizzled_broadcast(%x: tensor<7xf32>) -> tensor<1x7xf32> {
  // expected-error @+1 {{expected a swizzle of ids that are no broadcast, but got id 2}}
  %0 = fuser.broadcast %x dims [0] {domains = [#fuser.domain<logical = [b0, i1], split(b0, outer 8) -> (b2, b3), swizzle(i1, b2, 1) -> (i4, b5), loop = [i4, b5 @block_x, b3]>]} : tensor<7xf32> -> tensor<1x7xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [b0, i1], loop = [b0, i1]>]} : tensor<1x7xf32>
  fuser.return %1 : tensor<1x7xf32>
}

// -----

fuser.kernel @too_many_accumulators(%x: tensor<3x5000xf32>) -> tensor<5000xf32> {
  // expected-error @+1 {{expected at most 1024 accumulators in the registers of a thread}}
  %0 = fuser.sum %x dims [0] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [r0, i1], loop = [r0, i1]>]} : tensor<3x5000xf32> -> tensor<5000xf32>
  fuser.return %0 : tensor<5000xf32>
}

// -----

fuser.kernel @too_many_combined_accumulators(%x: tensor<3x300xf32>) -> tensor<300xf32> {
  // expected-error @+1 {{expected at most 256 accumulators of a thread to be combined with those of other blocks, but got 300}}
  %0 = fuser.sum %x dims [0] {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [r0, i1], split(r0, 2) -> (r2, r3), loop = [r2 @block_x, r3, i1]>]} : tensor<3x300xf32> -> tensor<300xf32>
  fuser.return %0 : tensor<300xf32>
}

// -----

// Of the 3 x 3 iterations that two splits make of one element, only the first exists; the consumer has an element in each.
fuser.kernel @parts_of_one(%arg0: tensor<3x3xf32>) -> tensor<1x3x3xf32> {
  %0 = fuser.broadcast %arg0 dims [0] {domains = [#fuser.domain<logical = [b0, i1, i2], loop = [b0, i1, i2], allocation = [b0, i1, i2]>]} : tensor<3x3xf32> -> tensor<1x3x3xf32>
  // expected-error @+1 {{expected shared loop 1 to consist of id 0, which has one element, in all ops that share it}}
  %1 = fuser.tanh %0 {domains = [#fuser.domain<logical = [b0, i1, i2], split(b0, 8) -> (b3, b4), split(b4, 3) -> (b5, b6), loop = [b3, b5, b6, i1, i2], allocation = [b0, i1, i2]>], inline_at = 3 : i64} : tensor<1x3x3xf32>
  // expected-note @+1 {{this one has something else there}}
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [b0, i1, i2], loop = [b0, i1, i2], allocation = [b0, i1, i2]>], memory = #fuser.memory<global>} : tensor<1x3x3xf32>
  fuser.return %2 : tensor<1x3x3xf32>
}

// -----

// Loops that cross a reshape: the whole of the consumer is no loop of the producer, which has the parts.
fuser.kernel @whole_for_a_part(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-note @+1 {{the first one is the extent of this op}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1]>], inline_at = 1 : i64} : tensor<?x?xf32>
  // expected-error @+1 {{expected shared loop 0 to have one extent, but got s0 and s0 * s1}}
  %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, logical = [i2], loop = [i2 @block_x]>], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// -----

// Nor is the part of the consumer one of the producer, which has the whole.
fuser.kernel @part_for_a_whole(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  // expected-note @+1 {{the first one is the extent of this op}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>], inline_at = 2 : i64} : tensor<?x12xf32>
  // expected-error @+1 {{expected shared loop 1 to have one extent, but got 12 and 3}}
  %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], split(i1, 4) -> (i2, i3), logical = [i0, i2, i3], loop = [i0 @block_x, i2 @thread_x, i3]>], memory = #fuser.memory<global>} : tensor<?x12xf32> -> tensor<?x3x4xf32>
  fuser.return %1 : tensor<?x3x4xf32>
}

// -----

// Parts of equal extents that are other elements of the whole.
fuser.kernel @other_parts(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
  // expected-error @+1 {{expected its first 3 loops ('inline_at') to be those of its consumer, but loop 1 runs over an id that does not correspond to the consumer's}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 3) -> (i2, i3), loop = [i0 @block_x, i3 @thread_x, i2]>], inline_at = 3 : i64} : tensor<?x12xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], split(i1, 4) -> (i2, i3), logical = [i0, i2, i3], loop = [i0 @block_x, i2 @thread_x, i3]>], memory = #fuser.memory<global>} : tensor<?x12xf32> -> tensor<?x3x4xf32>
  fuser.return %1 : tensor<?x3x4xf32>
}

// -----

// A merge of the parts in the other order.
fuser.kernel @merged_in_the_other_order(%x: tensor<4x4xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{expected its first 1 loops ('inline_at') to be those of its consumer, but loop 0 runs over an id that does not correspond to the consumer's}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], merge(i1, i0) -> i2, loop = [i2 @thread_x]>], inline_at = 1 : i64} : tensor<4x4xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.reshape %0 {domains = [#fuser.domain<root = [i0, i1], merge(i0, i1) -> i2, logical = [i2], loop = [i2 @thread_x]>], memory = #fuser.memory<global>} : tensor<4x4xf32> -> tensor<16xf32>
  fuser.return %1 : tensor<16xf32>
}

// -----

// One of the iterations that repeat an element stores it, in another block than the one that reads it.
fuser.kernel @stored_by_another_block(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected loop 0 not to be shared: it merges a dimension of size 1 with others, and other threads or later iterations store elements that the consumer reads in it}}
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 64) -> (i3, i4), loop = [i3 @block_x, i4]>], inline_at = 2 : i64, memory = #fuser.memory<global>} : tensor<?xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.repeat %0 [3] {domains = [#fuser.domain<root = [e0, i1], merge(e0, i1) -> i2, split(i2, 64) -> (i3, i4), logical = [i2], loop = [i3 @block_x, i4]>]} : tensor<?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i1 @block_x, i2]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// -----

// The same in loops of one thread whose order is not that of the elements.
fuser.kernel @stored_by_a_later_iteration(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected loop 0 not to be shared: it merges a dimension of size 1 with others}}
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 64) -> (i3, i4), loop = [i4, i3]>], inline_at = 2 : i64, memory = #fuser.memory<global>} : tensor<?xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.repeat %0 [3] {domains = [#fuser.domain<root = [e0, i1], merge(e0, i1) -> i2, split(i2, 64) -> (i3, i4), logical = [i2], loop = [i4, i3]>]} : tensor<?xf32> -> tensor<?xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], split(i0, 64) -> (i1, i2), loop = [i2, i1]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// -----

// Stand-ins for the consumer's outer dimension at two places of a merge: the loop that both share through the argument's copy
// has the elements of the first one, the consumer would read those of the second one.
fuser.kernel @stand_ins(%x: tensor<7xf32>) -> tensor<7x7xf32> {
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(i0, b1) -> i2, broadcast() -> b3, merge(b3, i2) -> i4, loop = [i4]>], inline_at = 1 : i64} : tensor<7xf32>
  // expected-note @+1 {{it is computed here}}
  %1 = fuser.broadcast %0 dims [0] {domains = [#fuser.domain<logical = [b0, i1], broadcast() -> b2, merge(i1, b2) -> i3, merge(i3, b0) -> i4, broadcast() -> b5, merge(b5, i4) -> i6, loop = [i6]>]} : tensor<7xf32> -> tensor<1x7xf32>
  %2 = fuser.broadcast %0 dims [1] {domains = [#fuser.domain<logical = [i0, b1], broadcast() -> b2, merge(i0, b2) -> i3, merge(i3, b1) -> i4, broadcast() -> b5, merge(b5, i4) -> i6, loop = [i6]>], inline_at = 1 : i64} : tensor<7xf32> -> tensor<7x1xf32>
  // expected-error @+1 {{expected operand 1 to be computed before it is read, but both are in loop 0, as other ops share it}}
  %3 = fuser.add %2, %1 {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, broadcast() -> b3, merge(b3, i2) -> i4, loop = [i4]>], memory = #fuser.memory<global>} : (tensor<7x1xf32>, tensor<1x7xf32>) -> tensor<7x7xf32>
  fuser.return %3 : tensor<7x7xf32>
}

// -----

fuser.kernel @kept_part_of_a_reduction(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected its consumers to know the index of id 2, but nothing maps to it}}
  %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(r1, 4) -> (i2, r3), loop = [i0, i2, r3], allocation = [i0]>]} : tensor<8x8xf32> -> tensor<8xf32>
  %1 = fuser.set %0 {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}

// -----

// The result is stored in a buffer of its own.
fuser.kernel @update_elsewhere(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<99xf32>) -> tensor<99xf32> {
  // expected-error @+1 {{expected an output that is stored in the argument that the op updates (an alias)}}
  %0 = fuser.push %s at %i into %x dim 0 reduce add {memory = #fuser.memory<global>} : tensor<64xf32>, tensor<64xi64>, tensor<99xf32>
  fuser.return %0 : tensor<99xf32>
}

// -----

fuser.kernel @update_of_a_value(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<99xf32>) -> tensor<99xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.neg %x : tensor<99xf32>
  // expected-error @+1 {{expected an output that is stored in the argument that the op updates (an alias)}}
  %1 = fuser.push %s at %i into %0 dim 0 reduce add {memory = #fuser.memory<global>} : tensor<64xf32>, tensor<64xi64>, tensor<99xf32>
  fuser.return %1 : tensor<99xf32>
}

// -----

// %0 makes the loops of both ops one: the stores of %2 come in another order than its elements.
fuser.kernel @stored_by_a_later_iteration_of_others(%x: tensor<200xf32>) -> (tensor<200xf32>, tensor<600xf32>) {
  %0 = fuser.relu %x {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i4, i3]>], inline_at = 2 : i64} : tensor<200xf32>
  %1 = fuser.repeat %0 [3] {domains = [#fuser.domain<root = [e0, i1], merge(e0, i1) -> i2, split(i2, 96) -> (i3, i4), logical = [i2], loop = [i4, i3]>], memory = #fuser.memory<global>} : tensor<200xf32> -> tensor<600xf32>
  // expected-error @+1 {{expected loop 0 not to be shared: it merges a dimension of size 1 with others, and other threads or later iterations store elements that the consumer reads in it}}
  %2 = fuser.tanh %0 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i4, i3]>], memory = #fuser.memory<global>} : tensor<200xf32>
  // expected-note @+1 {{the consumer is here}}
  %3 = fuser.add %0, %2 {domains = [#fuser.domain<logical = [i0], broadcast() -> b1, merge(b1, i0) -> i2, split(i2, 96) -> (i3, i4), loop = [i4, i3]>], memory = #fuser.memory<global>} : tensor<200xf32>
  fuser.return %3, %1 : tensor<200xf32>, tensor<600xf32>
}

// -----

// %0 makes the loop of two parts that of two elements: the second part has nothing to read.
fuser.kernel @part_of_one_for_another(%x: tensor<1xf32>) -> tensor<2xf32> {
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [b0], loop = [b0]>], inline_at = 1 : i64} : tensor<1xf32>
  // expected-error @+1 {{expected shared loop 0 to consist of id 0, which has one element, in all ops that share it}}
  %1 = fuser.abs %0 {domains = [#fuser.domain<logical = [b0], split(b0, outer 2) -> (b1, b2), loop = [b1, b2]>], memory = #fuser.memory<shared>} : tensor<1xf32>
  // expected-note @+1 {{this one has something else there}}
  %2 = fuser.cat %0, %1 dim 0 {domains = [#fuser.domain<logical = [i0], loop = [i0]>], memory = #fuser.memory<global>} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  fuser.return %2 : tensor<2xf32>
}

// -----

// A copy in shared memory has a constant size.
#unknown = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x]>
fuser.kernel @copy_of_unknown_size(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  // expected-error @+1 {{expected 'fuser.privatized' with a constant size of dimension 0, which is not over blocks alone}}
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#unknown], memory = #fuser.memory<global>, fuser.privatized} : tensor<64xf32>, tensor<64xi64>, tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

#inner = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i2 @thread_x, i1 @block_x]>
fuser.kernel @blocks_in_threads(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<9xf32>) -> tensor<9xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  // expected-error @+1 {{expected 'fuser.privatized' with loops over blocks outside of all others}}
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#inner], memory = #fuser.memory<global>, fuser.privatized} : tensor<64xf32>, tensor<64xi64>, tensor<9xf32>
  fuser.return %0 : tensor<9xf32>
}

// -----

#blocks = #fuser.domain<logical = [i0], loop = [i0 @block_x]>
fuser.kernel @no_loops_in_a_block(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<9xf32>) -> tensor<9xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  // expected-error @+1 {{expected 'fuser.privatized' with loops in a block}}
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#blocks], memory = #fuser.memory<global>, fuser.privatized} : tensor<64xf32>, tensor<64xi64>, tensor<9xf32>
  fuser.return %0 : tensor<9xf32>
}

// -----

fuser.kernel @copy_of_what_is_replaced(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<9xf32>) -> tensor<9xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  // expected-error @+1 {{expected 'fuser.privatized' to be a unit attribute of an op that combines elements with those of a buffer, but got unit}}
  %0 = fuser.push %s at %i into %x dim 0 {memory = #fuser.memory<global>, fuser.privatized} : tensor<64xf32>, tensor<64xi64>, tensor<9xf32>
  fuser.return %0 : tensor<9xf32>
}

// -----

#wide = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x]>
// expected-error @+1 {{shared memory}}
fuser.kernel @copy_that_does_not_fit(%s: tensor<64xf32>, %i: tensor<64xi64>, %x: tensor<90000xf32>) -> tensor<90000xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  // expected-note @+1 {{360000 bytes at 0 are this buffer's}}
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#wide], memory = #fuser.memory<global>, fuser.privatized} : tensor<64xf32>, tensor<64xi64>, tensor<90000xf32>
  fuser.return %0 : tensor<90000xf32>
}
