// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-resolve-stride-orders))' -verify-diagnostics -split-input-file
// Two requirements on one output (S0.1).

// expected-note @+1 {{the fusion requires it here}}
fuser.fusion @required(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  // expected-error @+1 {{expected the stride order of output 0, which is required to be [0, 1], but got [1, 0]}}
  %0 = fuser.stride_order %x [1, 0] : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// expected-note @+1 {{the argument has that order}}
fuser.fusion @aliased(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.neg %x : tensor<?x?xf32>
  // expected-error @+1 {{expected the stride order of output 0, which aliases argument 0, to be [0, 1], but got [1, 0]}}
  %1 = fuser.stride_order %0 [1, 0] : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
