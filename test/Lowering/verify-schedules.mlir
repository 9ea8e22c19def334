// fuser-verify-schedules emits what lowering would, for all kernels, and changes nothing.
// RUN: fuser-opt %s --split-input-file --fuser-verify-schedules --verify-diagnostics | FileCheck %s

// CHECK-LABEL: fuser.kernel @valid
// CHECK-NEXT: fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
// CHECK-NOT: gpu.module
fuser.kernel @valid(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @block_x]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// Both kernels are refused, each at its op: a vector that nothing proves to be aligned, and
// a value in registers that is read by another thread.
fuser.kernel @vector(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a vector access of 4 elements to be aligned to 16 bytes, but argument 0 is known to be aligned to 4}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.kernel @registers(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{expected a value in registers to be read where it was computed, but its id 0 is @thread_x and the consumer's is not}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @thread_x, i1]>]} : tensor<32x32xf32>
  // expected-note @+1 {{the consumer is here}}
  %1 = fuser.tanh %0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1 @thread_x]>], memory = #fuser.memory<global>} : tensor<32x32xf32>
  fuser.return %1 : tensor<32x32xf32>
}

// -----

// A dimension of one element by facts has no stride between rows; one that may have two rows does.
fuser.kernel @one_row(%x: tensor<?x1x7xf32>) -> tensor<?x1x7xf32> attributes {facts = [#fuser.fact<at_least 0[0], 1>, #fuser.fact<at_most 0[0], 1>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, b1, i2], merge(i0, b1) -> i3, merge(i3, i2) -> i4, split(i4, 4) -> (i5, i6), loop = [i5 @block_x, i6 @vectorize]>], memory = #fuser.memory<global>} : tensor<?x1x7xf32>
  fuser.return %0 : tensor<?x1x7xf32>
}

fuser.kernel @two_rows(%x: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {facts = [#fuser.fact<at_least 0[0], 1>, #fuser.fact<at_most 0[0], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  // expected-error @+1 {{expected the extents below a vector access of 4 elements to be divisible by it, but the stride between its rows is known to be divisible by 7 only}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2, i3 @vectorize]>], memory = #fuser.memory<global>} : tensor<?x7xf32>
  fuser.return %0 : tensor<?x7xf32>
}
