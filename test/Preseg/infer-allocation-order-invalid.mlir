// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser.fusion(fuser-infer-allocation-order{scheduler=nobody}))' -verify-diagnostics
// A scheduler that nobody registered cannot be asked (S0.7).

// expected-error @+1 {{expected 'scheduler' to name a registered scheduler, but got 'nobody'}}
fuser.fusion @relu(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
