// RUN: fuser-opt %s --fuser-verify-layouts -verify-diagnostics -split-input-file
// One site that says something else than the others per piece (S0.3, S0.6); labels are those of LayoutContract.h.

// All agree: nothing to say.
fuser.kernel @agree_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.host @agree(%x: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  %1 = fuser.launch @agree_0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}

// -----

// LV1: between two kernels, the consumer reads another order than the buffer has.
fuser.kernel @k0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
// expected-note @+1 {{the kernel has it here}}
fuser.kernel @k1(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.host @h(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.alloc() order [1, 0] : tensor<4x8xf32>
  // expected-note @+1 {{the buffer has its order here}}
  %1 = fuser.launch @k0 ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fuser.alloc() : tensor<4x8xf32>
  // expected-error @+1 {{expected input 0 in the order [0, 1] of the kernel, but got [1, 0]}}
  %3 = fuser.launch @k1 ins(%1 : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %3 : tensor<4x8xf32>
}

// -----

// LV2: the buffer is allocated in another order than the kernel stores.
// expected-note @+1 {{the kernel has it here}}
fuser.kernel @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.host @h(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-note @+1 {{the buffer has its order here}}
  %0 = fuser.alloc() : tensor<4x8xf32>
  // expected-error @+1 {{expected output 0 in the order [1, 0] of the kernel, but got [0, 1]}}
  %1 = fuser.launch @k ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}

// -----

// LV3: kernel and buffer agree with each other, but not with the program.
fuser.kernel @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.host @h(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.alloc() : tensor<4x8xf32>
  // expected-note @+1 {{the buffer has its order here}}
  %1 = fuser.launch @k ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{expected output 0 in its required stride order [1, 0], but got [0, 1]}}
  fuser.return %1 : tensor<4x8xf32>
}

// -----

// LV4: a schedule stores in another order.
// expected-note @+1 {{the kernel requires it here}}
fuser.kernel @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  // expected-error @+1 {{expected the allocation of output 0 in the order [0, 1], but got [1, 0]}}
  %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>], memory = #fuser.memory<global>} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}

// -----

// A hint decides nothing once the program is cut into kernels: buffer and kernel are row-major (S0.3).
fuser.kernel @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "by-hand">]} : tensor<4x8xf32>
  fuser.return %0 : tensor<4x8xf32>
}
fuser.host @h(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuser.alloc() : tensor<4x8xf32>
  %1 = fuser.launch @k ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  fuser.return %1 : tensor<4x8xf32>
}
