// RUN: fuser-opt %s --fuser-lower-kernels -verify-diagnostics -split-input-file
// Schedules that cannot be lowered: each a diagnostic at the op at fault.

fuser.kernel @width(%x: tensor<?xf32>) -> tensor<?xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected a vector access of 4 elements to hold elements that exist, but the extent it is split from is known to be divisible by 1 only (a fact 'divisible' would say so)}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>]} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected a vector access of 4 elements to hold elements that exist, but the extent it is split from is known to be divisible by 2 only}}
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

fuser.kernel @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a parallel type that lowering knows (serial, unroll, unswitch, vectorize, block, thread), but got @mma}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], loop = [i0 @mma]>]} : tensor<8xf32>
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
