// Values that cannot be circular buffers.
// RUN: fuser-opt %s -split-input-file -verify-diagnostics --fuser-lower-kernels

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @computed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.stages' on a copy (fuser.set): what is computed is not copied while a loop computes}}
  %0 = fuser.exp %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @value_of_the_loop(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = fuser.exp %x {domains = [#t], inline_at = 3 : i64} : tensor<?x?xf32>
  // expected-error @+1 {{expected a copy of an argument of the kernel with 'fuser.stages', but got what the kernel computes}}
  %0 = fuser.set %e {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @registers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected memory = #fuser.memory<shared> with 'fuser.stages', but got register}}
  %0 = fuser.set %x {domains = [#t], inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @narrow(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // expected-error @+1 {{expected copies of 4, 8 or 16 bytes of a thread with 'fuser.stages', but got 1 element of 2 bytes (a vectorize loop of 2 or 4 or 8 would fit)}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 32) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
fuser.kernel @wide(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{but got 8 elements of 4 bytes (a vectorize loop of 1 or 2 or 4 would fit)}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @no_loop(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @+1 {{expected a serial loop as the innermost one, but for threads, that a copy with 'fuser.stages' shares with its readers (inline_at), but got block_x}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 1 : i64, fuser.stages = 4 : i64} : tensor<?x64xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x64xf32>
  fuser.return %1 : tensor<?x64xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2 @unroll, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @unrolled(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  // expected-error @+1 {{shares with its readers (inline_at), but got unroll}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x256xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x256xf32>
  fuser.return %1 : tensor<?x256xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @two_numbers(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @+1 {{the other copy is here}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf32>
  // expected-error @+1 {{expected 4 stages, as another copy of the loop has, but got 3}}
  %1 = fuser.set %y {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64} : tensor<?x?xf32>
  %2 = fuser.add %0, %1 {domains = [#t], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 512) -> (i4, i5), loop = [i0 @block_x, i4, i5 @thread_x, i3 @vectorize], allocation = [i0, i1]>
// expected-error @+1 {{expected at most 232448 bytes of shared memory in a block, but got 262144}}
fuser.kernel @too_many(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-note @+1 {{262144 bytes at 0 are for this op}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 32 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @no_stage(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.stages' to be an i64 between 1 and 64, but got 0 : i64}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 0 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @too_many_stages(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.stages' to be an i64 between 1 and 64, but got 9223372036854775807 : i64}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 9223372036854775807 : i64} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @another_engine(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.copy_engine' to be "bulk", next to 'fuser.stages' of at least 2, but got "tensor"}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "tensor"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @engine_without_stages(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.copy_engine' to be "bulk", next to 'fuser.stages' of at least 2, but got "bulk"}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @role_without_engine(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.copy_role' to be "producer", next to 'fuser.copy_engine', but got "producer"}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_role = "producer"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @another_role(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.copy_role' to be "producer", next to 'fuser.copy_engine', but got "warp"}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "warp"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// Its first stage has the one element. The iterations beyond it read stages that are never filled.
fuser.kernel @stages_of_one_element(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<f32>) {
  // expected-error @+1 {{expected shared loop 1 to consist of id 0, which has one element, in all ops that share it}}
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [b0], split(b0, 5) -> (b1, b2), loop = [b1, b2]>], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64} : tensor<1xf32>
  %1 = fuser.neg %0 {domains = [#fuser.domain<logical = [b0], split(b0, 5) -> (b1, b2), loop = [b1, b2]>], memory = #fuser.memory<global>} : tensor<1xf32>
  // expected-note @+1 {{this one has something else there}}
  %2 = fuser.reshape %0 {domains = [#fuser.domain<logical = [], broadcast() -> b0, broadcast() -> b1, loop = [b0, b1]>], memory = #fuser.memory<global>} : tensor<1xf32> -> tensor<f32>
  fuser.return %1, %2 : tensor<1xf32>, tensor<f32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @stored_from_registers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#t]} : tensor<?x?xf32>
  // expected-error @+1 {{expected a copy of a value in shared memory with 'fuser.copy_engine', but got register}}
  %1 = fuser.set %0 {domains = [#t], memory = #fuser.memory<global>, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @stored_from_an_argument(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected a copy of a value in shared memory with 'fuser.copy_engine', but got an argument of the kernel}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<global>, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @no_output(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 1 : i64} : tensor<?x?xf32>
  // expected-error @+1 {{expected a copy (fuser.set) to an output of the kernel with 'fuser.copy_engine' and without 'fuser.stages'}}
  %1 = fuser.set %0 {domains = [#t], memory = #fuser.memory<global>, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %2 = fuser.exp %1 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @bulk_of_one_stage(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.copy_engine' to be "bulk", next to 'fuser.stages' of at least 2, but got "bulk"}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 1 : i64, fuser.copy_engine = "bulk"} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

// One stage is in any loop, but of an argument.
#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @one_stage_of_a_value(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 128>]} {
  %0 = fuser.neg %x {domains = [#t], inline_at = 1 : i64} : tensor<?x?xf32>
  // expected-error @+1 {{expected a copy of an argument of the kernel with 'fuser.stages', but got what the kernel computes}}
  %1 = fuser.set %0 {domains = [#t], memory = #fuser.memory<shared>, inline_at = 1 : i64, fuser.stages = 1 : i64} : tensor<?x?xf32>
  %2 = fuser.neg %1 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @registers_without_role(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.role_registers' to be array<i64> of 2 numbers, next to 'fuser.copy_role', but got array<i64: 40, 232>}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @registers_of_one_role(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.role_registers' to be array<i64> of 2 numbers, next to 'fuser.copy_role', but got array<i64: 40>}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @odd_registers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.role_registers' to be multiples of 8 from 24 to 256, but got 36}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 36, 232>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @too_many_registers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected 'fuser.role_registers' to be multiples of 8 from 24 to 256, but got 512}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 512>} : tensor<?x?xf32>
  %1 = fuser.neg %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// -----

#t = #fuser.domain<logical = [i0, i1], split(i1, 64) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x], allocation = [i0, i1]>
fuser.kernel @other_registers(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-note @+1 {{the other copy is here}}
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 40, 232>} : tensor<?x?xf32>
  // expected-error @+1 {{expected 'fuser.role_registers' as another copy of the loop has}}
  %1 = fuser.set %z {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 2 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.role_registers = array<i64: 24, 240>} : tensor<?x?xf32>
  %2 = fuser.add %0, %1 {domains = [#t], memory = #fuser.memory<global>} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
