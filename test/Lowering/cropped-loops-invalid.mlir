// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-lower-kernels
// Loops over a part of a dimension compute nothing of the rest.

fuser.kernel @returned(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected loops over all elements of id 0 that the kernel returns, but a resize drops the first 1 and the last 2}}
  %0 = fuser.set %x {memory = #fuser.memory<global>, domains = [#fuser.domain<logical = [i0], resize(i0, -1, -2) -> i1, loop = [i1]>]} : tensor<?xf32>
  // expected-note @+1 {{they are read here}}
  fuser.return %0 : tensor<?xf32>
}

// -----

fuser.kernel @read(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected loops over all elements of id 0 that its consumer reads, but a resize drops the first 0 and the last 1}}
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], resize(i0, 0, -1) -> i1, loop = [i1]>]} : tensor<8xf32>
  // expected-note @+1 {{they are read here}}
  %1 = fuser.neg %0 {memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
