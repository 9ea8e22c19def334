// Tiles that all threads copy, as one thread cannot: the reason, and the fact that is missing.
// RUN: fuser-opt %s --fuser-lower-kernels -split-input-file -verify-diagnostics -o /dev/null

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @not_divisible(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected pieces with a multiple of 16 bytes, but got elements of 4 bytes, whose number is known to be divisible by 1 only (a fact 'divisible' of the extent would say so), or expected strides with a multiple of 16 bytes, but got elements of 4 bytes, whose number is known to be divisible by 1 only (a fact 'divisible' of the extent would say so): the threads of the block copy instead of one of them}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @not_aligned(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>]} {
  // expected-remark @+1 {{expected an argument that is aligned to 16 bytes, but it is known to be aligned to 4 only (a fact 'aligned' would say so): the threads of the block copy instead of one of them}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// A column of a tile is contiguous in shared memory, but not in the argument.
#t = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), loop = [i1 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected elements that are adjacent in both memories, or expected rows of a box with a multiple of 16 bytes, but got 4: the threads of the block copy instead of one of them}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Short parts of many rows, which are far from each other.
#t = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i0, outer 64) -> (i4, i5), loop = [i2 @block_x, i5, i4 @thread_y, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @many_pieces(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>]} {
  // expected-remark @+1 {{expected at most 32 contiguous pieces, but got 64, or expected indices of a box that grow by constants: the threads of the block copy instead of one of them}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
